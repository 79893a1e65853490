import type {Capabilities} from '../capabilities.ts';
import {applySgr, reduceStyle, type Style, type StyleSlots, showsOnBlanks, slotsOf} from '../sgr-style.ts';

/**
 * How a cell looks and what it links to. Created by a look table only, so that equal looks are mostly the same object.
 */
export type Look = {
  /** As in the frame. */
  readonly asked: Style;
  /** As sent to the terminal, as text and as slots. */
  readonly style: Style;
  readonly slots: StyleSlots;
  /** Link target; empty for none. */
  readonly link: string;
  /** A blank in it is like any other: it has no background, line or link. */
  readonly hidesBlanks: boolean;
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

/** Checks whether a cell is a blank that looks like any other. */
export const isPlainBlank = ({text, look}: Cell): boolean => text === ' ' && look.hidesBlanks;

/** Checks whether two looks are the same on the screen. */
export const isSameLook = (a: Look, b: Look): boolean => a === b || (a.style === b.style && a.link === b.link);

/** The looks of a frame, for one terminal. */
export type LookTable = {
  /** The terminal's default: no colour, no emphasis, no link. */
  readonly plain: Look;
  /** Returns the look after an SGR sequence with these parameters is applied to `look`. */
  afterSgr(look: Look, parameters: string): Look;
  /** Returns the same look with another link, or none. */
  withLink(look: Look, link: string): Look;
};

// A program uses few looks; the limit only stops coloured log lines from growing the table forever.
const looksKeptMax = 2048;

export const createLookTable = (capabilities: Pick<Capabilities, 'colours' | 'hasItalics' | 'hasLinks'>): LookTable => {
  const looks = new Map<string, Look>();
  const steps = new Map<Look, Map<string, Look>>();
  let stepsKept = 0;

  const clearSteps = (): void => {
    steps.clear();
    stepsKept = 0;
  };

  const find = (asked: Style, link: string): Look => {
    const key = `${asked}\n${link}`;
    const found = looks.get(key);
    if (found) {
      return found;
    }
    if (looks.size >= looksKeptMax) {
      looks.clear();
      clearSteps();
    }
    const style = reduceStyle(asked, capabilities);
    const slots = slotsOf(style);
    const hidesBlanks = link === '' && !showsOnBlanks(slots);
    const look = {asked, style, slots, link, hidesBlanks, cells: new Map(), asciiCells: []};
    looks.set(key, look);
    return look;
  };

  return {
    plain: find('', ''),
    afterSgr(look, parameters) {
      const known = steps.get(look)?.get(parameters);
      if (known) {
        return known;
      }
      if (stepsKept >= looksKeptMax) {
        clearSteps();
      }
      const next = find(applySgr(look.asked, parameters), look.link);
      const fromLook = steps.get(look) ?? new Map<string, Look>();
      steps.set(look, fromLook.set(parameters, next));
      stepsKept += 1;
      return next;
    },
    withLink: (look, link) => find(look.asked, capabilities.hasLinks ? link : ''),
  };
};
