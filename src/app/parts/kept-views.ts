import type {SideTable} from '../../log/buffer/side-table.ts';
import type {LineValue} from '../../log/fields/find-values.ts';
import type {Entry} from '../../log/line/entry.ts';
import type {Strip} from '../../log/strip/strip.ts';
import type {StripMark} from '../../log/strip/strip-marks.ts';
import type {ViewRow} from '../rows/view-row.ts';
import {createKept, type Kept} from './kept.ts';

/** A strip, what its columns show besides lines, and which of them are peaks. */
export type ShownStrip = {
  readonly strip: Strip;
  readonly marks: readonly (StripMark | undefined)[];
  readonly peaks: readonly number[];
};

/** The sections of an opened line, and its values, each with the row where it begins. */
export type LineSections = {
  readonly rows: readonly ViewRow[];
  readonly values: readonly (LineValue & {readonly rowIndex: number})[];
};

/** The last rendered parts of one log, so that a key press does not redo what it did not change. */
export type KeptViews = {
  /** Rows of entries, so that scrolling does not format them again. */
  readonly bodies: Kept<SideTable<Entry, readonly ViewRow[]>>;
  /** The strip takes O(number of chunks), and most keys don't change it. */
  readonly strip: Kept<ShownStrip | undefined>;
  /** The number of errors held, which takes O(number of chunks) too. */
  readonly errorCount: Kept<number>;
  /** The sections of an opened line, so that scrolling does not rebuild them. */
  readonly sections: Kept<LineSections>;
};

export const createKeptViews = (): KeptViews => ({
  bodies: createKept(),
  strip: createKept(),
  errorCount: createKept(),
  sections: createKept(),
});
