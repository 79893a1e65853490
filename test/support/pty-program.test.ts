import {basename} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from './pty-program.ts';

let program: PtyProgram | undefined;
afterEach(async () => {
  await program?.close();
  program = undefined;
});

const startShell = (script: string): PtyProgram => {
  program = startPtyProgram({command: '/bin/sh', args: ['-c', script], columns: 60, rows: 5});
  return program;
};

test('shows what a program draws, with colours', async () => {
  const shell = startShell("printf '\\033[31mred\\033[0m \\033[48;2;1;2;3mdeep\\033[0m'; read answer");
  expect(await shell.waitFor('deep')).toEqual(['red deep', '', '', '', '']);
  expect(shell.cells()[0]?.[0]).toMatchObject({text: 'r', foreground: 1, background: undefined});
  expect(shell.cells()[0]?.[4]).toMatchObject({text: 'd', foreground: undefined, background: '#010203'});
  expect(shell.bytesReceived()).toBe(34);
});

test('gives a program a home of its own and none of our environment', async () => {
  // By its last part: where the folder of temporary files has a long path, the row is wrapped.
  const shell = startShell('echo "$(basename "$HOME")|$TZ|$TERM|$NODE_ENV|"; read answer');
  await shell.waitFor(`${basename(shell.home)}|UTC|xterm-256color||`);
});

test('presses keys by name and tells how the program ended', async () => {
  const shell = startShell('echo ready; read answer; echo "got $answer"; exit 7');
  await shell.waitFor('ready');
  shell.press('word', 'Enter');
  await shell.waitFor('got word');
  expect(await shell.exitCode()).toBe(7);
  expect(shell.hasExited()).toBe(true);
});

test('records what a terminal does beside drawing', async () => {
  const shell = startShell("printf '\\033]0;a title\\007\\007\\033[c\\033]52;c;eA==\\007'; echo done; read answer");
  await shell.waitFor('done');
  expect(shell.events.titles).toEqual(['a title']);
  expect(shell.events.bells).toHaveLength(1);
  expect(shell.events.replies).toEqual(['\u001b[?1;2c']);
  expect(shell.events.oscs).toEqual(['0;a title', '52;c;eA==']);
});

test('fails with the screen in the message when it waits in vain', async () => {
  const shell = startShell('echo something else; read answer');
  await shell.waitFor('something else');
  await expect(shell.waitFor('the right thing', {deadlineMs: 50})).rejects.toThrow(
    'Waited in vain for “the right thing” on the screen (50 ms). Screen:\n│something else\n',
  );
});

test('fails at once when the program ends before it shows what is waited for', async () => {
  const shell = startShell('echo bye; exit 3');
  await expect(shell.waitFor('never')).rejects.toThrow('The program ended with 3 before “never” on the screen.');
});
