import type {LineTotals} from '../backend/line-tally.ts';

/** What is known of a branch's log for whoever runs the service. */
export type BranchMeasure = {
  readonly siteId: string;
  readonly branchName: string;
  readonly totals: LineTotals;
  /** Since the log began. */
  readonly losses: number;
  /** Bytes of the lines in the window. */
  readonly windowBytes: number;
  /** Why not all of it can be read now, as a sentence; undefined if all can. */
  readonly fault: string | undefined;
  /** It is being opened for the first time, and has no answers yet. */
  readonly isOpening?: boolean;
};
