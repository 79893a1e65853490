import {existsSync, globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** What is right of a line: its level, its time, and whether it continues the one above. */
export type Expected = {
  /** `none`, `*` for any, or several with `|` between them. */
  readonly level: string;
  /** In UTC, to the last digit that is certain; `-` if the line has none, `~` if it is not asked. */
  readonly time: string;
  readonly isContinuation: boolean;
};

/** A form of lines, or what a bug report was about: a file as people have them. */
export type Case = {
  readonly name: string;
  readonly path: string;
  /** The zone of the machine. */
  readonly zone: string;
  readonly expected: readonly Expected[];
};

/** Reads the cases: `NAME.log`, with what is right in `NAME.exp`, a row a line, and the machine's zone in `NAME.tz`. */
export const readCases = (): readonly Case[] =>
  globSync('*/*.exp', {cwd: import.meta.dirname})
    .toSorted()
    .map(name => {
      const base = join(import.meta.dirname, name.slice(0, -'.exp'.length));
      const rows = readFileSync(`${base}.exp`, 'utf8').trimEnd().split('\n');
      return {
        name: name.slice(0, -'.exp'.length),
        path: `${base}.log`,
        zone: existsSync(`${base}.tz`) ? readFileSync(`${base}.tz`, 'utf8').trim() : 'UTC',
        expected: rows.map(row => {
          const [level = '', time = '', mark] = row.split(/\s+/);
          return {level, time, isContinuation: mark === '+'};
        }),
      };
    });
