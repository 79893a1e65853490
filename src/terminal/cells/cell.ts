import type {Style, StyleSlots} from '../screen/sgr-style.ts';

/**
 * How a cell looks and what it links to. Created by a look table only, so that equal looks are mostly the same object.
 */
export type Look = {
  /** As in the frame. */
  readonly asked: Style;
  /** What is sent to the terminal for it, as text and as slots. */
  readonly style: Style;
  readonly slots: StyleSlots;
  /** Link target; empty for none. */
  readonly link: string;
  /** The cells created in this look so far, by their text. */
  readonly cells: Map<string, Cell>;
  /** Those of printable ASCII, by their code. */
  readonly asciiCells: (Cell | undefined)[];
};

/**
 * The content of one column of a row. A row's cells are listed by column; columns past the end of the list are blank.
 */
export type Cell = {
  /** A character with its combining marks; empty in the second column of a wide one. */
  readonly text: string;
  readonly look: Look;
  /** The columns that the layout gave it; 0 for the second column of a wide one. */
  readonly columns: number;
  /** The most columns that a terminal may use for it: the same as in the layout, unless its width is disputed. */
  readonly reach: number;
  readonly isDisputed: boolean;
};

/** Checks whether two looks are the same on the screen. */
export const isSameLook = (a: Look, b: Look): boolean => a === b || (a.style === b.style && a.link === b.link);
