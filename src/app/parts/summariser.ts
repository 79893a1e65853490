import {
  addPart,
  countEntries,
  createSummary,
  finishSummary,
  recentFromOf,
  type SummaryPart,
  type SummaryResult,
} from '#log/summary/summary.ts';

/** A summary to make. Results are matched to it by object identity. */
export type SummaryOrder = {
  /** Read in this order. */
  readonly parts: readonly SummaryPart[];
  readonly entryCount: number;
};

/** The result after reading this many entries of an order. */
export type CountedSummary = {
  readonly order: SummaryOrder;
  readonly readCount: number;
  readonly result: SummaryResult;
};

/** Processes one order at a time, in slices, so that keys and frames never wait for it. */
export type Summariser = {
  /** Starts an order and cancels the previous one. */
  readonly count: (order: SummaryOrder) => void;
  readonly cancel: () => void;
};

export type SummariserOptions = {
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** A monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** Called after the first slice, twice a second, and at the end. */
  readonly onCounted: (counted: CountedSummary) => void;
};

/** A slice starts no part after this time; a part takes another one to three milliseconds. */
const sliceMs = 4;
const tellEveryMs = 500;

/** Nobody reads more values of a kind. */
const rowsPerTable = 20;

export const createSummariser = ({setTimer, nowMs, onCounted}: SummariserOptions): Summariser => {
  let cancelTimer: (() => void) | undefined;

  const count = (order: SummaryOrder): void => {
    cancelTimer?.();
    const summary = createSummary(recentFromOf(order.parts));
    let next = 0;
    let readCount = 0;
    let toldAtMs = Number.NEGATIVE_INFINITY;

    const readSlice = (): void => {
      cancelTimer = undefined;
      const beganAtMs = nowMs();
      let part = order.parts[next];
      do {
        if (part !== undefined) {
          addPart(summary, part);
          readCount += countEntries(part);
          next += 1;
        }
        part = order.parts[next];
      } while (part !== undefined && nowMs() - beganAtMs < sliceMs);
      if (part !== undefined) {
        cancelTimer = setTimer(readSlice, 0);
      }
      if (part === undefined || nowMs() - toldAtMs >= tellEveryMs) {
        toldAtMs = nowMs();
        onCounted({order, readCount, result: finishSummary(summary, rowsPerTable)});
      }
    };
    cancelTimer = setTimer(readSlice, 0);
  };

  return {
    count,
    cancel: () => {
      cancelTimer?.();
      cancelTimer = undefined;
    },
  };
};
