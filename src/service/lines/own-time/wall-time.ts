import type {Instant} from '../../../log/line/instant.ts';

/** A date and a time of day as written in a line, not yet in any zone. */
export type WallTime = {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: bigint;
};

/** Returns milliseconds since 1970 of a time in the machine's zone; arguments as for `new Date(…)`, months from 0. */
export type LocalMs = (
  year: number,
  monthIndex: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
) => number;

/** Interprets a time without a zone in the machine's. */
export const machineMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
  new Date(year, monthIndex, day, hour, minute, second).getTime();

/** The context for times without a year or a zone. */
export type OwnTimeContext = {readonly now: Instant; readonly localMs?: LocalMs};

/** Devices without a clock start at 1970, and a field of 0 means 1970. */
const yearMin = 1990;
const yearMax = 2200;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the number of an English month, or of one in digits: `Nov` and `11` are 11. No real month if it is none. */
export const monthNumber = (name = ''): number => months.indexOf(name) + 1 || Number(name);

/** Converts decimals of a second to nanoseconds; cuts digits past the ninth. */
export const nanosOf = (decimals: string | undefined): bigint =>
  BigInt(Number((decimals ?? '').slice(0, 9).padEnd(9, '0')));

/** Parses year, month, day, hour, minute and second. */
export const wallTimeOf = (
  [year, month, day, hour, minute, second]: readonly (string | number | undefined)[],
  decimals: string | undefined,
): WallTime => ({
  year: Number(year),
  month: Number(month),
  day: Number(day),
  hour: Number(hour),
  minute: Number(minute),
  second: Number(second),
  nanos: nanosOf(decimals),
});

/** Remembers the last result: neighbouring lines share a day, and often a second. */
export const rememberLast = <Result>(read: (text: string) => Result): ((text: string) => Result) => {
  let last: {readonly text: string; readonly result: Result} | undefined;
  return text => {
    if (last?.text !== text) {
      last = {text, result: read(text)};
    }
    return last.result;
  };
};

const isReal = ({year, month, day, hour, minute, second}: WallTime): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= yearMin &&
    year <= yearMax &&
    // A nonexistent date rolls over into the next month.
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60
  );
};

const instantOf = (ms: number, nanos: bigint): Instant => BigInt(ms) * 1_000_000n + nanos;

/** Returns the instant of a time at this many minutes east of UTC; undefined if the day or hour does not exist. */
export const instantAtOffset = (wall: WallTime, offsetMinutes: number): Instant | undefined => {
  const {year, month, day, hour, minute, second, nanos} = wall;
  return isReal(wall)
    ? instantOf(Date.UTC(year, month - 1, day, hour, minute - offsetMinutes, second), nanos)
    : undefined;
};

/** Returns the instant of a time in the machine's zone; undefined if the day or hour does not exist. */
export const instantInMachineZone = (wall: WallTime, localMs = machineMs): Instant | undefined => {
  const {year, month, day, hour, minute, second, nanos} = wall;
  return isReal(wall) ? instantOf(localMs(year, month - 1, day, hour, minute, second), nanos) : undefined;
};
