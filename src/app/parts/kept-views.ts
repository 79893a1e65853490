import type {SideTable} from '../../log/buffer/side-table.ts';
import type {Entry} from '../../log/line/entry.ts';
import type {Strip} from '../../log/strip/strip.ts';
import type {StripMark} from '../../log/strip/strip-marks.ts';
import type {ViewRow} from '../rows/view-row.ts';
import {createKept, type Kept} from './kept.ts';

/** A strip, and what stands in its columns beside lines. */
export type ShownStrip = {readonly strip: Strip; readonly marks: readonly (StripMark | undefined)[]};

/** What was drawn last of one log, so that a key does not draw anew what it did not change. */
export type KeptViews = {
  /** Rows of entries: those that scroll are not formatted again. */
  readonly bodies: Kept<SideTable<Entry, readonly ViewRow[]>>;
  /** It costs the chunks, and most keys change nothing of it. */
  readonly strip: Kept<ShownStrip | undefined>;
  /** The sections of an opened line: scrolling makes none of them again. */
  readonly sections: Kept<readonly ViewRow[]>;
};

export const createKeptViews = (): KeptViews => ({
  bodies: createKept(),
  strip: createKept(),
  sections: createKept(),
});
