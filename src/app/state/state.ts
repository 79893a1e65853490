import type {Branch} from '#api/client/answer.ts';
import type {HandedPlace} from '#api/recording/hand-over-client.ts';
import type {InputFocus} from '#app/keys/input-focus.ts';
import type {ScreenName} from '#app/keys/keymap.ts';
import type {PromptHistory} from '#app/keys/prompt.ts';
import type {
  BranchOrder,
  BranchShows,
  IncidentPane,
  Listing,
  Overlay,
  Picker,
  RecordPlace,
  RowNews,
  SummaryPane,
  ValueTracePane,
} from '#app/panes/panes.ts';
import type {CallState, NotifyRules} from '#app/parts/call-user.ts';
import type {ContextLabel, Frame} from '#app/parts/frame.ts';
import type {KeptViews} from '#app/parts/kept-views.ts';
import type {FindingWatch, LogLook, Mark, Saving} from '#app/parts/log-parts.ts';
import type {Memo} from '#app/rows/memo.ts';
import type {FilterKind, NamedFilters, PatternUse, UnreadScan} from '#app/search/patterns.ts';
import type {BranchSnapshot} from '#app/tail/branch-changes.ts';
import type {BranchPulses} from '#app/tail/known-pulse.ts';
import type {Tail} from '#app/tail/tail.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {RememberedMark} from '#log/overview/log-memory.ts';
import type {Level} from '#log/tokens/level-words.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import type {ShapeTable} from '#log/traits/shape-table.ts';
import type {FilteredEntries, LineFilter} from '#log/view/line-filter.ts';
import type {Anchor} from '#log/view/log-view.ts';
import type {SourcePick} from '#log/view/sources.ts';
import type {Viewport} from '#log/view/viewport.ts';

/** A site to choose from: configured, or opened before. */
export type KnownSite = {
  readonly id: string;
  readonly name: string | undefined;
  /** Milliseconds since 1970 by the user's clock. */
  readonly openedAtMs: number | undefined;
};

/** A context with its sites; `fault` says why it can't be used. */
export type ContextChoice = {
  readonly label: ContextLabel;
  readonly sites: readonly KnownSite[];
  readonly fault?: string;
};

export type BranchesState = RecordPlace &
  BranchPulses & {
    readonly siteId: string;
    readonly branches: readonly Branch[];
    /**
     * The records as of the last time the rows were ordered. Rows keep the places they had by these, so that nothing
     * moves while listings come.
     */
    readonly ordered: readonly Branch[];
    /** When the user last asked for a listing, which orders the rows again; monotonic clock, milliseconds. */
    readonly orderedAtMs: number;
    /** Items in the last answer that did not match the interface. */
    readonly skippedCount: number;
    /** Those of them that are records without an id. */
    readonly withoutIdCount: number;
    readonly listing: Listing;
    readonly picker: Picker;
    /** Rows of the list scrolled out above the pane. */
    readonly top: number;
    readonly shows: BranchShows;
    readonly order: BranchOrder;
    /** Changes since the user last looked, by branch id. */
    readonly news: ReadonlyMap<string, RowNews>;
    /** How many reports of the guard nobody has looked at yet, by the name of the branch. */
    readonly guarded: ReadonlyMap<string, number>;
    /** The ids of the marked branches, in the order they were marked. */
    readonly marked: readonly string[];
    /** The id or name of a branch from the command line; opened once the branches are known. */
    readonly openWhenKnown: string | undefined;
    /** The time to open its log at, if the command line gave one. */
    readonly openAt?: Instant | undefined;
    /** The branches of the last listing. */
    readonly listed: Memo<ListedBranches>;
  };

/** The rows of the list; `areInOrder`: ordering them again would change nothing. */
export type ListedBranches = {readonly list: readonly Branch[]; readonly areInOrder: boolean};

/** A branch whose log is on the screen, with its own engine. */
export type LogSource = {readonly branch: Branch; readonly tail: Tail; readonly shapes: ShapeTable};

/** The branch records are polled along with the logs, to show changes as markers. */
export type BranchWatch = {
  /** A listing is in progress; there is at most one. */
  readonly isAsking: boolean;
  /** Something happened after the request; its answer may not reflect that yet. */
  readonly asksAgain: boolean;
  /** The last known record of each branch of the log, by id. */
  readonly snapshots: ReadonlyMap<string, BranchSnapshot>;
};

/** A pod whose lines were asked for, until it is known whether there are any. */
export type SoughtPod = {
  readonly name: string;
  readonly patternId: number;
  /** The filters to go back to if no line names it. */
  readonly filtersBefore: readonly {readonly kind: FilterKind; readonly query: string}[];
};

/**
 * `at`: on the entry that the user last jumped to; it matters only while it is in view. `picking`: scroll keys move it,
 * and commands act on its line, or on the lines between it and `rangeFrom`.
 */
export type Cursor =
  | {readonly kind: 'at'; readonly anchor: Anchor}
  | {
      readonly kind: 'picking';
      readonly anchor: Anchor;
      readonly rangeFrom: Anchor | undefined;
      /** The picked lines have been copied; until the cursor moves, nothing is picked. */
      readonly isCopied?: boolean;
    };

/** The view settings of this log from the last time. */
export type Recollection =
  /** Not loaded yet, or not wanted: nothing is saved for this log. */
  | {readonly kind: 'none'}
  /** Applied to the log; from now on changes are saved. `unplacedMarks`: marks whose lines have not arrived yet. */
  | {readonly kind: 'recalled'; readonly unplacedMarks: readonly RememberedMark[]};

/** The newest lines at the last key press. */
export type Seen = {
  /** Monotonic clock, milliseconds. */
  readonly atMs: number;
  /** The newest line of each branch at that time; if there was none yet, the newest line of its first window. */
  readonly newest: readonly (Anchor | undefined)[];
};

/**
 * `seenAt`: the newest line of the last session; undefined until that is known, and if there was none. `guardTold`: how
 * often the guard told since somebody looked. `told`: the notice of that, and what it says after it.
 */
export type SinceLast = {
  readonly seenAt: Instant | undefined;
  readonly guardTold: number;
  readonly told?: {readonly notice: string; readonly rest: string | undefined};
};

/** Lines arrived during a long time without a key press. Counts what had arrived when the user came back. */
export type Away = {
  /** The last key press before; monotonic clock, milliseconds. */
  readonly sinceMs: number;
  /** The entry it follows; undefined if nothing the user saw is in view any more. */
  readonly anchor: Anchor | undefined;
  readonly lineCount: number;
  /** The number of these lines of level error or worse. */
  readonly errorCount: number;
};

/** A source's filter, and what it has kept of the source's buffer so far. */
export type SourceFiltering = {readonly filter: LineFilter; readonly filtered: FilteredEntries};

/** How far back older lines are read; `isBounded`: nobody asked for them, so not for long. */
export type ReadBack = {readonly to: Instant; readonly isBounded: boolean};

export type LogState = {
  readonly siteId: string;
  /** One or several, shown as one log. They and their order don't change while it is open. */
  readonly sources: readonly [LogSource, ...LogSource[]];
  readonly viewport: Viewport;
  /** The branch records while their log is open. */
  readonly watch: BranchWatch;
  readonly findingWatch?: FindingWatch | undefined;
  /** The pane that replaces the lines, if any. */
  readonly overlay?: Overlay | undefined;
  readonly look: LogLook;
  /** Repeated lines are folded, but for the runs that begin with these; undefined if none are. */
  readonly repeats?: readonly Anchor[] | undefined;
  readonly use: PatternUse;
  /** Lines below this level are hidden; `none` shows all. */
  readonly minimumLevel: Level;
  /** The duration of a strip column in nanoseconds when zoomed in; undefined if the strip shows the whole buffer. */
  readonly stripBucket?: Instant | undefined;
  /** Patterns, level, time and choice of sources hide nothing until they are switched on again, or changed. */
  readonly areFiltersOff?: boolean;
  /** Lines of context shown before and after each matching line. */
  readonly contextLines: number;
  /** Who wrote the lines, as far as the service says, in order of appearance; of several branches together. */
  readonly sourceNames: readonly SourceName[];
  /** Whose lines are shown; undefined for everybody's. */
  readonly sourcePick?: SourcePick | undefined;
  /** Only entries of this time are shown; undefined for all. It is for one look at the log, and not remembered. */
  readonly range?: TimeRange | undefined;
  /** The filter of each source and what it keeps now; undefined if all lines are shown. */
  readonly filtering?: readonly SourceFiltering[] | undefined;
  readonly soughtPod?: SoughtPod | undefined;
  /** Undefined until the user jumps to an entry or picks one. */
  readonly cursor?: Cursor | undefined;
  readonly marks: readonly Mark[];
  readonly saving: Saving;
  readonly seen: Seen;
  readonly away?: Away | undefined;
  readonly recollection: Recollection;
  /** What is said about the time since the last session, until a key is pressed. */
  readonly sinceLast?: SinceLast | undefined;
  /** The state of calls to the user; undefined until the first answer after the first window. */
  readonly call?: CallState | undefined;
  /** The branch whose newest lines are left out: this log is a part of it, around a place that was not read. */
  readonly newest?: Branch | undefined;
  readonly scan?: UnreadScan | undefined;
  /** The time of a link from the command line; the view goes there once there are lines. */
  readonly goToAt?: Instant | undefined;
  /** Where the reader was of a log that somebody saved; the view goes there once there are lines. */
  readonly goToSaved?: HandedPlace | undefined;
  /** Older lines are read back to this time. */
  readonly readBack?: ReadBack | undefined;
  /** The pane from which its line was gone to: the way back leads there. */
  readonly cameFrom?: IncidentPane | SummaryPane | ValueTracePane | undefined;
  readonly kept: KeptViews;
};

/** A log that was left and stays in memory, to open again as it was left. Times are monotonic, milliseconds. */
export type HeldLog = {
  readonly log: LogState;
  /** That of the state while the log was open; requests for the log carry it. */
  readonly generation: number;
  readonly leftAtMs: number;
  /** When it was last polled, or left. */
  readonly askedAtMs: number;
};

export type State = Frame & {
  readonly screen: ScreenName;
  /** All contexts of the config file, including the current one; empty if there is only one. */
  readonly contexts: readonly ContextChoice[];
  readonly sites: readonly KnownSite[];
  readonly sitePicker: Picker;
  /** The branches of the open site. */
  readonly branches: BranchesState | undefined;
  readonly log: LogState | undefined;
  /** Logs of this context that were left, in that order. */
  readonly held: readonly HeldLog[];
  /** Help or an input line, or else the screen. `focusOf` says which of its panes then gets the keys. */
  readonly focus: InputFocus;
  readonly promptHistory: PromptHistory;
  /** Whether the record is shown; undefined until the user chooses, while the width of the terminal decides. */
  readonly showsDetails: boolean | undefined;
  /**
   * Counts changes of place. Answers carry the number of their request; one of an older
   * place goes to the log that is held from there, or is dropped, so that it never shows up on another branch.
   */
  readonly generation: number;
  /** The terminal reports mouse wheel and clicks. */
  readonly isMouseOn?: boolean | undefined;
  /** The line to the terminal takes less than is drawn. */
  readonly isLineSlow?: boolean;
  /** The last click that highlighted a list item; monotonic clock, milliseconds. */
  readonly lastPress?: {readonly rowIndex: number; readonly atMs: number} | undefined;
  /** When to call the user; undefined for never. */
  readonly notifyRules?: NotifyRules | undefined;
  readonly namedFilters?: readonly NamedFilters[] | undefined;
  /** View settings of logs are saved for the next time. */
  readonly remembersLogs?: boolean | undefined;
  /** `exp` of the token, milliseconds since 1970. */
  readonly tokenExpiresAtMs: number | undefined;
  /** A notice about the token from the last answer: its file is gone, or others can read it. */
  readonly tokenNotice: string | undefined;
  /** Keys that were told to do nothing, each with its screen. */
  readonly unusedKeys?: readonly string[];
  /** Shown until the next key. */
  readonly notice: string | undefined;
};
