import type {SummaryOrder} from '#app/parts/summariser.ts';
import type {LastingFailure} from '#app/tail/backoff.ts';
import type {IncidentReading} from '#app/tail/incident-reading.ts';
import type {Secret} from '#base/secret.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {FieldCounts} from '#log/reading/lay-out-columns.ts';
import type {SummaryResult} from '#log/summary/summary.ts';
import type {SourcedShape} from '#log/traits/shape-table.ts';

/** A list to choose from. The highlight is an id, so that it stays in place when the list changes. */
export type Picker = {
  readonly selectedId: string | undefined;
  readonly filter: string;
  /** The highlighted item before a filter was typed; restored when the filter is cleared. */
  readonly selectedBefore?: string | undefined;
};

/** Which branches are listed, before the filter applies. */
export type BranchShows = 'all' | 'deployed' | 'faults';

/** The order of branches while no filter is typed. */
export type BranchOrder = 'status' | 'name' | 'changed' | 'errors';

/** A new branch, a branch with another status, a branch with any other change. */
export type RowNews = 'new' | 'status' | 'changed';

/** The one secret currently revealed. Its text is never in the state; the renderer reads it from the `Secret`. */
export type RevealedSecret = {
  /** The id of the branch or pod whose record has it. */
  readonly ownerId: string;
  readonly fieldKey: string;
  /** The value the user asked to see. If a later answer changes the field, the new value is not revealed. */
  readonly secret: Secret;
  /** When it is masked again; monotonic clock, milliseconds. */
  readonly untilMs: number;
};

/** Where the user is in a record: of a branch, or of a pod. */
export type RecordPlace = {
  /** The keys move through the record's fields, if it is shown; undefined for the first one. */
  readonly details?: {readonly fieldKey: string | undefined} | undefined;
  readonly revealed?: RevealedSecret | undefined;
};

export type Listing =
  | {readonly kind: 'loading'}
  | {readonly kind: 'good'; readonly atMs: number}
  | ({readonly kind: 'failed'} & LastingFailure);

/** Where the user is in a list over the log's lines. */
export type ListPlace = {
  /** The highlighted row; undefined for the first one. */
  readonly selectedKey: string | undefined;
  /** Rows scrolled out above the pane. */
  readonly top: number;
};

/** The poll inspector. It stays at the newest poll, or at the poll it was scrolled to, by its monotonic time. */
export type Inspector = {readonly kind: 'inspector'; readonly topAtMs: number | undefined};

/** The pane that shows one line of the log with all its details. */
export type OpenedLine = ListPlace & {
  readonly kind: 'line';
  /** The index of its branch in the log, from 0. */
  readonly source: number;
  /** Kept here so that it stays readable after it has left the buffer. */
  readonly line: LineEntry;
  /** The index of the chosen one of its values; undefined if none is chosen. */
  readonly chosen?: number | undefined;
};

/** The summary of the view, or of the picked lines, as of the moment it was opened. */
export type SummaryPane = ListPlace & {
  readonly kind: 'summary';
  readonly order: SummaryOrder;
  readonly scope: 'all' | 'filtered' | 'picked';
  /** New shapes of the log, the most frequent first; empty for a part of the log. */
  readonly newShapes: readonly SourcedShape[];
  /** The log has lines of several sources. */
  readonly hasSources: boolean;
  /** Entries counted so far. */
  readonly readCount: number;
  /** The result so far; undefined until the first entries are counted. */
  readonly result: SummaryResult | undefined;
};

/** The pods of the log's branches, or the record of one of them. */
export type PodsPane = ListPlace & RecordPlace & {readonly kind: 'pods'};

/** The incident, judged again as lines come. */
export type IncidentPane = ListPlace &
  IncidentReading & {readonly kind: 'incident'; readonly showsWeak: boolean; readonly isOfDeployment: boolean};

/** The lists of the sources of lines, to choose whose are shown, and of what hides lines. */
export type SourcesPane = ListPlace & {readonly kind: 'sources'};
export type FiltersPane = ListPlace & {readonly kind: 'filters'};

/** The fields of the newest lines, as of the moment it was opened, to choose those that are shown. */
export type ColumnsPane = ListPlace & {readonly kind: 'columns'; readonly counts: FieldCounts};

/** The lines with a value of the line `from`, by what it is and its text; `PatternUse.trailId` finds them. */
export type ValueTracePane = ListPlace & {
  readonly kind: 'trail';
  readonly name: string;
  readonly text: string;
  readonly from: OpenedLine;
};

/** A pane of the log screen that replaces the lines. */
export type Overlay =
  | Inspector
  | OpenedLine
  | SummaryPane
  | IncidentPane
  | PodsPane
  | SourcesPane
  | FiltersPane
  | ColumnsPane
  | ValueTracePane;
