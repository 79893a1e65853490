import type {Branch} from '../../api/decode/branch.ts';
import {areUnlike, branchTone, endOf} from '../../app/words/branch-labels.ts';
import {cutToCells, padToCells} from '../../log/cells/cut.ts';
import {cellWidth} from '../../log/cells/width.ts';
import {sanitise} from '../../log/text/sanitise.ts';
import {paint} from '../../ui/paint-row.ts';
import type {Theme} from '../../ui/theme/theme.ts';

/** How a branch is told from the others that are printed with it. */
export type PrintedLabel = {
  /** Its name, as received; the id where another of them has the same name. */
  readonly name: string;
  /** What stands before each of its lines in text, made safe for a terminal. */
  readonly prefix: string;
};

/** On a terminal a longer name is cut: the lines are what counts. */
const nameCellsMax = 16;

/** Each branch's name, as received; the id where another of them has the same name. */
export const uniqueNames = (branches: readonly Branch[]): readonly string[] => {
  const named = Map.groupBy(branches, ({name}) => name);
  return branches.map(({_id, name}) => (named.get(name)?.length === 1 ? name : _id));
};

/** Labels for branches that are printed as one log: on a terminal short and in colour, else the whole name. */
export const labelPrinted = (branches: readonly Branch[], theme: Theme | undefined): readonly PrintedLabel[] => {
  const names = uniqueNames(branches);
  const safe = names.map(name => sanitise(name));
  if (theme === undefined) {
    return names.map((name, index) => ({name, prefix: `${safe[index] ?? ''} | `}));
  }
  const short = shortenNames(safe);
  const columns = Math.max(...short.map(cellWidth));
  return names.map((name, index) => ({
    name,
    prefix: `${paint(padToCells(short[index] ?? '', columns), theme(branchTone(index)))} `,
  }));
};

/** The beginnings of names, or their ends where the beginnings are alike, or all of them where those are too. */
const shortenNames = (names: readonly string[]): readonly string[] => {
  const beginnings = names.map(name => cutToCells(name, nameCellsMax));
  const ends = names.map(name => endOf(name, nameCellsMax));
  return [beginnings, ends].find(areUnlike) ?? names;
};
