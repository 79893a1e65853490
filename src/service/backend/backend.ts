import type {LogWindow} from '#log/ingest/branch-log.ts';
import type {Unreadable} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {UnreadLog} from '#log/line/unread.ts';
import type {Pulse} from '#log/overview/pulse.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {LineTotals} from './line-tally.ts';

/** The world around a part of the service: clocks, chance, and where warnings go. */
export type Deps = {
  readonly now: () => Instant;
  /** Milliseconds on a monotonic clock, for waits. */
  readonly monotonicMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Warns the operator. In the end, each message is given once. */
  readonly warn: (message: string) => void;
};

/** The measures of a branch's log, for whoever runs the service. */
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

/**
 * The data that the HTTP server serves: sites with branches, and a log for each branch. There are three kinds of
 * backends: configured sources of lines (`served/line-backend.ts`, see `line-source.ts` to add one), a directory with a
 * supply of lines (`source-backend.ts`), and a seeded demo (`demo/world`).
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
  /**
   * What the next answer has, if it is asked for at once: lines that are `there` already, or those that are `awaited`:
   * it comes when they do. Left out: the pace decides when to ask.
   */
  readonly next?: 'there' | 'awaited' | undefined;
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
  /** The parts of a log that were left out, and can be read; only for logs opened by name. */
  readonly unread?: UnreadLog;
  /** Returns what is known of the logs that are read now, for whoever runs the service. */
  measure?(): readonly BranchMeasure[];
  /** Returns the fault for the next answer to an authorised request, if any. */
  nextFault?(): Fault | undefined;
  /** Writes what must persist and releases all resources. */
  close(): Promise<void>;
}

/**
 * The second half of a backend: the lines of one branch. There are two kinds. A feed with proof holds a window in
 * memory and notices when lines may be missing; a query asks another service for the window each time.
 */
export interface BranchLines<Place> {
  /** Where the lines come from, from now on. Called before the first window, and after each change of the directory. */
  setPlaces(places: readonly Place[]): void;
  /** Places may have come and gone without a trace: their lines are missing. */
  noteWatchOutage?(): void;
  /**
   * Returns the current window; with `after`, where lines are numbered, only what arrived after it. Throws an
   * `UnavailableError` if none of the places can be read.
   */
  readWindow(after?: ReadUpTo): Promise<LinesWindow>;
  /** Bytes of lines that are held now. 0 for a query. */
  heldBytes(): number;
  /** Returns what arrived since the branch was opened, and how many losses there were. */
  totals(): Pick<BranchMeasure, 'totals' | 'losses'>;
  close(): Promise<void>;
}

export type LinesWindow = Pick<ServedWindow, 'lines' | 'cut' | 'arrivals' | 'numbering' | 'heldFrom' | 'next'> & {
  /**
   * Pods that run but whose lines cannot be read now, and why as a sentence. They are left out of the answer, so that a
   * client says that their last lines may be missing.
   */
  readonly unreadablePods?: ReadonlyMap<string, string> | undefined;
  /**
   * Pods that have ended and whose lines are still being read. They stay in the answer, so that a client does not miss
   * lines that are yet to come.
   */
  readonly finishingPods?: ReadonlySet<string> | undefined;
};

/** A source of lines for any branch of a directory. It bounds what all its open branches hold together. */
export interface LineSupply<Place> {
  /** Starts to follow a branch, or prepares to ask. `name` is for messages. */
  open(name: string): BranchLines<Place>;
  close(): Promise<void>;
}

/**
 * The first half of a backend: which branches a site has, and where the lines of each come from now. The second half is
 * `BranchLines`. A `Place` is what the second half needs to find lines, such as a container of a cluster.
 */
export interface Directory<Place> {
  /**
   * Resolves once the branches are known. Throws a `ServiceError` if they cannot be; with an `UnavailableError` the
   * directory keeps trying until it is closed.
   */
  start(): Promise<void>;
  /**
   * Somebody asks for a site: called before each read. Resolves when what is known can be returned. A directory that
   * has stopped looking at the site, because nobody asked for it, looks again first.
   */
  wake?(siteId: string): Promise<void>;
  /**
   * Returns all branches of a site, in listing order; undefined if the site does not exist. Throws an
   * `UnavailableError` while they cannot be known.
   */
  listBranches(siteId: string): readonly BranchRecord[] | undefined;
  /** Returns the branches that can be used now, whether or not a newer version is being deployed. Throws likewise. */
  listDeployed(siteId: string): readonly BranchRecord[] | undefined;
  /** Returns undefined if the branch does not exist. Throws likewise. */
  findBranch(siteId: string, branchId: string): DirectoryBranch<Place> | undefined;
  /** Calls `listener` after every change of what the directory returns. Returns what ends that. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export type DirectoryBranch<Place> = {
  readonly record: BranchRecord;
  /** The pods running now. The same array until they change. */
  readonly pods: readonly PodRecord[];
  /** Empty: the branch is not built out, or nothing of it runs. The same array until they change. */
  readonly places: readonly Place[];
  /** Why places that have come by now would not be known, as a sentence; left out if they would. */
  readonly outage?: string;
  /** How streams ended whose pods are gone, by name; left out where pods are pods. */
  readonly endings?: ReadonlyMap<string, string>;
  /** Counts the outages in which places may have come and gone without a trace; left out if there are none. */
  readonly watchOutages?: number;
};
