import type {Instant} from '../../../log/line/instant.ts';

/** A date and a time of day as a line has them, in no zone yet. */
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

/** Milliseconds since 1970 of a time in the machine's zone; arguments as those of `new Date(…)`, months from 0. */
export type LocalMs = (
  year: number,
  monthIndex: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
) => number;

/** A time without a zone is the machine's. */
export const machineMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
  new Date(year, monthIndex, day, hour, minute, second).getTime();

/** What a line without a year or a zone is read against. */
export type OwnTimeContext = {readonly now: Instant; readonly localMs: LocalMs};

/** Devices without a clock begin at 1970, and so does a field that holds 0. */
const yearMin = 1990;
const yearMax = 2200;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The number of an English month, `Nov` is 11; 0, which is no month, where it is none. */
export const monthNumber = (name: string | undefined): number => months.indexOf(name ?? '') + 1;

/** Decimals of a second as nanoseconds; digits past the ninth are cut. */
export const nanosOf = (decimals: string | undefined): bigint => BigInt((decimals ?? '').slice(0, 9).padEnd(9, '0'));

/** Year, month, day, hour, minute, second out of their texts. */
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

const isReal = ({year, month, day, hour, minute, second}: WallTime): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= yearMin &&
    year <= yearMax &&
    // A date that does not exist rolls over into the next month.
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60
  );
};

const instantOf = (ms: number, nanos: bigint): Instant => BigInt(ms) * 1_000_000n + nanos;

/** The instant of a time so many minutes east of UTC; undefined where there is no such day or hour. */
export const instantAtOffset = (wall: WallTime, offsetMinutes: number): Instant | undefined => {
  const {year, month, day, hour, minute, second, nanos} = wall;
  return isReal(wall)
    ? instantOf(Date.UTC(year, month - 1, day, hour, minute - offsetMinutes, second), nanos)
    : undefined;
};

/** The instant of a time in the machine's zone; undefined where there is no such day or hour. */
export const instantInMachineZone = (wall: WallTime, localMs: LocalMs): Instant | undefined => {
  const {year, month, day, hour, minute, second, nanos} = wall;
  return isReal(wall) ? instantOf(localMs(year, month - 1, day, hour, minute, second), nanos) : undefined;
};
