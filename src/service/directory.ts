import type {BranchRecord, PodRecord} from './backend/backend.ts';

/**
 * The first half of a backend: which branches a site has, and where the lines of each come from now. The second half is
 * `branch-lines.ts`. A `Place` is what the second half needs to find lines, such as a container of a cluster.
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
