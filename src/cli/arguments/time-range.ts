import {UsageError} from '#cli/io/exit-codes.ts';
import type {Say} from '#cli/io/io.ts';
import {type Instant, instantFromMs, instantToMs} from '#log/line/instant.ts';
import {
  isUnambiguous,
  type OffsetMinutesAt,
  parseDurationMs,
  parseWhen,
  type TimeRange,
} from '#log/tokens/time-words.ts';
import {formatLocalDate} from '#log/words/format-when.ts';
import {flagLines, flagValue, type ParsedArguments} from './args.ts';

/** Slower playback than a hundredth is of no use; for faster than the maximum there is `max`. */
const speedMin = 0.01;
const speedMax = 10_000;

/** `Infinity` plays without pauses. */
const readSpeed = (parsed: ParsedArguments): number => {
  const value = flagValue(parsed, 'speed');
  if (value === undefined) {
    return 1;
  }
  if (value === 'max') {
    return Number.POSITIVE_INFINITY;
  }
  const speed = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : 0;
  if (speed < speedMin || speed > speedMax) {
    throw new UsageError(`--speed: expected a factor from ${speedMin} to ${speedMax}, or max, got "${value}"`);
  }
  return speed;
};

/**
 * Reads the flags that make and play recordings: the file to write one to, the one to play, and how fast relative to
 * the recording. Throws `UsageError`; reports a flag without effect through `say`.
 */
export const readRecordingOptions = (parsed: ParsedArguments, say: Say) => {
  const recordPath = flagValue(parsed, 'record');
  const replayPath = flagValue(parsed, 'replay');
  if (recordPath !== undefined && replayPath !== undefined) {
    throw new UsageError('--record and --replay cannot be combined: remove one of them');
  }
  const speed = readSpeed(parsed);
  if (replayPath === undefined && parsed.values.has('speed')) {
    say('--speed has no effect without --replay');
  }
  return {recordPath, replayPath, speed};
};

/** A time as a flag gives it: an age by the service's clock, or an instant. */
type GivenTime = {readonly kind: 'age'; readonly ms: number} | {readonly kind: 'instant'; readonly at: Instant};

/** The values of `--since` and `--to`, and of `--tail`; undefined: no end there. */
type GivenRange = {
  readonly since?: GivenTime | undefined;
  readonly to?: GivenTime | undefined;
  readonly tail?: number | undefined;
};

/** By which clock and zone times are read, and where what was understood is said. */
type Reader = {readonly nowAt: Instant; readonly offsetMinutesAt: OffsetMinutesAt; readonly say: Say};

const readTime = (parsed: ParsedArguments, name: string, {say, ...context}: Reader): GivenTime | undefined => {
  const value = flagValue(parsed, name);
  if (value === undefined) {
    return undefined;
  }
  const ms = parseDurationMs(value.replace(/^-\s*(?=\d)|\s+ago$/g, ''));
  if (ms !== undefined && ms > 0) {
    return {kind: 'age', ms};
  }
  const at = parseWhen(value, context);
  if (typeof at !== 'bigint' || ms !== undefined) {
    throw new UsageError(
      `--${name}: expected a time such as 15m, 20:20, yesterday, 2026-11-21 14:02 or 2026-11-21T14:02:11Z, got "${value}"`,
    );
  }
  if (!isUnambiguous(value)) {
    say(`--${name} ${value} is ${formatLocalDate(at, context.offsetMinutesAt)}`);
  }
  return {kind: 'instant', at};
};

const nanosPerMs = 1_000_000n;

/**
 * An end that is written to the millisecond includes all of it: lines of one time, and those without a time of their
 * own below them, are told apart by nanoseconds.
 */
const includeEnd = (time: GivenTime | undefined): GivenTime | undefined =>
  time?.kind === 'instant' && time.at % nanosPerMs === 0n ? {...time, at: time.at + nanosPerMs - 1n} : time;

/** A window's size in bytes is bounded, so no window has more lines than this. */
const tailLinesMax = 100_000_000;

/**
 * Reads `--since`, `--to` and `--tail`; says how a time was understood whose day or zone is not written. Throws
 * `UsageError` if one is wrong, or if the range ends before it begins.
 */
export const readGivenRange = (
  parsed: ParsedArguments,
  {
    nowAt = instantFromMs(Date.now()),
    offsetMinutesAt = (at: Instant) => -new Date(instantToMs(at)).getTimezoneOffset(),
    say = () => undefined,
  }: Partial<Reader> = {},
): GivenRange => {
  const reader = {nowAt, offsetMinutesAt, say};
  const range = {
    since: readTime(parsed, 'since', reader),
    to: includeEnd(readTime(parsed, 'to', reader)),
    tail: flagLines(parsed, 'tail', tailLinesMax, parsed.switches.has('kube') ? '; the namespace is --namespace' : ''),
  };
  if (range.since?.kind === range.to?.kind) {
    // Two ages compare at any time. An age and an instant compare when the service's clock is known.
    resolveRange(range, 0n);
  }
  return range;
};

/** Returns the range by a clock. Throws `UsageError` if it ends before it begins. */
export const resolveRange = ({since, to}: GivenRange, nowAt: Instant): TimeRange => {
  const resolve = (time: GivenTime | undefined) => (time?.kind === 'age' ? nowAt - instantFromMs(time.ms) : time?.at);
  const range = {from: resolve(since), to: resolve(to)};
  if (range.from !== undefined && range.to !== undefined && range.to < range.from) {
    throw new UsageError('--to is before --since: swap them, or leave one of them out');
  }
  return range;
};
