import type {LogWindow} from '#log/ingest/branch-log.ts';
import type {Unreadable} from '#log/line/entry.ts';
import type {UnreadLog} from '#log/line/unread.ts';
import type {Pulse} from '#log/overview/pulse.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {BranchMeasure} from '../metrics/branch-measure.ts';

/**
 * What the HTTP server serves: sites with branches, and a log for each branch. There are three backends: configured
 * sources of lines (`served/line-backend.ts`, see `line-source.ts` to add one), a directory with a supply of lines
 * (`backends/source-backend.ts`), and a seeded demo (`sample/`).
 */

/** A branch record as in the interface (sections 2.1 to 2.4): JSON values, passed to the client unchanged. */
export type BranchRecord = {readonly _id: string; readonly name: string; readonly status: string | null} & Readonly<
  Record<string, unknown>
>;

/** A pod record (section 2.5): orchestrator metadata, passed through. */
export type PodRecord = {
  readonly name: string;
  readonly resourceVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** One window of a branch's log: whole lines `<timestamp> <text>`, oldest first, and the pods running now. */
export type ServedWindow = Omit<LogWindow<readonly string[]>, 'pods' | 'notLines' | 'sources' | 'serviceAt'> & {
  readonly pods: readonly PodRecord[];
  /** Left out: all that run can be read, as far as is known. */
  readonly unreadable?: Unreadable | undefined;
  /** More lines are there, after these. */
  readonly hasMore?: boolean | undefined;
};

/** A deliberate fault in an answer; only the demo's `errors` scenario produces any. */
export type Fault =
  | {readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>>}
  | {readonly kind: 'body'; readonly body: string; readonly contentType: string}
  | {readonly kind: 'cut'}
  | {readonly kind: 'stall'};

export interface Backend {
  /**
   * Opens files, database and timers. Called once, before the first request. Throws a `ServiceError`; with an
   * `UnavailableError` the backend keeps trying until it is closed.
   */
  start(): Promise<void>;
  /**
   * Returns all branches of a site, in listing order; undefined if the site does not exist. This and the other reads
   * throw an `UnavailableError` while there is no answer; it becomes status 503.
   */
  listBranches(siteId: string): Promise<readonly BranchRecord[] | undefined>;
  /** Returns the deployed branches of a site; left out, those are the ones with status `DEPLOY_APPLICATION_SUCCESS`. */
  listDeployed?(siteId: string): Promise<readonly BranchRecord[] | undefined>;
  /**
   * Returns the branch's current window; empty if it is not built out; undefined if the branch does not exist. With
   * `after`, a backend that numbers its lines returns only those that arrived after it, in order of arrival; if it
   * cannot continue there, the whole window.
   */
  readWindow(siteId: string, branchId: string, after?: ReadUpTo): Promise<ServedWindow | undefined>;
  /**
   * Counts the errors of the site's branches whose lines are in memory: nothing is read for it. Undefined if the site
   * does not exist. Left out: the backend cannot.
   */
  countErrors?(siteId: string): Promise<ReadonlyMap<string, Pulse> | undefined>;
  /** What of a log was left out, and can be read; only of what was opened by name. */
  readonly unread?: UnreadLog;
  /** Returns what is known of the logs that are read now, for whoever runs the service. */
  measure?(): readonly BranchMeasure[];
  /** Returns the fault for the next answer to an authorised request, if any. */
  nextFault?(): Fault | undefined;
  /** Writes what must persist and releases all resources. */
  close(): Promise<void>;
}
