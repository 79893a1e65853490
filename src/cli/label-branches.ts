import type {Branch} from '../api/branch.ts';
import {cutToCells, padToCells} from '../log/cut.ts';
import {sanitise} from '../log/sanitise.ts';
import {cellWidth} from '../log/width.ts';

/** How a branch is told from the others that are printed with it. */
export type BranchLabel = {
  /** Its name, as received; the id where another of them has the same name. */
  readonly name: string;
  /** What stands before each of its lines in text, made safe for a terminal. */
  readonly prefix: string;
};

/** On a terminal a longer name is cut: the lines are what counts. */
export const nameCellsMax = 16;

/** SGR parameters, one for each of the most branches there can be. Red and yellow are those of levels. */
const colours: readonly string[] = ['36', '35', '32', '34', '96', '95', '92', '94'];

/** Each branch's name, as received; the id where another of them has the same name. */
export const uniqueNames = (branches: readonly Branch[]): readonly string[] => {
  const named = Map.groupBy(branches, ({name}) => name);
  return branches.map(({_id, name}) => (named.get(name)?.length === 1 ? name : _id));
};

/** Labels for branches that are printed as one log: on a terminal short and in colour, else the whole name. */
export const labelBranches = (branches: readonly Branch[], hasColour: boolean): readonly BranchLabel[] => {
  const names = uniqueNames(branches);
  const safe = names.map(name => sanitise(name));
  if (!hasColour) {
    return names.map((name, index) => ({name, prefix: `${safe[index] ?? ''} | `}));
  }
  const short = shortenNames(safe);
  const columns = Math.max(...short.map(cellWidth));
  return names.map((name, index) => ({
    name,
    prefix: `\x1b[${colours[index % colours.length]}m${padToCells(short[index] ?? '', columns)}\x1b[0m `,
  }));
};

/** The beginnings of names, or their ends where the beginnings are alike, or all of them where those are too. */
const shortenNames = (names: readonly string[]): readonly string[] => {
  const beginnings = names.map(name => cutToCells(name, nameCellsMax));
  const ends = names.map(name => {
    const cells = cellWidth(name);
    return cells <= nameCellsMax ? name : `…${cutToCells(name, nameCellsMax - 1, {from: cells - nameCellsMax + 1})}`;
  });
  return [beginnings, ends].find(short => new Set(short).size === names.length) ?? names;
};
