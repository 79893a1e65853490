import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';

/** A part of a screen that differs from run to run; what matches becomes `as`, cut or filled to the same length. */
export type Mask = {readonly pattern: RegExp; readonly as: string};

const screens = join(import.meta.dirname, '../screens');

/** Columns stay where they are, so that a masked screen still shows its layout. */
const applyMasks = (row: string, masks: readonly Mask[]): string =>
  masks.reduce(
    (text, {pattern, as}) =>
      text.replaceAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`), match =>
        as.repeat(Math.ceil(match.length / as.length)).slice(0, match.length),
      ),
    row,
  );

const fileOf = (name: string): string => join(screens, `${name}.txt`);

const textOf = (rows: readonly string[], masks: readonly Mask[]): string =>
  `${rows
    .map(row => applyMasks(row, masks).trimEnd())
    .join('\n')
    .trimEnd()}\n`;

/** Checks whether a screen is that of test/screens/NAME.txt. */
export const isGolden = (rows: readonly string[], name: string, masks: readonly Mask[] = []): boolean =>
  existsSync(fileOf(name)) && readFileSync(fileOf(name), 'utf8') === textOf(rows, masks);

/**
 * Compares a screen with test/screens/NAME.txt, row by row. With UPDATE_GOLDENS=1 in the environment the file is written
 * instead; read what changed before committing it. A missing file is a failure, never silently accepted.
 */
export const expectScreen = (rows: readonly string[], name: string, masks: readonly Mask[] = []): void => {
  const file = fileOf(name);
  const text = textOf(rows, masks);
  if (process.env.UPDATE_GOLDENS === '1') {
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text);
    return;
  }
  if (!existsSync(file)) {
    expect.fail(`There is no test/screens/${name}.txt yet; run with UPDATE_GOLDENS=1 and read it. Screen:\n${text}`);
  }
  expect(text, `the screen differs from test/screens/${name}.txt`).toBe(readFileSync(file, 'utf8'));
};
