import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

let home: TempFolder;
let program: PtyProgram | undefined;
beforeEach(() => {
  home = createTempFolder('incident');
});
afterEach(async () => {
  await program?.close();
  program = undefined;
  home.remove();
});

/** `2026-11-21T14:00:05.000Z`, so many seconds after 14:00. */
const stamp = (second: number): string =>
  new Date(Date.UTC(2026, 10, 21, 14) + Math.round(second * 1000)).toISOString();

/** Opens a file of lines by their second after 14:00. */
const open = (
  lines: readonly (readonly [second: number, text: string])[],
  size = {columns: 80, rows: 24},
): PtyProgram => {
  const path = join(home.path, 'app.log');
  writeFileSync(path, lines.map(([second, text]) => `${stamp(second)} ${text}\n`).join(''));
  program = startPtyProgram({home, args: ['open', path], ...size});
  return program;
};

const fine = (second: number) => [second, 'INFO order stored in 12 ms'] as const;
const fault = (second: number) => [second, 'ERROR payment gateway timed out'] as const;

/** Half an hour with ten lines a second; every fifth is an error from a second on. */
const hasErrorsFrom = (begin: number) =>
  Array.from({length: 18_000}, (_, index) => {
    const second = index / 10;
    return second >= begin && index % 5 === 0 ? fault(second) : fine(second);
  });

test('I as soon as a file is open ends with the verdict on all that is read of it', async () => {
  const screen = open(hasErrorsFrom(1200));
  await screen.waitFor('payment gateway timed out');
  screen.press('I');
  await screen.waitFor(/^ INCIDENT since 14:20:00, 9 min .*errors 0 → 120\/min, 20 % of lines$/m);
  expect(screen.screenText().join('\n')).toMatch(/complete from 14:0\d:\d\d · compared with 14:0\d–14:\d\d/);
});

test('Enter on a finding goes to its line, Esc there leads back, and q closes the pane and then the program', async () => {
  const screen = open(hasErrorsFrom(1200));
  await screen.waitFor('payment gateway timed out');
  screen.press('I');
  await screen.waitFor(/^▸✗ +120\/min +.*payment gateway timed out/m);
  screen.press('Enter');
  await screen.waitFor(/^▸✗ 14:20:00/m);
  screen.press('Esc');
  await screen.waitFor(/^▸✗ +120\/min +.*payment gateway timed out/m);
  screen.press('q');
  await screen.waitFor(/^▸✗ 14:20:00/m);
  screen.press('q');
  expect(await screen.exitCode()).toBe(0);
});

test('a range of time that is filtered by limits what is judged', async () => {
  const screen = open([
    ...Array.from({length: 1800}, (_, second) => fine(second)),
    ...Array.from({length: 300}, (_, index) => (index % 2 === 0 ? fault(1800 + index) : fine(1800 + index))),
  ]);
  await screen.waitFor('payment gateway timed out');
  screen.press('I');
  await screen.waitFor(/^ INCIDENT since 14:30:00/m);
  screen.press('q', 'T');
  await screen.waitFor('go to the time');
  screen.press('2026-11-21 14:10 to 2026-11-21 14:20', 'Enter');
  await screen.waitFor(/^▸ +14:10:00/m);
  screen.press('I');
  await screen.waitFor(/^ CALM for 10 min {3}only 14:10:00–14:20:00 +no errors$/m);
});
