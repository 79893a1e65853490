const day = 86_400_000;

/** Milliseconds of a unit, by its word without a plural `s`. */
const unitMs: ReadonlyMap<string, number> = new Map(
  (
    [
      ['ms msec millisecond', 1],
      ['s sec second', 1000],
      ['m min minute', 60_000],
      ['h hr hour', 3_600_000],
      ['d day', day],
      ['w week', 7 * day],
    ] as const
  ).flatMap(([words, ms]) => words.split(' ').map((word): readonly [string, number] => [word, ms])),
);

/** 4 years: a longer time is a typing error. */
export const durationMsMax = 4 * 365 * day;

const part = /(\d{1,12}(?:\.\d{1,9})?)\s*([a-z]*)\s*/gi;
/** Nobody types more than weeks, days, hours, minutes and seconds. */
const whole = /^(?:\d{1,12}(?:\.\d{1,9})?\s*[a-z]*\s*){1,6}$/i;

/**
 * Parses a length of time as people type it, and returns milliseconds: `500ms`, `15s`, `15min`, `1h30m`, `2 days`,
 * `1w`; a bare number is seconds. Returns undefined if it is none, or is longer than 4 years.
 */
export const parseDurationMs = (text: string): number | undefined => {
  const words = text.trim();
  if (!whole.test(words)) {
    return undefined;
  }
  const parts = [...words.matchAll(part)];
  let sum = 0;
  for (const [, count = '', unit = ''] of parts) {
    const word = unit.toLowerCase();
    const ms = unit === '' && parts.length === 1 ? 1000 : (unitMs.get(word) ?? unitMs.get(word.replace(/s$/, '')));
    if (ms === undefined) {
      return undefined;
    }
    sum += Number(count) * ms;
  }
  return sum <= durationMsMax ? Math.round(sum) : undefined;
};
