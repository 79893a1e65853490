import {appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** Returns a number from 0 up to, but not including, a limit. */
export type Below = (limit: number) => number;

/** One thing that a program does to a file; a reader may look before and after it. */
type Step = () => void;

/**
 * A log that programs write anew again and again: whatever they do, the file that has its name in the end has every line
 * that there ever was, in order, and some more.
 */
export const createReplacedLog = (folder: string, below: Below, label = '') => {
  const path = join(folder, 'a.log');
  const other = join(folder, below(2) === 0 ? 'x' : '.a.log.Xy12');
  const backup = `${path}~`;
  let count = 0;
  let text = '';
  const grow = (most: number): string => {
    const from = count;
    count += below(most + 1);
    const added = Array.from(
      {length: count - from},
      (_, index) => `${label}line ${from + index} ${'.'.repeat(40)}\n`,
    ).join('');
    text += added;
    return added;
  };
  /** Writes the whole text to a file, in up to three pieces that may end within a line. */
  const writePieces = (to: string): readonly Step[] => {
    const whole = text;
    const ends = [...Array.from({length: below(3)}, () => below(whole.length)), whole.length].toSorted((a, b) => a - b);
    return ends.map((end, index) => () => appendFileSync(to, whole.slice(ends[index - 1] ?? 0, end)));
  };
  const ways = {
    append: () => [() => appendFileSync(path, grow(5))],
    'rename of a longer copy': () => [
      () => copyFileSync(path, other),
      () => appendFileSync(other, grow(5)),
      () => renameSync(other, path),
    ],
    'copy of itself': () => [() => copyFileSync(path, other), () => renameSync(other, path)],
    'write, then move': () => {
      grow(5);
      return [() => writeFileSync(other, ''), ...writePieces(other), () => renameSync(other, path)];
    },
    'truncate and rewrite': () => {
      grow(5);
      return [() => truncateSync(path), ...writePieces(path)];
    },
    'save of an editor': () => {
      grow(5);
      return [() => renameSync(path, backup), ...writePieces(path), () => rmSync(backup)];
    },
    'save in place, with a backup': () => {
      grow(5);
      return [() => copyFileSync(path, backup), () => truncateSync(path), ...writePieces(path), () => rmSync(backup)];
    },
  } satisfies Record<string, () => readonly Step[]>;
  mkdirSync(folder, {recursive: true});
  writeFileSync(path, grow(below(3) === 0 ? 10 : 400));
  return {path, ways, count: () => count};
};

export type Way = keyof ReturnType<typeof createReplacedLog>['ways'];

/** The ways to replace a log, between which a program goes on writing. */
export const replacements: readonly Way[] = [
  'rename of a longer copy',
  'copy of itself',
  'write, then move',
  'truncate and rewrite',
  'save of an editor',
  'save in place, with a backup',
];

/** Says which lines are not there just once, in as few words as tell it. */
export const describeSeen = (seen: readonly number[], count: number): string => {
  const times = new Map<number, number>();
  for (const number of seen) {
    times.set(number, (times.get(number) ?? 0) + 1);
  }
  const lost = Array.from({length: count}, (_, number) => number).filter(number => !times.has(number));
  const doubled = [...times].filter(([, each]) => each > 1);
  return `${lost.length} of ${count} lost, ${doubled.length} doubled`;
};
