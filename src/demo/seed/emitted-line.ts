/** A line as the log stores it, with what windows do not show. */
export type EmittedLine = {
  /** `<timestamp> <text>`, as in windows. */
  readonly line: string;
  /** Its timestamp as nanoseconds since the demo's start: exact as a number for 104 days of demo. */
  readonly sinceStartNs: number;
  /** When it can first be read, milliseconds since 1970. */
  readonly arrivesAtMs: number;
  /** The name of the source that wrote it. */
  readonly source: string;
};

/**
 * Compares lines in the order of a log: by timestamp, equal ones by arrival. So a late line never comes between two
 * equal timestamps that a reader already has.
 */
export const compareEmitted = (left: EmittedLine, right: EmittedLine): number =>
  left.sinceStartNs - right.sinceStartNs || left.arrivesAtMs - right.arrivesAtMs;

/** Returns when the last of these lines arrived, milliseconds since 1970; negative infinity if there is none. */
export const latestArrivalMs = (lines: readonly EmittedLine[]): number =>
  lines.reduce((latestMs, {arrivesAtMs}) => Math.max(latestMs, arrivesAtMs), Number.NEGATIVE_INFINITY);
