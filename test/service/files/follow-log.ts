import {mkdirSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createLogFolder, readTexts} from './pod-backend.ts';

/** Lines with these numbers, as text. */
export const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `line ${from + index} ${'.'.repeat(40)}\n`).join('');

export const range = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

/**
 * A log of which everything was read, and what the service shows and tells after a change of it. `link`: what `a.log`
 * leads to, if it is a link.
 */
export const follow = async (text: string, {windowLines = 1000, link = ''} = {}) => {
  const folder = createLogFolder();
  const at = (name: string): string => join(folder.path, 'log', name);
  let nowMs = 0;
  if (link) {
    mkdirSync(dirname(at(link)), {recursive: true});
    symlinkSync(link, at('a.log'));
  }
  folder.append('a.log', text);
  const backend = await folder.open({web: ['a.log']}, {windowLines, pollIntervalMs: 60_000, monotonicMs: () => nowMs});
  const lookAgain = async (): Promise<readonly number[]> =>
    (await readTexts(backend)).filter(line => line.startsWith('line')).map(line => Number(line.split(' ')[1]));
  await lookAgain();
  return {
    path: at('a.log'),
    beside: at,
    append: (more: string) => folder.append('a.log', more),
    warnings: folder.warnings,
    lookAgain,
    look: () => {
      nowMs += 61_000;
      return lookAgain();
    },
    losses: async () => (await backend.readWindow('s', 'b'))?.numbering?.losses ?? [],
    unreadable: async () => (await backend.readWindow('s', 'b'))?.unreadable,
  };
};
