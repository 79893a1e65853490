/** Less would be a storm, more would look like a program that hangs. */
export const retryAfterMsMin = 1_000;
export const retryAfterMsMax = 600_000;

/**
 * `Retry-After` in milliseconds (RFC 9110, section 10.2.3: seconds, or a date), clamped to 1 s … 10 min; undefined where the
 * header is missing or neither. `nowMs`: the service's clock where it sent one, since the date is by that clock.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  // RFC 9110's dates begin with a weekday; Date.parse alone would take `1.5`, `-1` and much else for a date.
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Za-z]{3,9},? /.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, retryAfterMsMin), retryAfterMsMax);
};
