import type {Capabilities} from '../capabilities.ts';
import {applySgr, reduceStyle, type Style, type StyleSlots, showsOnBlanks, slotsOf} from '../sgr-style.ts';

/**
 * How a cell looks and what it links to. Created by a style table only, so that equal ones are mostly the same object.
 */
export type CellStyle = {
  /** As in the frame. */
  readonly asked: Style;
  /** As sent to the terminal, as text and as slots. */
  readonly sent: Style;
  readonly slots: StyleSlots;
  /** Link target; empty for none. */
  readonly link: string;
  /** A blank in it is like any other: it has no background, line or link. */
  readonly hidesBlanks: boolean;
  /** The cells created in this style so far, by their text. */
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
  readonly style: CellStyle;
  /** The columns that the layout gave it; 0 for the second column of a wide one. */
  readonly columns: number;
  /** The most columns that a terminal may use for it: the same as in the layout, unless its width is disputed. */
  readonly reach: number;
  readonly isDisputed: boolean;
};

/** Checks whether a cell is a blank that looks like any other. */
export const isPlainBlank = ({text, style}: Cell): boolean => text === ' ' && style.hidesBlanks;

/** Checks whether two styles are the same on the screen. */
export const isSameStyle = (a: CellStyle, b: CellStyle): boolean => a === b || (a.sent === b.sent && a.link === b.link);

/** The styles of a frame, for one terminal. */
export type StyleTable = {
  /** The terminal's default: no colour, no emphasis, no link. */
  readonly plain: CellStyle;
  /** Returns the style after an SGR sequence with these parameters is applied to `style`. */
  afterSgr(style: CellStyle, parameters: string): CellStyle;
  /** Returns the same style with another link, or none. */
  withLink(style: CellStyle, link: string): CellStyle;
};

// A program uses few styles; the limit only stops coloured log lines from growing the table forever.
const stylesKeptMax = 2048;

export const createStyleTable = (
  capabilities: Pick<Capabilities, 'colours' | 'hasItalics' | 'hasLinks'>,
): StyleTable => {
  const styles = new Map<string, CellStyle>();
  const steps = new Map<CellStyle, Map<string, CellStyle>>();
  let stepsKept = 0;

  const clearSteps = (): void => {
    steps.clear();
    stepsKept = 0;
  };

  const find = (asked: Style, link: string): CellStyle => {
    const key = `${asked}\n${link}`;
    const found = styles.get(key);
    if (found) {
      return found;
    }
    if (styles.size >= stylesKeptMax) {
      styles.clear();
      clearSteps();
    }
    const sent = reduceStyle(asked, capabilities);
    const slots = slotsOf(sent);
    const hidesBlanks = link === '' && !showsOnBlanks(slots);
    const style = {asked, sent, slots, link, hidesBlanks, cells: new Map(), asciiCells: []};
    styles.set(key, style);
    return style;
  };

  return {
    plain: find('', ''),
    afterSgr(style, parameters) {
      const known = steps.get(style)?.get(parameters);
      if (known) {
        return known;
      }
      if (stepsKept >= stylesKeptMax) {
        clearSteps();
      }
      const next = find(applySgr(style.asked, parameters), style.link);
      const fromStyle = steps.get(style) ?? new Map<string, CellStyle>();
      steps.set(style, fromStyle.set(parameters, next));
      stepsKept += 1;
      return next;
    },
    withLink: (style, link) => find(style.asked, capabilities.hasLinks ? link : ''),
  };
};
