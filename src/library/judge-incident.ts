import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {type Asked, sourceOfLog} from '#log/incident/verdict.ts';
import type {BranchLog} from '#log/ingest/branch-log.ts';
import type {Unreadable} from '#log/line/entry.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {unreadableWords} from '#log/words/describe-marker.ts';
import {finishWork} from '#log/work.ts';

/** A log, and what was wrong with its last poll; each value that `followBranch` yields is one. */
export type JudgedLog = {
  readonly log: BranchLog;
  /** Set if the last poll failed. */
  readonly error?: unknown;
  /** The pods that cannot be read now, as of the last answer. */
  readonly unreadable?: Unreadable | undefined;
};

/**
 * Judges the logs of some branches as `branchlog incident` does: a verdict (found, calm or unknown), its basis, and
 * what is other than before. Without `now` in what is asked, the newest line is the end, and silence after it is not
 * seen. Takes up to a second.
 */
export const judgeIncident = (logs: readonly JudgedLog[], asked: Asked = {}): IncidentReport =>
  finishWork(
    findIncident(
      logs.map(({log, error, unreadable}) => ({
        ...sourceOfLog(log, noShapes),
        unreadable: unreadable && {why: unreadableWords(unreadable)},
        failingSince: error === undefined ? undefined : (log.buffer.newestLine?.at ?? 0n),
      })),
      {asked},
    ),
  );
