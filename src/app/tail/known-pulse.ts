import type {Answer} from '#api/client/answer.ts';
import type {ApiErrorKind} from '#api/client/api-error.ts';
import type {SitePulses} from '#api/client/decode-pulses.ts';
import type {Pulse} from '#log/overview/pulse.ts';
import type {LastingFailure} from './backoff.ts';

/** The known errors of a branch. Times are monotonic, milliseconds. */
export type KnownPulse = {
  /** The last one that was counted, if any. */
  readonly pulse?: Pulse | undefined;
  /** When it was counted. */
  readonly countedAtMs?: number | undefined;
  /** When the log was last asked for, with whatever outcome. */
  readonly probedAtMs: number;
  /** Why the last probe failed, if it did. */
  readonly failure?: {readonly errorKind: ApiErrorKind; readonly status: number | undefined; readonly message: string};
};

/** By branch id: those that were looked at. */
export type KnownPulses = ReadonlyMap<string, KnownPulse>;

/** The counts of one probe: the errors of all branches that the service has in memory, or those of one. */
export type ProbeAnswer = Answer<SitePulses> & {readonly isOfAll: boolean};

/** The probes of logs whose branches are listed: one request at a time. Times are monotonic, milliseconds. */
export type Probes = {
  readonly asking?: {readonly branchId: string; readonly sinceMs: number} | undefined;
  /** The budget allows no probe before. */
  readonly nextAtMs: number;
  /** The next probe before is of a single branch, which the service has not counted with the others. */
  readonly allAtMs: number;
  /** Factor on the interval: doubled after a 429, and reduced again with each good answer. */
  readonly slowDown: number;
  /** The service, not a single branch, gave no answer. */
  readonly failure?: LastingFailure | undefined;
};

/** The known errors of the branches of a list. */
export type BranchPulses = {
  readonly pulses: KnownPulses;
  /** Those by which the rows were ordered last. */
  readonly orderedPulses: KnownPulses;
  /** Undefined if nobody looks at logs. */
  readonly probes?: Probes | undefined;
};
