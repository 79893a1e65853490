import type {Branch} from '../api/branch.ts';
import type {Anchor} from '../log/log-view.ts';
import type {Viewport} from '../log/viewport.ts';
import type {BranchNews} from './branch-changes.ts';
import type {ScreenName} from './keymap.ts';
import type {Tail} from './tail.ts';

/** A site to pick from: configured, or opened before. */
export type KnownSite = {
  readonly id: string;
  readonly name: string | undefined;
  /** Milliseconds since 1970 by the user's clock. */
  readonly openedAtMs: number | undefined;
};

/** The service that is talked to, as the screens name it. */
export type ContextLabel = {readonly name: string; readonly host: string};

/** A list to pick from: what is highlighted is known by its id, so that a list that changes does not move it. */
export type Picker = {readonly selectedId: string | undefined; readonly filter: string};

/** How a listing stands; what is held of it is shown whatever happens. */
export type Listing =
  | {readonly kind: 'loading'}
  | {readonly kind: 'good'; readonly atMs: number}
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly sinceMs: number;
      readonly retryAtMs: number;
      readonly attemptNumber: number;
    };

export type BranchesState = {
  readonly siteId: string;
  readonly branches: readonly Branch[];
  /** Items of the last answer that were not of the interface. */
  readonly skippedCount: number;
  readonly listing: Listing;
  readonly picker: Picker;
  readonly deployedOnly: boolean;
  /** The ids of the branches to be opened together, in the order in which they were marked. */
  readonly marked: readonly string[];
  /** Opened as soon as the branches are known: an id or a name from the command line. */
  readonly openWhenKnown: string | undefined;
};

/** A branch whose log is on the screen, with an engine of its own. */
export type LogSource = {readonly branch: Branch; readonly tail: Tail};

/** The branches' records are asked for beside their logs, to tell in the log what changed. */
export type BranchWatch = {
  /** A listing is under way; never more than one is. */
  readonly isAsking: boolean;
  /** Something happened since it was asked for: its answer may not know of it yet. */
  readonly asksAgain: boolean;
  /** What is known of each branch of the log, by its id. */
  readonly news: ReadonlyMap<string, BranchNews>;
};

/** The list of polls is open. It stays at the newest one, or where it was scrolled to: at the poll of a time by the monotonic clock. */
export type Inspector = {readonly topAtMs: number | undefined};

/** A marker that was jumped to, and where that put the viewport: only while it stays there does the next jump go on from it. */
export type Jump = {readonly anchor: Anchor; readonly viewport: Viewport};

export type LogState = {
  readonly siteId: string;
  /** One, or several that are shown as one log; they stay the same, in this order, while it is open. */
  readonly sources: readonly [LogSource, ...LogSource[]];
  /** One over all of them. */
  readonly viewport: Viewport;
  /** What is known of the branches' records while their log is open. */
  readonly watch: BranchWatch;
  /** The poll inspector, where it is open. */
  readonly inspector?: Inspector | undefined;
  /** The marker that was jumped to last. */
  readonly jump?: Jump | undefined;
};

export type State = {
  readonly screen: ScreenName;
  readonly columns: number;
  readonly rows: number;
  readonly context: ContextLabel;
  readonly sites: readonly KnownSite[];
  readonly sitePicker: Picker;
  /** The branches of the site that is open. */
  readonly branches: BranchesState | undefined;
  /** The log that is open. */
  readonly log: LogState | undefined;
  /** An input line is open and takes the letters. */
  readonly isFilterOpen: boolean;
  readonly isHelpOpen: boolean;
  /** Whether the record is shown; undefined until the user says: then the width of the terminal decides. */
  readonly showsDetails: boolean | undefined;
  /**
   * The number of the last change of place. Answers carry the number they were asked under; one of an older place is
   * dropped, so that a late answer never shows up on another branch.
   */
  readonly generation: number;
  /** What to add to the monotonic clock to get the service's clock, milliseconds since 1970. */
  readonly clockOffsetMs: number;
  /** The monotonic clock when the last event came, milliseconds. */
  readonly nowMs: number;
  /** `exp` of the token, milliseconds since 1970. */
  readonly tokenExpiresAtMs: number | undefined;
  /** A word about the token that came with the last answer: its file is gone, or others can read it. */
  readonly tokenNotice: string | undefined;
  /** One sentence about something that went wrong beside the point, shown until the next key. */
  readonly notice: string | undefined;
  readonly logSettings: {readonly intervalMs: number; readonly bufferBytesMax: number};
};

/** Rows that a log or a list gets: all but the header, the strip or blank row below it, the state line and the hints. */
export const paneRows = (state: Pick<State, 'rows'>): number => Math.max(1, state.rows - 4);

/** The least size that the screens are drawn at. */
export const columnsMin = 20;
export const rowsMin = 5;
