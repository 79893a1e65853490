import type {Branch} from '../../api/decode/branch.ts';
import {cutToCells, padToCells} from '../../log/cells/cut.ts';
import {cellWidth} from '../../log/cells/width.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {type BranchTone, branchTones} from '../rows/view-row.ts';
import {headerNameCharsMax} from '../rows/word-limits.ts';

/** How a branch is told from the others of one log. */
export type BranchLabel = {
  /** Its name, safe and not too long, for headers and markers. */
  readonly name: string;
  /** Stands before each of its lines; as wide as those of the others. */
  readonly short: string;
  /** Cells of `short`. */
  readonly columns: number;
  readonly tone: BranchTone;
};

/** In a rule the words are what counts, and a name of this width tells the branch. */
const nameCellsMax = 24;
/** Less is hard to know again. */
const shortCellsMin = 4;
/** More would take too much from the lines. */
const shortCellsMax = 10;

/** Labels for the branches of one log: short names as short as they stay unlike, and a tone each. */
export const labelBranches = (branches: readonly Branch[]): readonly BranchLabel[] => {
  const names = branches.map(({name}) => sanitiseWord(name, headerNameCharsMax));
  const short = shortenNames(names);
  const columns = Math.max(...short.map(cellWidth));
  return names.map((name, index) => ({
    name: cutToCells(name, nameCellsMax),
    short: padToCells(short[index] ?? '', columns),
    columns,
    tone: branchTone(index),
  }));
};

/** The tone of the n-th branch, from 0. */
export const branchTone = (index: number): BranchTone => branchTones[index % branchTones.length] ?? 'branch1';

/** What follows the last slash says most: `feature/cart` is the cart. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

const shortenNames = (names: readonly string[]): readonly string[] => {
  for (let cells = shortCellsMin; cells <= shortCellsMax; cells++) {
    const beginnings = (all: readonly string[]): readonly string[] =>
      all.map(name => cutToCells(name, cells, {ellipsis: ''}).trimEnd());
    const ends = names.map(name => endOf(name, cells));
    const found = [beginnings(names.map(lastPart)), beginnings(names), ends].find(areUnlike);
    if (found !== undefined) {
      return found;
    }
  }
  // Two branches may have one name.
  return names.map((name, index) => cutToCells(`${index + 1} ${lastPart(name)}`, shortCellsMax));
};

/** The end of a name that is wider than that, after a mark. */
export const endOf = (name: string, cells: number): string => {
  const width = cellWidth(name);
  return width <= cells ? name : `…${cutToCells(name, cells - 1, {from: width - cells + 1})}`;
};

/** Whether every name can be told from the others. */
export const areUnlike = (names: readonly string[]): boolean =>
  new Set(names).size === names.length && names.every(name => name !== '');
