/**
 * Less would flood the service: with 0, or a date that has passed, each of 2,000 streams would ask without a pause.
 * With more, a service could keep readers away for good.
 */
const [retryAfterMsMin, retryAfterMsMax] = [1_000, 600_000];

/** Returns how long to wait for a service that asks for this long, milliseconds: 1 s to 10 min. */
export const clampRetryAfter = (waitMs: number): number => Math.min(Math.max(waitMs, retryAfterMsMin), retryAfterMsMax);

/**
 * Returns `Retry-After` in milliseconds (RFC 9110, section 10.2.3: seconds or a date), clamped to 1 s to 10 min;
 * undefined if the header is missing or is neither. `nowMs` is the service's clock, because the date is by that clock;
 * if it is NaN, dates are not understood.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  // Dates in RFC 9110 begin with a weekday; `Date.parse` alone would also accept `1.5`, `-1` and much else.
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Za-z]{3,9},? /.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return Number.isNaN(waitMs) ? undefined : clampRetryAfter(waitMs);
};
