/** Milliseconds in a unit. */
export const unitsMs = {ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000} as const;

const withUnit = /^([\d.]{1,20}(?:e-\d{1,2})?) ?([nuµμm]?s)?$/;
/** Go's `1m2.5s` and `1h0m3s`. */
const composite = /^(?:(\d{1,4})h)?(\d{1,4})m([\d.]{1,16})s$/;

/** Checks whether a value is a duration: a number that is not negative, with or without a unit. */
export const isDuration = (value: string): boolean => durationMsOf(value, 1) !== undefined;

/**
 * Returns the milliseconds that a value says: `12ms`, `1.2 s`, `340µs`, `1m2.5s`, or a bare number in units of `bareMs`
 * milliseconds. Undefined if it says none, and for a bare number whose unit is unknown.
 */
export const durationMsOf = (value: string, bareMs: number | undefined): number | undefined => {
  const [, number, unit] = withUnit.exec(value) ?? [];
  const unitMs = unit === undefined ? bareMs : unitsMs[unit as keyof typeof unitsMs];
  if (number !== undefined) {
    // Digits after the nanosecond are what floating point adds.
    const ms = unitMs === undefined ? Number.NaN : Math.round(Number(number) * unitMs * 1e6) / 1e6;
    return Number.isFinite(ms) ? ms : undefined;
  }
  const [, hours = 0, minutes, seconds] = composite.exec(value) ?? [];
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return Number.isFinite(ms) ? ms : undefined;
};
