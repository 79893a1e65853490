import type {Branch} from '../../api/decode/branch.ts';
import type {Secret} from '../../api/secret.ts';
import type {FilteredEntries, LineFilter} from '../../log/filter/line-filter.ts';
import type {Level} from '../../log/level/level.ts';
import type {LineEntry} from '../../log/line/entry.ts';
import type {Instant} from '../../log/line/instant.ts';
import type {SummaryResult} from '../../log/summary/summary.ts';
import type {Anchor} from '../../log/view/log-view.ts';
import type {Viewport} from '../../log/view/viewport.ts';
import type {OffsetMinutesAt} from '../../log/words/time-words.ts';
import type {ScreenName} from '../keys/keymap.ts';
import type {CallState, CallWishes} from '../parts/call-user.ts';
import type {Kept} from '../parts/kept.ts';
import type {KeptViews} from '../parts/kept-views.ts';
import type {LogLook} from '../parts/log-look.ts';
import type {RememberedMark} from '../parts/log-memory.ts';
import type {PatternUse} from '../parts/patterns.ts';
import type {PromptHistory} from '../parts/prompt.ts';
import type {SummaryOrder} from '../parts/summariser.ts';
import type {BranchNews} from '../tail/branch-changes.ts';
import type {Tail} from '../tail/tail.ts';
import type {Front} from './front.ts';

/** A site to pick from: configured, or opened before. */
export type KnownSite = {
  readonly id: string;
  readonly name: string | undefined;
  /** Milliseconds since 1970 by the user's clock. */
  readonly openedAtMs: number | undefined;
};

/** The service that is talked to, as the screens name it. */
export type ContextLabel = {readonly name: string; readonly host: string};

/** A context that can be gone to, with its sites; `fault` says why it can't. */
export type ContextChoice = {
  readonly label: ContextLabel;
  readonly sites: readonly KnownSite[];
  readonly fault?: string;
};

/** A list to pick from: what is highlighted is known by its id, so that a list that changes does not move it. */
export type Picker = {
  readonly selectedId: string | undefined;
  readonly filter: string;
  /** What was highlighted before a filter was typed, and is again when that is cleared. */
  readonly selectedBefore?: string | undefined;
};

/** Which branches are listed, beside what the filter says. */
export type BranchShows = 'all' | 'deployed' | 'faults';

/** By what branches are ordered while no filter is typed. */
export type BranchOrder = 'status' | 'name' | 'changed';

/** A branch that came, one of another status, and one that changed otherwise. */
export type RowNews = 'new' | 'status' | 'changed';

/** The field of the record that is highlighted, by its key; undefined for the first. */
export type DetailsFocus = {readonly fieldKey: string | undefined};

/** The one secret that can be read at the moment. Its text is in none of the state: whoever draws it asks the `Secret` itself. */
export type RevealedSecret = {
  readonly branchId: string;
  readonly fieldKey: string;
  /** What the user asked to see: should another answer bring another value to that field, it is not the one. */
  readonly secret: Secret;
  /** It is a mask again then, by the monotonic clock, milliseconds. */
  readonly untilMs: number;
};

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
  readonly shows: BranchShows;
  readonly order: BranchOrder;
  /** What the listings brought since the user looked, by the branch's id. */
  readonly news: ReadonlyMap<string, RowNews>;
  /** The highlight is in the record's fields, where it is. */
  readonly details?: DetailsFocus | undefined;
  readonly revealed?: RevealedSecret | undefined;
  /** The ids of the branches to be opened together, in the order in which they were marked. */
  readonly marked: readonly string[];
  /** Opened as soon as the branches are known: an id or a name from the command line. */
  readonly openWhenKnown: string | undefined;
  /** The time that its log is opened at, where the command line named one. */
  readonly openAt?: Instant | undefined;
  /** The branches as they were listed last. */
  readonly listed: Kept<readonly Branch[]>;
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
export type Inspector = {readonly kind: 'inspector'; readonly topAtMs: number | undefined};

/** One line of the log is open, with all that is known of it. */
export type OpenedLine = {
  readonly kind: 'line';
  /** Which of the log's branches it is of, from 0. */
  readonly source: number;
  /** Held here, so that it can be read on when it has left the buffer. */
  readonly line: LineEntry;
  /** How many rows of it stand above the pane. */
  readonly top: number;
};

/** The summary of what was in view, or of the lines that were picked, when it was opened. */
export type SummaryPane = {
  readonly kind: 'summary';
  readonly order: SummaryOrder;
  readonly scope: 'all' | 'filtered' | 'picked';
  /** Entries of the order that are counted by now. */
  readonly readCount: number;
  /** What came of them; undefined until the first ones are counted. */
  readonly result: SummaryResult | undefined;
  /** The row that is highlighted; undefined for the first. */
  readonly selectedId: string | undefined;
  /** How many rows of it stand above the pane. */
  readonly top: number;
};

/** A pane of the log screen that stands in the place of the lines. */
export type Overlay = Inspector | OpenedLine | SummaryPane;

/**
 * `at`: on the entry that the user last jumped to; it matters only while it is in view. `picking`: scroll keys move it,
 * and commands act on its line, or on the lines between it and `rangeFrom`.
 */
export type Cursor =
  | {readonly kind: 'at'; readonly anchor: Anchor}
  | {readonly kind: 'picking'; readonly anchor: Anchor; readonly rangeFrom: Anchor | undefined};

/** A line that the user marked. */
export type Mark = {
  readonly anchor: Anchor;
  /** The line's time. */
  readonly at: Instant;
  /** What the user wrote about it, as typed; it may be empty. */
  readonly note: string;
};

/** A file to be written; `path` as it was typed. */
export type SaveTarget = {readonly what: 'lines' | 'incident'; readonly path: string};

/** What is being saved. One file at a time. */
export type Saving =
  | {readonly kind: 'idle'}
  /** `share` is how much is done, 0 to 1. */
  | (SaveTarget & {readonly kind: 'writing'; readonly share: number})
  /** The file is there already: the same path again replaces it. */
  | (SaveTarget & {readonly kind: 'exists'});

/** How this log was looked at last time. */
export type Recollection =
  /** Not known yet, or not wanted: nothing is kept of this log. */
  | {readonly kind: 'none'}
  /** Laid over the log, so that changes are worth keeping. `unplacedMarks` are those whose lines have not come yet. */
  | {readonly kind: 'recalled'; readonly unplacedMarks: readonly RememberedMark[]};

/** What there was to see when a key was pressed last. */
export type Seen = {
  /** By the monotonic clock, milliseconds. */
  readonly atMs: number;
  /** Of each branch the newest line held then, or where there was none yet the newest of its first window. */
  readonly newest: readonly (Anchor | undefined)[];
};

/** Lines came while no key was pressed for long. It tells what had come when the user was back. */
export type Away = {
  /** The last key before, by the monotonic clock, milliseconds. */
  readonly sinceMs: number;
  /** The entry that it stands behind; where there is none, nothing of what was seen is in view any more. */
  readonly anchor: Anchor | undefined;
  readonly lineCount: number;
  /** Those of the lines that say error or worse. */
  readonly errorCount: number;
};

/** A source's filter, and what it leaves of the source's buffer as far as it has got. */
export type SourceFiltering = {readonly filter: LineFilter; readonly filtered: FilteredEntries};

export type LogState = {
  readonly siteId: string;
  /** One, or several that are shown as one log; they stay the same, in this order, while it is open. */
  readonly sources: readonly [LogSource, ...LogSource[]];
  /** One over all of them. */
  readonly viewport: Viewport;
  /** What is known of the branches' records while their log is open. */
  readonly watch: BranchWatch;
  /** What stands in the place of the lines, where something does. */
  readonly overlay?: Overlay | undefined;
  readonly look: LogLook;
  readonly use: PatternUse;
  /** Lines of a lower level are not shown; `none` shows all. */
  readonly minimumLevel: Level;
  /** How long a column of the strip is, in nanoseconds, where it shows a part of what is held; undefined where it shows all. */
  readonly stripBucket?: Instant | undefined;
  /** Lines that are shown before and behind each that the filters keep. */
  readonly contextLines: number;
  /** Of each source the filter that its lines go through and what that leaves now; undefined where all are shown. */
  readonly filtering?: readonly SourceFiltering[] | undefined;
  /** Undefined until the user jumps to an entry or picks one. */
  readonly cursor?: Cursor | undefined;
  /** In the order in which they were set. */
  readonly marks: readonly Mark[];
  readonly saving: Saving;
  readonly seen: Seen;
  /** The last time that the user looked away, where there was one. */
  readonly away?: Away | undefined;
  readonly recollection: Recollection;
  /** When the user was called; undefined until the first answer after the first window. */
  readonly call?: CallState | undefined;
  /** Gone to as soon as there are lines: the time of a link from the command line. */
  readonly goToAt?: Instant | undefined;
  readonly kept: KeptViews;
};

export type State = {
  readonly screen: ScreenName;
  readonly columns: number;
  readonly rows: number;
  readonly context: ContextLabel;
  /** All that the config file has, the one in use among them. */
  readonly contexts: readonly ContextChoice[];
  readonly sites: readonly KnownSite[];
  readonly sitePicker: Picker;
  /** The branches of the site that is open. */
  readonly branches: BranchesState | undefined;
  /** The log that is open. */
  readonly log: LogState | undefined;
  /** Help or an input line in front of the screen. `keyTaker` says who gets the keys. */
  readonly front: Front;
  readonly promptHistory: PromptHistory;
  /** Whether the record is shown; undefined until the user says: then the width of the terminal decides. */
  readonly showsDetails: boolean | undefined;
  /**
   * The number of the last change of place. Answers carry the number they were asked under; one of an older place is
   * dropped, so that a late answer never shows up on another branch.
   */
  readonly generation: number;
  /** What to add to the monotonic clock to get the service's clock, milliseconds since 1970. */
  readonly clockOffsetMs: number;
  /** The terminal reports the wheel and presses. */
  readonly isMouseOn?: boolean | undefined;
  /** The press that highlighted an item of a list last; the monotonic clock, milliseconds. */
  readonly lastPress?: {readonly rowIndex: number; readonly atMs: number} | undefined;
  /** When the user is to be called; undefined where never. */
  readonly callWishes?: CallWishes | undefined;
  /** How logs are looked at is kept for the next time. */
  readonly remembersLogs?: boolean | undefined;
  /** The user's time zone. */
  readonly offsetMinutesAt: OffsetMinutesAt;
  /** The monotonic clock when the last event came, milliseconds. */
  readonly nowMs: number;
  /** `exp` of the token, milliseconds since 1970. */
  readonly tokenExpiresAtMs: number | undefined;
  /** A word about the token that came with the last answer: its file is gone, or others can read it. */
  readonly tokenNotice: string | undefined;
  /** One sentence about something that went wrong beside the point, shown until the next key. */
  readonly notice: string | undefined;
  readonly logSettings: {
    readonly intervalMs: number;
    readonly bufferBytesMax: number;
    /** SGR in lines becomes their style. */
    readonly keepsColour: boolean;
  };
};

/** Rows that a log or a list gets: all but the header, the strip or blank row below it, the state line and the hints. */
export const paneRows = (state: Pick<State, 'rows'>): number => Math.max(1, state.rows - 4);

/** The least size that the screens are drawn at. */
export const columnsMin = 20;
export const rowsMin = 5;
