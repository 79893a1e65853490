import type {Branch} from '#api/client/answer.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {RecoveryAnswer} from '#log/incident/recovery-watch.ts';
import type {SinceReport} from '#log/incident/since-change.ts';
import type {Asked, IncidentSource} from '#log/incident/verdict.ts';
import type {Tail} from './tail.ts';

/** Returns what the last answer of a branch proves, for a watch. */
export const recoveryAnswerOf = (
  {log, unreadable, isNumbered, notLineCount}: Tail,
  {cameMs, hasMore = false}: Pick<RecoveryAnswer, 'cameMs'> & Partial<Pick<RecoveryAnswer, 'hasMore'>>,
): RecoveryAnswer => ({
  ...{cameMs, proof: log.proof, isNumbered, notLineCount, isUnreadable: unreadable !== undefined},
  ...{podNames: log.pods.map(({name}) => name), hasMore},
});

/** A branch that findings are compared with, and what is held of its log. */
export type ComparedBranch = {readonly siteId: string; readonly branch: Branch; readonly tail: Tail};

/** The incident, or the comparison with the time before a deployment: then `change` is that deployment. */
export type FoundIncident = IncidentReport & Partial<Pick<SinceReport, 'change'>>;

/** Options for judging an incident. */
export type IncidentOrder = {
  readonly sources: readonly IncidentSource[];
  readonly asked: Asked;
  readonly isOfDeployment: boolean;
  readonly compared: ComparedBranch | undefined;
  /** The findings before stay on the screen until there are new ones: no first look is needed. */
  readonly isRenewal: boolean;
};

/** An incident, as far as it was read. */
export type IncidentReading = {
  readonly order: IncidentOrder;
  /** When it was first wanted, and when it was wanted last, by the monotonic clock, milliseconds. */
  readonly openedAtMs: number;
  readonly askedAtMs: number;
  /** How long it took to find what is shown, milliseconds. */
  readonly tookMs: number;
  /** Undefined until the first look. */
  readonly incident: FoundIncident | undefined;
  /** With what `incident` was compared. */
  readonly compared: ComparedBranch | undefined;
  readonly isReading: boolean;
};
