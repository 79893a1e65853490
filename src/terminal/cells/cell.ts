import type {Style, StyleSlots} from '../colour/sgr-style.ts';

/** How a cell looks and what it links to. Made by a table only, so that one look is one object most of the time. */
export type Look = {
  /** As the frame had it. */
  readonly asked: Style;
  /** What the terminal is sent for it, as text and taken apart. */
  readonly style: Style;
  readonly slots: StyleSlots;
  /** Where a click leads, empty for nowhere. */
  readonly link: string;
  /** The cells of this look that were made so far, by their text. */
  readonly cells: Map<string, Cell>;
};

/** What stands in one column of a row. A row's cells are listed by column; past the list's end all is blank. */
export type Cell = {
  /** A character with its combining marks; empty in the second column of a wide one. */
  readonly text: string;
  readonly look: Look;
  /** How many columns the layout gave it; 0 for the second column of a wide one. */
  readonly columns: number;
  /** How many columns a terminal may take for it: as many as the layout gave it, but where its width is disputed. */
  readonly reach: number;
  readonly isDisputed: boolean;
};

/** Whether two looks are the same on the screen. */
export const isSameLook = (a: Look, b: Look): boolean => a === b || (a.style === b.style && a.link === b.link);
