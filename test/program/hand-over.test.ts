import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

let home: TempFolder;
let other: TempFolder;
let program: PtyProgram | undefined;
beforeEach(() => {
  home = createTempFolder('hand-over');
  other = createTempFolder('taken-over');
});
afterEach(async () => {
  await program?.close();
  program = undefined;
  home.remove();
  other.remove();
});

const open = (at: TempFolder, ...args: readonly string[]): PtyProgram => {
  program = startPtyProgram({home: at, args, columns: 80, rows: 24});
  return program;
};

const linesOf = (count: number): string =>
  Array.from({length: count}, (_, index) => {
    const at = new Date(Date.UTC(2026, 10, 21, 14) + index * 200).toISOString();
    return `${at} ${index % 9 === 4 ? `ERROR order ${index} failed` : `INFO order ${index} done`}\n`;
  }).join('');

const withLateErrors = linesOf(1_000).replaceAll(/ERROR order ([0-6]?\d?\d) failed/g, 'INFO order $1 done');

/** The rows between the strip and the footer: the log itself. */
const logRows = (rows: readonly string[]): readonly string[] => rows.slice(2, 21);

/** Opens a log of so many lines, works in it, and saves it. Returns the rows that were on the screen, and the path. */
const saveWorkedLog = async (count: number) => {
  const [log, file] = [join(home.path, 'app.log'), join(home.path, 'shift.branchlog')];
  writeFileSync(log, linesOf(count));
  // Of a long file, older lines come while one works in it.
  const whole = join(home.path, 'whole.branchlog');
  expect(await open(home, 'export', log, '--file', whole).exitCode()).toBe(0);
  const maker = open(home, whole);
  await maker.waitFor(`order ${count - 1}`);
  maker.press('f');
  await maker.waitFor('only lines matching');
  maker.press('failed', 'Enter');
  await maker.waitFor(`${Math.floor((count + 4) / 9).toLocaleString('en')} of ${count.toLocaleString('en')}`);
  maker.press('b');
  await maker.waitFor('paused');
  maker.press('E', 'E', 'M');
  await maker.waitFor('note');
  maker.press('look here', 'Enter');
  await maker.waitFor('● look here');
  maker.press('s');
  await maker.waitFor('save lines to');
  maker.press('Ctrl+U', file, 'Enter');
  const rows = await maker.waitFor(/saved [\d,]+ lines/);
  await maker.close();
  return {file, rows};
};

test.each([300, 20_000])(
  'a log of %d lines opens on another machine as its maker saw it: place, filter, mark and note',
  async count => {
    const {file, rows} = await saveWorkedLog(count);
    const taker = open(other, file);
    const taken = await taker.waitFor(screen => isDeepStrictEqual(logRows(screen), logRows(rows)));
    expect(taken[0]).toContain('handed over');
    expect(taken.join('\n')).toContain('as it was handed over: 1 filter active');
    taker.press('X');
    await taker.waitFor('done');
    taker.press('End');
    await taker.waitFor(`order ${count - 1}`);
    taker.press('q');
    expect(await taker.exitCode()).toBe(0);
  },
);

test('an entry that is named by its number is shown, whatever its maker had filtered out', async () => {
  const {file} = await saveWorkedLog(3_000);
  const taker = open(other, `${file}#2002`);
  await taker.waitFor(screen => screen.some(row => /▸.*order 2000 done/.test(row)));
});

test('what its maker saw of the incident is what I shows', async () => {
  const log = join(home.path, 'app.log');
  const whole = join(home.path, 'whole.branchlog');
  const file = join(home.path, 'shift.branchlog');
  writeFileSync(log, withLateErrors);
  expect(await open(home, 'export', log, '--file', whole).exitCode()).toBe(0);
  const maker = open(home, whole);
  await maker.waitFor('order 999');
  maker.press('I');
  const rows = await maker.waitFor('compared with');
  maker.press('Esc');
  await maker.waitFor('order 999');
  maker.press('s');
  await maker.waitFor('save lines to');
  maker.press('Ctrl+U', file, 'Enter');
  await maker.waitFor(/saved [\d,]+ lines/);
  await maker.close();
  const taker = open(other, file);
  await taker.waitFor('order 999');
  taker.press('I');
  const taken = await taker.waitFor('compared with');
  expect(taken.slice(2)).toEqual(rows.slice(2));
  expect(readFileSync(file).toString('latin1')).not.toContain('order 999');
});

test('J saves what happened, with the marks, as a table for a post-mortem', async () => {
  const log = join(home.path, 'app.log');
  writeFileSync(log, withLateErrors);
  const maker = open(home, 'open', log);
  await maker.waitFor('order 999');
  maker.press('E', 'M');
  await maker.waitFor('note');
  maker.press('the last one', 'Enter');
  await maker.waitFor('● the last one');
  maker.press('J');
  await maker.waitFor('save a timeline to ./timeline-open-app.log-');
  maker.press('Ctrl+U', join(home.path, 'timeline.md'), 'Enter');
  await maker.waitFor(/saved a timeline of \d+ rows/);
  const rows = readFileSync(join(home.path, 'timeline.md'), 'utf8')
    .split('\n')
    .flatMap(row => /\| \*\*(\w+)\*\* (.*?) \|/.exec(row)?.slice(1).join(' ') ?? []);
  expect(rows[0]).toMatch(/^onset Errors/);
  expect(rows).toContain('mark the last one');
});
