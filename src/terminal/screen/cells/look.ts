import type {Look} from '../../cells/cell.ts';
import {reduceStyle} from '../../colour/reduce-style.ts';
import type {Capabilities} from '../capabilities.ts';
import {applySgr, type Style, slotsOf} from '../sgr-style.ts';

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
    const look = {asked, style, slots: slotsOf(style), link, cells: new Map(), asciiCells: []};
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
