/** Less would flood the service; more would look as if the program hangs. */
export const retryAfterMsMin = 1_000;
export const retryAfterMsMax = 600_000;

/**
 * Returns `Retry-After` in milliseconds (RFC 9110, section 10.2.3: seconds or a date), clamped to 1 s to 10 min;
 * undefined if the header is missing or is neither. `nowMs` is the service's clock if it sent one, because the date is
 * by that clock.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  // Dates in RFC 9110 begin with a weekday; `Date.parse` alone would also accept `1.5`, `-1` and much else.
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Za-z]{3,9},? /.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, retryAfterMsMin), retryAfterMsMax);
};
