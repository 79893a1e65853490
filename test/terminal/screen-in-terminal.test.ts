import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeAll, expect, test} from 'vitest';
import {type PtyProgram, type PtyProgramOptions, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {bundleFixture} from './bundled-fixture.ts';

let fixture: string;
beforeAll(async () => {
  fixture = await bundleFixture('log-program.ts');
});

let programs: PtyProgram[] = [];
afterEach(async () => {
  await Promise.all(programs.map(program => program.close()));
  programs = [];
});

const start = (options: PtyProgramOptions = {}): PtyProgram => {
  const program = startPtyProgram({
    command: process.execPath,
    args: [fixture],
    env: {NODE_ENV: 'production', FORCE_COLOR: '1'},
    ...options,
  });
  programs.push(program);
  return program;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('draws an Ink program on the alternate screen with the cursor hidden', async () => {
  const program = start();
  const rows = await program.waitFor('line 21 of the log');
  expect(rows[0]).toBe('lines 100 top 0 size 80x24 resumes 0');
  expect(rows[1]).toBe('line 0 of the log ·');
  expect(rows[22]).toBe('line 21 of the log ·');
  expect(program.altScreenActive()).toBe(true);
  expect(program.cursorShown()).toBe(false);
  expect(program.cells()[1]?.[0]).toMatchObject({text: 'l', foreground: 1});
  expect(program.cells()[2]?.[0]).toMatchObject({text: 'l', foreground: 2});
});

test('writes one new line and no more when the log moves up by one', async () => {
  const program = start();
  await program.waitFor('line 21 of the log');
  program.press('x');
  await program.waitFor('key x');
  const before = program.bytesReceived();
  program.press('a');
  await program.waitFor('line 22 of the log');
  await program.waitFor('key a');
  expect(program.bytesReceived() - before).toBeLessThan(200);
  expect(program.screenText()[1]).toBe('line 1 of the log ·');
});

test('leaves nothing stale behind when the terminal grows, shrinks and grows again', async () => {
  const program = start();
  await program.waitFor('line 21 of the log');
  program.resize(30, 8);
  await program.waitFor('size 30x8');
  await program.waitFor(rows => rows[7]?.startsWith('key none') === true && rows[6] === 'line 5 of the log ·');
  program.resize(100, 30);
  await program.waitFor('size 100x30');
  const rows = await program.waitFor('line 27 of the log');
  expect(rows.filter(row => row.startsWith('key'))).toHaveLength(1);
});

test('takes a terminal of 5000×5000 for 500×200 and one of 1×1 as it is', async () => {
  const program = start();
  await program.waitFor('line 21 of the log');
  program.resize(5000, 5000);
  await program.waitFor('size 500x200');
  program.resize(1, 1);
  program.resize(80, 24);
  await program.waitFor('size 80x24');
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
])('restores the terminal on %s and ends with %i', async (signal, code) => {
  const program = start();
  await program.waitFor('line 21 of the log');
  program.signal(signal);
  expect(await program.exitCode()).toBe(code);
  expect(program.altScreenActive()).toBe(false);
  expect(program.cursorShown()).toBe(true);
  expect(program.screenText().join('')).toBe('');
});

test('ends with 70 and one safe sentence on a throw, the terminal being restored first', async () => {
  const program = start({columns: 200});
  await program.waitFor('line 21 of the log');
  program.press('t');
  expect(await program.exitCode()).toBe(70);
  expect(program.altScreenActive()).toBe(false);
  const text = program.screenText().join('\n');
  expect(text).toContain('branchlog: stopped by a fault of its own: TypeError: thrown?[31m on purpose');
  expect(text).toContain('(at log-program.mjs:');
});

test('ends with 70 on an unhandled rejection', async () => {
  const program = start();
  await program.waitFor('line 21 of the log');
  program.press('r');
  expect(await program.exitCode()).toBe(70);
  expect(program.screenText().join('')).toContain('RangeError: rejected on purpose');
});

test('ends with the code it is told, cooked and on the shell’s own screen', async () => {
  const program = start({
    command: '/bin/bash',
    args: [
      '--norc',
      '-c',
      `stty -a > before; "$NODE" "$FIXTURE"; echo "code $?"; stty -a > after; cmp before after && echo same modes`,
    ],
    env: {NODE_ENV: 'production', NODE: process.execPath, FIXTURE: fixture},
  });
  await program.waitFor('line 21 of the log');
  program.press('q');
  await program.waitFor('code 0');
  await program.waitFor('same modes');
  expect(program.altScreenActive()).toBe(false);
  expect(await program.exitCode()).toBe(0);
});

test('repaints what something else wrote over, on Ctrl-L', async () => {
  const program = start();
  await program.waitFor('line 21 of the log');
  const before = program.bytesReceived();
  program.press('Ctrl+L');
  await program.waitFor(() => program.bytesReceived() - before > 400, {what: 'a whole repaint'});
  expect(program.screenText()[22]).toBe('line 21 of the log ·');
});

test('lives on, and answers a signal, while the terminal takes nothing more', async () => {
  const folder = createTempFolder();
  const tickFile = join(folder.path, 'ticks');
  const program = start({env: {NODE_ENV: 'production', TICK_FILE: tickFile}});
  const readTicks = (): number => (existsSync(tickFile) ? Number(readFileSync(tickFile, 'utf8')) : 0);
  await program.waitFor('line 21 of the log');
  program.press('s');
  await waitFor(() => readTicks() > 0, {what: 'the first repaint'});
  program.pauseReading();
  const ticks = readTicks();
  // Each round repaints, a kilobyte and more; what the kernel holds for a terminal is full after a few dozen.
  await waitFor(() => readTicks() > ticks + 500, {what: 'the program to go on without its terminal'});
  program.signal('SIGTERM');
  await waitFor(() => !isAlive(program.pid), {what: 'the program to end'});
  program.resumeReading();
  expect(await program.exitCode()).toBe(143);
  folder.remove();
});

test('queues nothing while the terminal takes nothing, and then sends the newest frame only', async () => {
  const folder = createTempFolder();
  const countFile = join(folder.path, 'counts');
  const program = start({env: {NODE_ENV: 'production', TICK_FILE: countFile}});
  await program.waitFor('line 21 of the log');
  const bytesBefore = program.bytesReceived();
  program.pauseReading();
  program.press('w');
  await waitFor(() => existsSync(countFile) && readFileSync(countFile, 'utf8') !== '', {
    what: 'a thousand screens',
  });
  const counts = JSON.parse(readFileSync(countFile, 'utf8'));
  // A thousand screens of 23 rows, each with two bytes and more to write, and movements: the kernel holds some tens of kilobytes.
  expect(counts.bytesWritten - bytesBefore).toBeLessThan(150_000);
  program.resumeReading();
  await program.waitFor(rows => rows.filter(row => row.startsWith('screens to come: 0 ')).length === 23);
  expect(program.bytesReceived() - counts.bytesWritten).toBeLessThan(4000);
  folder.remove();
});

test('ends by itself when its terminal goes away, and leaves nothing running', async () => {
  const program = start();
  await program.waitFor('line 21 of the log');
  program.hangUp();
  await waitFor(() => !isAlive(program.pid), {what: 'the program to end'});
  expect(isAlive(program.pid)).toBe(false);
});

test('ends by itself when its terminal goes away and no signal tells of it', async () => {
  // A session of its own, on the same terminal: the kernel sends SIGHUP to the terminal's session only.
  const program = start({
    command: '/bin/bash',
    args: ['--norc', '-c', 'exec 3<&0; setsid "$NODE" "$FIXTURE" <&3 & wait'],
    env: {NODE_ENV: 'production', NODE: process.execPath, FIXTURE: fixture},
  });
  const rows = await program.waitFor(/pid \d+/);
  const pid = Number(/pid (\d+)/.exec(rows.join('\n'))?.[1]);
  program.hangUp();
  await waitFor(() => !isAlive(pid), {what: 'the program to end'});
  expect(isAlive(pid)).toBe(false);
});
