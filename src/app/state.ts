import type {Branch} from '../api/branch.ts';
import type {Viewport} from '../log/viewport.ts';
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
  /** Opened as soon as the branches are known: an id or a name from the command line. */
  readonly openWhenKnown: string | undefined;
};

export type LogState = {
  readonly siteId: string;
  readonly branch: Branch;
  readonly tail: Tail;
  readonly viewport: Viewport;
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
