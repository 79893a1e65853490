/** A clock in nanoseconds since the epoch, as container runtimes stamp lines. */
export type StampClock = () => bigint;

/** The wall clock with nanoseconds: the monotonic clock, set once by the wall clock. */
export const createStampClock = (): StampClock => {
  const baseNs = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
  return () => baseNs + process.hrtime.bigint();
};

/** `Z`, or an offset such as `+09:00`. */
export type StampZone = string;

const offsetMinutes = (zone: StampZone): number => {
  const match = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0;
};

/** RFC 3339 with nine digits, in the given zone: `2026-05-04T10:15:02.123456789+09:00`. An offset of nothing is `Z`. */
export const formatStamp = (stampNs: bigint, zone: StampZone = 'Z'): string => {
  const minutes = offsetMinutes(zone);
  const seconds = Number(stampNs / 1_000_000_000n) + minutes * 60;
  const nanos = String(stampNs % 1_000_000_000n).padStart(9, '0');
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${nanos}${minutes === 0 ? 'Z' : zone}`;
};

const stampPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Reads RFC 3339 with up to nine digits of a second; undefined for anything else. */
export const parseStamp = (text: string): {readonly stampNs: bigint; readonly zone: StampZone} | undefined => {
  const match = stampPattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, date = '', fraction = '', zone = 'Z'] = match;
  const seconds = Date.parse(`${date}Z`) / 1000 - offsetMinutes(zone) * 60;
  return Number.isNaN(seconds)
    ? undefined
    : {stampNs: BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')), zone};
};

/** Whole seconds, as `metadata` and conditions have them. */
export const formatSecond = (stampNs: bigint): string =>
  `${new Date(Number(stampNs / 1_000_000n)).toISOString().slice(0, 19)}Z`;
