import {createMemo, type Memo} from '#app/rows/memo.ts';
import type {Span, ViewRow} from '#app/rows/view-row.ts';
import type {WeakCache} from '#log/buffer/weak-cache.ts';
import type {Entry, LineEntry, SourceName} from '#log/line/entry.ts';
import type {Strip} from '#log/overview/strip.ts';
import type {StripMark} from '#log/overview/strip-marks.ts';
import type {Matches} from '#log/pattern/matches.ts';
import type {LineValue} from '#log/reading/find-values.ts';
import type {HeldSource} from '#log/view/sources.ts';

/** A strip, what its columns show besides lines, and which of them are peaks. */
export type ShownStrip = {
  readonly strip: Strip;
  readonly marks: readonly (StripMark | undefined)[];
  readonly peaks: readonly number[];
};

/** The pod, container or stream of a line, as it is shown. */
export type SourceValue = {readonly name: keyof SourceName; readonly label: string; readonly text: string};

/** The sections of an opened line, and its values, each with the row where it begins. */
export type LineSections = {
  readonly rows: readonly ViewRow[];
  readonly values: readonly ((LineValue | SourceValue) & {readonly rowIndex: number})[];
};

/** A source of lines in the list of them. */
export type ListedSource = HeldSource & {readonly key: string; readonly isHidden: boolean};

/** The tags of lines, which tell their sources apart. */
export type SourceTags = {
  /** The width of every tag in cells; 0 if there is nothing to tell apart. */
  readonly columns: number;
  /** Returns the tag of a line, padded; blanks for one without a source. */
  readonly tagOf: (name: SourceName | undefined) => Span;
  /** Names a source in few words: its tag, or in full if it has none. Safe to draw. */
  readonly wordsOf: (name: SourceName) => string;
};

/** A line of a trail; `source` is the index of its log among those in memory. */
export type ValueTraceLine = {readonly key: string; readonly source: number; readonly line: LineEntry};

/** The lines of a trail in order of time, and how far they have been searched for. */
export type ValueTrace = {
  readonly lines: readonly ValueTraceLine[];
  /** All lines found, also those beyond the maximum to show. */
  readonly lineCount: number;
  /** The logs that have any. */
  readonly logCount: number;
  readonly isComplete: boolean;
};

/** The last rendered parts of one log, so that a key press does not redo what it did not change. */
export type KeptViews = {
  /** Rows of entries, so that scrolling does not format them again. */
  readonly bodies: Memo<WeakCache<Entry, readonly ViewRow[]>>;
  /** The strip takes O(number of chunks), and most keys don't change it. */
  readonly strip: Memo<ShownStrip | undefined>;
  /** The number of errors held, which takes O(number of chunks) too. */
  readonly errorCount: Memo<number>;
  /** How many lines held each pattern matches, and its version then; takes O(number of chunks). */
  readonly matchCounts: Memo<Map<Matches, {readonly version: number; readonly count: number}>>;
  /** Whether the newest lines are stamped in whole seconds. */
  readonly wholeSeconds: Memo<boolean>;
  /** The tags of lines, which all sources of the log are needed for. */
  readonly tags: Memo<SourceTags>;
  /** The sources and what is held of each, which takes O(number of chunks). */
  readonly listed: Memo<readonly ListedSource[]>;
  /** The sections of an opened line, so that scrolling does not rebuild them. */
  readonly sections: Memo<LineSections>;
  /** The lines of the open trail. */
  readonly trail: Memo<ValueTrace>;
};

export const createKeptViews = (): KeptViews => ({
  bodies: createMemo(),
  strip: createMemo(),
  errorCount: createMemo(),
  matchCounts: createMemo(),
  wholeSeconds: createMemo(),
  tags: createMemo(),
  listed: createMemo(),
  sections: createMemo(),
  trail: createMemo(),
});
