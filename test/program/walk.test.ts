import {afterEach, expect, test} from 'vitest';
import {builtProgram} from '../support/built-program.ts';
import {createEmulator} from '../support/emulator.ts';
import {type PtyProgram, type PtyProgramOptions, startPtyProgram} from '../support/pty-program.ts';

let program: PtyProgram | undefined;
afterEach(async () => {
  await program?.close();
  program = undefined;
});

const start = (options: PtyProgramOptions): PtyProgram => {
  program = startPtyProgram({columns: 100, rows: 30, ...options});
  return program;
};

test('the demo, from the sites to a log that grows and out again, leaves the shell as it was', async () => {
  const shell = start({
    command: '/bin/bash',
    args: [
      '--norc',
      '-c',
      'echo what was here before; stty -a > before; "$NODE" "$LAUNCHER" demo; echo "code $?"; stty -a > after; cmp before after && echo same modes',
    ],
    env: {NODE: builtProgram.command, LAUNCHER: builtProgram.launcher},
  });
  await shell.waitFor('▸ shop');
  expect(shell.altScreenActive()).toBe(true);
  expect(shell.cursorShown()).toBe(false);

  shell.press('Enter');
  const branches = await shell.waitFor(/● master +deployed/);
  expect(branches.join('\n')).toMatch(/○ feature\/new-theme +not built out/);
  expect(branches.join('\n')).toMatch(/● release\/4\.2 +deployed/);

  shell.press('/', 'master');
  await shell.waitFor('/ master█');
  shell.press('Enter');
  const lineCount = (rows: readonly string[]): number =>
    rows.slice(2, -2).filter(row => /^ [✗! ] \d\d:\d\d:\d\d\.\d{3} /.test(row)).length;
  const first = await shell.waitFor(rows => lineCount(rows) > 10 && rows.some(row => row.includes('live')), {
    what: 'a log of more than ten lines',
  });
  const newest = first.slice(2, -2).findLast(row => row !== '');
  await shell.waitFor(rows => rows.slice(2, -2).findLast(row => row !== '') !== newest, {what: 'a newer line'});
  expect(shell.screenText().at(-2)).toContain('following');

  shell.press('Esc', 'Esc');
  await shell.waitFor('not built out');
  shell.press('q');
  await shell.waitFor('same modes');
  expect(shell.altScreenActive()).toBe(false);
  expect(shell.cursorShown()).toBe(true);
  expect(shell.screenText().filter(row => row !== '')).toEqual(['what was here before', 'code 0', 'same modes']);
});

test('the first frame is the sites screen, whole; nothing is painted before it and nothing flashes', async () => {
  const demo = start({args: ['demo']});
  const rows = await demo.waitFor('▸ shop');
  const output = demo.output();
  const firstFrame = output.slice(0, output.indexOf('\u001b[?2026l') + '\u001b[?2026l'.length);
  const beforeFrame = output.slice(0, output.indexOf('\u001b[?2026h'));
  const emulator = createEmulator(100, 30);
  await emulator.write(beforeFrame);
  expect(emulator.screenText().join('')).toBe('');
  expect(emulator.isCursorShown()).toBe(false);
  await emulator.write(firstFrame.slice(beforeFrame.length));
  expect(emulator.screenText()[0]).toMatch(/^ branchlog {3}demo {3}127\.0\.0\.1:\d+$/);
  expect(emulator.screenText()).toEqual(rows);
  emulator.close();
});
