import {join} from 'node:path';
import {afterEach, beforeAll, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {bundleFixture} from './bundled-fixture.ts';

const launcher = join(import.meta.dirname, 'fixtures/launcher.ts');

let fixture: string;
beforeAll(async () => {
  fixture = await bundleFixture('log-program.ts');
});

let programs: PtyProgram[] = [];
afterEach(async () => {
  await Promise.all(programs.map(program => program.close()));
  programs = [];
});

const start = (command: string, args: readonly string[]): PtyProgram => {
  const program = startPtyProgram({
    command,
    args,
    env: {NODE_ENV: 'production', NODE: process.execPath, FIXTURE: fixture, LAUNCHER: launcher, PS1: 'prompt> '},
  });
  programs.push(program);
  return program;
};

const startShell = async (): Promise<PtyProgram> => {
  const shell = start('/bin/bash', ['--norc', '--noprofile', '-i']);
  await shell.waitFor('prompt>');
  return shell;
};

test.each([
  ['started by the shell', '"$NODE" "$FIXTURE"'],
  ['started through a launcher', '"$NODE" "$LAUNCHER" "$FIXTURE"'],
])('gives the terminal back on Ctrl-Z and takes it again on fg: %s', async (_, command) => {
  const shell = await startShell();
  shell.press(`stty -a | cksum; ${command}`, 'Enter');
  await shell.waitFor('line 21 of the log');
  shell.press('Ctrl+Z');
  await shell.waitFor('Stopped');
  expect(shell.altScreenActive()).toBe(false);
  expect(shell.cursorShown()).toBe(true);
  shell.press('stty -a | grep -o -w -e icanon -e echo | tr "\\n" +; echo', 'Enter');
  await shell.waitFor('icanon+echo+');

  shell.resize(60, 20);
  // A busy shell may continue it twice, so that the number of times tells nothing.
  shell.press('fg', 'Enter');
  const rows = await shell.waitFor('size 60x20');
  expect(shell.altScreenActive()).toBe(true);
  expect(shell.cursorShown()).toBe(false);
  expect(rows[1]).toBe('line 0 of the log ·');
  shell.press('j');
  await shell.waitFor('top 1 ');

  // A second time works like the first.
  shell.press('Ctrl+Z');
  await shell.waitFor(() => !shell.altScreenActive(), {what: 'the shell’s screen'});
  shell.press('fg', 'Enter');
  await shell.waitFor(() => shell.altScreenActive(), {what: 'the program’s screen'});
  shell.press('q');
  await shell.waitFor(() => !shell.altScreenActive(), {what: 'the shell’s screen'});
  shell.press('echo "code $?"', 'Enter');
  await shell.waitFor('code 0');
});

test('repaints and goes on where no shell could ever continue it', async () => {
  const program = start(process.execPath, [fixture]);
  await program.waitFor('line 21 of the log');
  program.press('Ctrl+Z');
  await program.waitFor('resumes 1');
  expect(program.altScreenActive()).toBe(true);
  program.press('j');
  await program.waitFor('top 1 ');
});

test('restores the terminal on a SIGTSTP from outside too', async () => {
  const shell = await startShell();
  shell.press('"$NODE" "$FIXTURE"', 'Enter');
  const rows = await shell.waitFor('pid ');
  const pid = Number(/pid (\d+)/.exec(rows.join('\n'))?.[1]);
  process.kill(pid, 'SIGTSTP');
  await shell.waitFor('Stopped');
  expect(shell.altScreenActive()).toBe(false);
  shell.press('fg', 'Enter');
  await shell.waitFor('resumes 1');
  shell.press('q');
  await shell.waitFor(() => !shell.altScreenActive(), {what: 'the shell’s screen'});
});

test('takes the terminal again after a SIGSTOP that nobody could foresee', async () => {
  const shell = await startShell();
  shell.press('"$NODE" "$FIXTURE"', 'Enter');
  const rows = await shell.waitFor('pid ');
  const pid = Number(/pid (\d+)/.exec(rows.join('\n'))?.[1]);
  process.kill(pid, 'SIGSTOP');
  await shell.waitFor('Stopped');
  shell.press('fg', 'Enter');
  await shell.waitFor('resumes 1');
  expect((await shell.waitFor('line 21 of the log'))[1]).toBe('line 0 of the log ·');
  shell.press('j');
  await shell.waitFor('top 1 ');
});
