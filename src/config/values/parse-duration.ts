const unitMs: Readonly<Record<string, number>> = {ms: 1, s: 1_000, m: 60_000, h: 3_600_000};

/**
 * 1000 hours: a longer time is a typing error. Node's timers end at 596 hours, so code that starts one clamps the value
 * anyway.
 */
export const durationMsMax = 3_600_000_000;

/**
 * Parses a time as people type it, and returns milliseconds: `500ms`, `15s`, `5m`, `2h`, `1.5s`; a bare number is
 * seconds.
 * Returns undefined if it is not a time, is negative, or is longer than 1000 hours.
 */
export const parseDurationMs = (text: string): number | undefined => {
  const match = /^(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h)?$/.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const ms = Math.round(Number(match[1]) * (unitMs[match[2] ?? 's'] ?? 1));
  return ms <= durationMsMax ? ms : undefined;
};
