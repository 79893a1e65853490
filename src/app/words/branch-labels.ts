import type {Branch} from '#api/client/answer.ts';
import type {ContextLabel} from '#app/parts/frame.ts';
import {headerNameCharsMax} from '#app/rows/fit-row.ts';
import {type BranchTone, branchTones} from '#app/rows/view-row.ts';
import {areUnlike} from '#log/line/tag-sources.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';

/** Returns the application server's image and tag of a branch's record, as received; undefined if it names none. */
export const imageOf = ({appserverImage = '', appserverTag = ''}: Branch): string | undefined =>
  [appserverImage, appserverTag].filter(part => part !== '').join(':') || undefined;

/** The label that distinguishes a branch from the others of one log. */
export type BranchLabel = {
  /** Its name, sanitised and shortened, for headers and markers. */
  readonly name: string;
  /** Shown before each of its lines; as wide as those of the other branches. */
  readonly short: string;
  /** The width of `short` in cells. */
  readonly columns: number;
  readonly tone: BranchTone;
  /** On a narrow terminal it is one word with the tag of the line's source: `co/lt8nm`. */
  readonly isTight: boolean;
};

/** Narrower terminals have their cells for the lines. */
export const narrowColumns = 120;
const narrowCellsMax = 8;
/** The cells of a branch that is one word with a source: as few as tell branches apart. */
const [tightCellsMin, tightCellsMax] = [2, 4];

/** In a marker's rule the words matter most; a name of this width is enough to identify the branch. */
const nameCellsMax = 24;
/** Shorter labels are hard to recognise. */
const shortCellsMin = 4;
/** Names that are distinct only with more cells get a number instead. */
const shortCellsMax = 10;
/** Labels take at most one in this many cells of the row; the others are for the lines. */
const labelShare = 8;

/**
 * Returns labels for the branches of one log in a terminal of this many columns: names, shortened to what the lines can
 * spare, and a tone each. A branch alone needs none. `hasTags`: the sources of its lines have tags.
 */
export const labelBranches = (
  branches: readonly Branch[],
  terminalColumns: number,
  hasTags = false,
): readonly BranchLabel[] => {
  if (branches.length === 1) {
    return [];
  }
  const isNarrow = terminalColumns < narrowColumns;
  const isTight = hasTags && isNarrow;
  const cellsMax = isNarrow ? narrowCellsMax : nameCellsMax;
  const room = Math.max(shortCellsMin, Math.min(cellsMax, Math.floor(terminalColumns / labelShare)));
  const short = shortenNames(
    branches.map(({name}) => safeName(name)),
    ...(isTight ? ([tightCellsMin, tightCellsMax] as const) : ([room, Math.max(room, shortCellsMax)] as const)),
  );
  const columns = Math.max(...short.map(cellWidth));
  return branches.map((branch, index) => ({
    name: labelName(branch),
    short: padToCells(short[index] ?? '', columns),
    columns,
    tone: branchTone(index),
    isTight,
  }));
};

/** Returns the name of a branch as its label has it. */
export const labelName = ({name}: Branch): string => cutToCells(safeName(name), nameCellsMax);

const safeName = (name: string): string => sanitiseWord(name, headerNameCharsMax);

/** Returns the tone of the n-th branch, from 0. */
export const branchTone = (index: number): BranchTone => branchTones[index % branchTones.length] ?? 'branch1';

/** The part after the last slash says most: `feature/cart` is the cart. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

const shortenNames = (names: readonly string[], room: number, cellsMax: number): readonly string[] => {
  if (areUnlike(names) && names.every(name => cellWidth(name) <= room)) {
    return names;
  }
  for (let cells = room; cells <= cellsMax; cells++) {
    const beginnings = (all: readonly string[]): readonly string[] =>
      all.map(name => cutToCells(name, cells, {ellipsis: ''}).trimEnd());
    // A shorter end is no word.
    const ends = cells < shortCellsMin ? [] : [names.map(name => endOf(name, cells))];
    const found = [beginnings(names.map(lastPart)), beginnings(names), ...ends].find(areUnlike);
    if (found !== undefined) {
      return found;
    }
  }
  // Two branches may have the same name.
  return names.map((name, index) =>
    cellsMax < shortCellsMax ? String(index + 1) : cutToCells(`${index + 1} ${lastPart(name)}`, cellsMax),
  );
};

/** Returns the end of a name that is too wide, after an ellipsis. */
export const endOf = (name: string, cells: number): string => {
  const width = cellWidth(name);
  return width <= cells ? name : `…${cutToCells(name, cells - 1, {from: width - cells + 1})}`;
};

/** Names one of what a branch consists of, or an opened log. */
export const partWord = ({parts}: ContextLabel): 'pod' | 'container' | 'file' =>
  parts === 'containers' ? 'container' : parts === 'none' ? 'file' : 'pod';
