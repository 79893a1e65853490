import type {SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';

/** Sources that are counted on their own; the lines of others count together. */
const sourcesMax = 1_000;

/** Upper bounds of how long after its timestamp a line could be served, in seconds. */
export const lagBoundsSeconds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300] as const;

/** The lines that arrived in a log since it was opened. */
export type LineTotals = {
  readonly lines: ReadonlyMap<SourceName, number>;
  /** Lines of further sources. */
  readonly otherLines: number;
  readonly bytes: number;
  /** How many lines were not served later than each of `lagBoundsSeconds`, and in the last place those that were. */
  readonly lagCounts: readonly number[];
  readonly lagSeconds: number;
};

/** Creates a counter of the lines of a log as they arrive. */
export const createLineTally = () => {
  const lines = new Map<SourceName, number>();
  const lagCounts = new Array<number>(lagBoundsSeconds.length + 1).fill(0);
  let arrivedAt: Instant | undefined;
  let otherLines = 0;
  let bytes = 0;
  let lagSeconds = 0;

  return {
    /** Lines arrive at this time from here on. Before the first call, they are from an earlier run or a first look. */
    arriveAt: (now: Instant): void => {
      arrivedAt = now;
    },
    add: (source: SourceName, stamp: Instant, lineBytes: number): void => {
      bytes += lineBytes;
      const known = lines.get(source);
      if (known !== undefined || lines.size < sourcesMax) {
        lines.set(source, (known ?? 0) + 1);
      } else {
        otherLines += 1;
      }
      if (arrivedAt !== undefined) {
        const lag = Number(arrivedAt - stamp) / 1e9;
        const place = lagBoundsSeconds.findIndex(bound => lag <= bound);
        const index = place === -1 ? lagBoundsSeconds.length : place;
        lagCounts[index] = (lagCounts[index] ?? 0) + 1;
        lagSeconds += Math.max(0, lag);
      }
    },
    totals: (): LineTotals => ({lines, otherLines, bytes, lagCounts, lagSeconds}),
  };
};
