import {createSummary, finishSummary, type SummaryResult} from '../../log/summary/summary.ts';
import {addPart, countEntries, type SummaryPart} from '../../log/summary/summary-parts.ts';

/** What is to be summed up. What comes of it is known by this very object. */
export type SummaryOrder = {
  /** The first ones are read first. */
  readonly parts: readonly SummaryPart[];
  readonly entryCount: number;
};

/** What is known when so many entries of an order are read. */
export type CountedSummary = {
  readonly order: SummaryOrder;
  readonly readCount: number;
  readonly result: SummaryResult;
};

/** Sums up one order at a time, in slices, so that keys and frames never wait for it. */
export type Summariser = {
  /** Begins; what was begun before ends. */
  readonly count: (order: SummaryOrder) => void;
  readonly cancel: () => void;
};

export type SummariserOptions = {
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** A monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** Told after the first slice, twice a second, and at the end. */
  readonly onCounted: (counted: CountedSummary) => void;
};

/** No part is begun later than this in a slice; a part takes one to three milliseconds more. */
const sliceMs = 4;
const tellEveryMs = 500;

/** More values of a kind nobody reads. */
const rowsPerTable = 20;

export const createSummariser = ({setTimer, nowMs, onCounted}: SummariserOptions): Summariser => {
  let cancelTimer: (() => void) | undefined;

  const count = (order: SummaryOrder): void => {
    cancelTimer?.();
    const summary = createSummary();
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
