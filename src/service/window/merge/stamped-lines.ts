import {earliestOf, type Instant, nanosPerSecond} from '#log/line/instant.ts';
import {createJoin} from '#log/text/join-bytes.ts';
import {inSecondHour} from '../line-stamper.ts';
import {readOwnTime} from '../read-own-time.ts';
import {aheadNsMax} from '../stored-state.ts';
import {createQuickTimes} from './quick-times.ts';

const newline = 0x0a;
const nanosInSecond = 1e9;
const noBytes = Buffer.alloc(0);

/** Whole lines, each with where it ends and its time, in seconds since 1970 and nanoseconds. */
export type StampedLines = {
  readonly bytes: Buffer;
  readonly ends: readonly number[];
  readonly seconds: readonly number[];
  readonly nanos: readonly number[];
};

export const noLines: StampedLines = {bytes: noBytes, ends: [], seconds: [], nanos: []};

const secondsOf = (at: Instant): number => Number(at / nanosPerSecond);
const nanosOf = (at: Instant): number => Number(at % nanosPerSecond);

export type StampOptions = {
  readonly now: Instant;
  /** When it was written last, where that is known: a time without a year is no later. */
  readonly writtenAt?: Instant | undefined;
};

/**
 * Creates what gives each line its time: its own, if that is later than the line's before, else a nanosecond after it.
 * Lines before the first that has one go with that; where the first lines have none, all are of now.
 */
const createStamps = ({now, writtenAt}: StampOptions): ((bytes: Buffer) => StampedLines) => {
  const context = {now: earliestOf([now, writtenAt]) ?? now};
  const {read, found} = createQuickTimes(line => readOwnTime(line, context));
  const limitSeconds = secondsOf(now + aheadNsMax);
  /** The time of the last line. */
  let [seconds, nanos] = [-1, 0];
  /** The last that a line had of its own. */
  let [ownSeconds, ownNanos] = [-1, 0];

  /** Where clocks were set back, the hour is the second one. */
  const takeOwn = (): void => {
    const isBack = found.seconds < ownSeconds || (found.seconds === ownSeconds && found.nanos < ownNanos);
    if (isBack) {
      const own = BigInt(found.seconds) * nanosPerSecond + BigInt(found.nanos);
      found.seconds = secondsOf(inSecondHour(own, BigInt(ownSeconds) * nanosPerSecond + BigInt(ownNanos)));
    }
    ownSeconds = found.seconds;
    ownNanos = found.nanos;
  };

  return bytes => {
    const lines = {bytes, ends: [] as number[], seconds: [] as number[], nanos: [] as number[]};
    let untimed = 0;
    const add = (atSeconds: number, atNanos: number): void => {
      const isLater = atSeconds > seconds || (atSeconds === seconds && atNanos > nanos);
      nanos = isLater ? atNanos : nanos + 1;
      seconds = isLater ? atSeconds : seconds;
      if (nanos === nanosInSecond) {
        seconds += 1;
        nanos = 0;
      }
      lines.seconds.push(seconds);
      lines.nanos.push(nanos);
    };
    const addFirst = (atSeconds: number, atNanos: number): void => {
      for (; untimed > 0; untimed -= 1) {
        add(atSeconds, atNanos);
      }
    };
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from) + 1;
      const isTimed = read(bytes, from, end) && found.seconds <= limitSeconds;
      if (isTimed) {
        takeOwn();
        addFirst(found.seconds, found.nanos);
        add(found.seconds, found.nanos);
      } else if (seconds < 0) {
        untimed += 1;
      } else {
        add(-1, 0);
      }
      lines.ends.push(end);
      from = end;
    }
    addFirst(secondsOf(now), nanosOf(now));
    return lines;
  };
};

/**
 * Creates what splits the blocks of one source into lines, each with its time; undefined at the end. What it returns
 * holds until the next call.
 */
export const createStampedLines = (options: StampOptions): ((block: Buffer | undefined) => StampedLines) => {
  const join = createJoin();
  const stamp = createStamps(options);
  let partial: Buffer[] = [];
  return block => {
    const bytes = block ?? (partial.length > 0 ? Buffer.from('\n') : noBytes);
    const end = bytes.lastIndexOf(newline) + 1;
    const whole = end === 0 ? noBytes : join([...partial, bytes.subarray(0, end)]);
    partial = [...(end === 0 ? partial : []), ...(end === bytes.length ? [] : [Buffer.from(bytes.subarray(end))])];
    return stamp(whole);
  };
};
