import {earliestOf, type Instant, nanosPerSecond} from '#log/line/instant.ts';
import {createJoin} from '#log/text/join-bytes.ts';
import {pieceBytesMin} from '#log/window/pieces.ts';
import {inSecondHour} from './line-stamper.ts';
import {createQuickTimes} from './merge/quick-times.ts';
import {readOwnTime} from './read-own-time.ts';
import {cutText, readWholeLine, wholeLines} from './split-lines.ts';
import {aheadNsMax} from './stored-state.ts';

const newline = 0x0a;
const nanosInSecond = 1e9;

/** Whole lines, each with where it ends and its time, in seconds since 1970 and nanoseconds. */
type StampedLines = {
  readonly bytes: Buffer;
  readonly ends: readonly number[];
  readonly seconds: readonly number[];
  readonly nanos: readonly number[];
  /** The texts of pieces, by index, where longer lines are cut: all of one line end where that does. */
  readonly pieces?: ReadonlyMap<number, string>;
};

const secondsOf = (at: Instant): number => Number(at / nanosPerSecond);
const nanosOf = (at: Instant): number => Number(at % nanosPerSecond);

type StampOptions = {
  readonly now: Instant;
  /** When it was written last, where that is known: a time without a year is no later. */
  readonly writtenAt?: Instant | undefined;
  /** Lines come in pieces where they are longer than ours may be. */
  readonly cutsLines?: boolean;
};

/**
 * Creates a function that gives each line its time: its own, if that is later than that of the previous line, otherwise
 * a nanosecond after it. Lines before the first that has one go with that; where the first lines have none, all are of
 * now.
 */
const createStamps = ({now, writtenAt, cutsLines = false}: StampOptions): ((bytes: Buffer) => StampedLines) => {
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
    const pieces = new Map<number, string>();
    const lines = {bytes, ends: [] as number[], seconds: [] as number[], nanos: [] as number[], pieces};
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
    const addLine = (isTimed: boolean, end: number): void => {
      if (isTimed && found.seconds <= limitSeconds) {
        takeOwn();
        addFirst(found.seconds, found.nanos);
        add(found.seconds, found.nanos);
      } else if (seconds < 0) {
        untimed += 1;
      } else {
        add(-1, 0);
      }
      lines.ends.push(end);
    };
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from) + 1;
      const texts = cutsLines && end - from >= pieceBytesMin / 3 ? cutText(readWholeLine(bytes, from, end)) : [];
      if (texts.length > 1) {
        for (const text of texts) {
          const piece = Buffer.from(`${text}\n`);
          pieces.set(lines.ends.length, text);
          addLine(read(piece, 0, piece.length), end);
        }
      } else {
        addLine(read(bytes, from, end), end);
      }
      from = end;
    }
    addFirst(secondsOf(now), nanosOf(now));
    return lines;
  };
};

/** Splits the blocks of one source into lines, each with its time. What it yields holds until the next is asked for. */
export const stampLines = async function* (
  blocks: AsyncIterable<Buffer>,
  options: StampOptions,
): AsyncGenerator<StampedLines> {
  const join = createJoin();
  const stamp = createStamps(options);
  for await (const lines of wholeLines(blocks)) {
    yield stamp(join(lines));
  }
};
