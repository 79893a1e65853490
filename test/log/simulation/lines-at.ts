import {parseInstant} from '#log/line/instant.ts';

/** 14:02 on a day in November, and nanoseconds after it. */
export const nanos = (count: number): bigint => (parseInstant('2026-11-21T14:02:00Z') ?? 0n) + BigInt(count);

/** `5 five` becomes a line five nanoseconds after 14:02; one without a number in front is left without a timestamp. */
export const line = (text: string): string => {
  const [, count, rest] = /^(\d+) (.*)$/.exec(text) ?? [];
  return count === undefined ? text : `2026-11-21T14:02:00.${count.padStart(9, '0')}Z ${rest}`;
};

/** The other way round: how a line reads in a test. */
export const short = (raw: string): string => raw.replace(/^2026-11-21T14:02:00\.0*(\d+)Z /, '$1 ');
