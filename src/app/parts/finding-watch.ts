import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {GoneWatch} from '#log/incident/recovery-watch.ts';
import type {Instant} from '#log/line/instant.ts';

/** A finding of which the user wants to know whether it stopped. It is kept while its log is in memory. */
export type FindingWatch = {
  readonly finding: IncidentFinding;
  /** Safe to draw. */
  readonly name: string;
  /** One for each of the log's sources. */
  readonly perSource: readonly GoneWatch[];
  /** When it last came again after it had stopped. */
  readonly againAt: Instant | undefined;
};

/** What did not come for so long has stopped, milliseconds. */
export const watchedMs = 60_000;
