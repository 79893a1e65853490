import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {ServedWindow} from './backend/backend.ts';
import type {BranchMeasure} from './metrics/branch-measure.ts';

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

export type LinesWindow = Pick<ServedWindow, 'lines' | 'cut' | 'arrivals' | 'numbering' | 'heldFrom' | 'hasMore'> & {
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
