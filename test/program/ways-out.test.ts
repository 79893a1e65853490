import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {builtProgram, executable} from '../support/built-program.ts';
import type {PtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {isThorough, runsOf} from '../support/thorough.ts';
import {waitFor} from '../support/wait-for.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

const {command: builtCommand, launcher} = builtProgram;

/** The second in which the program must be gone, and two more for a machine that is busy with other tests. */
const goneMsMax = 3000;

const majorOf = (node: string): number =>
  Number.parseInt(spawnSync(node, ['--version'], {encoding: 'utf8'}).stdout?.slice(1) ?? '', 10);
const oldNode = ['/usr/bin/node', '/usr/local/bin/node', '/bin/node'].find(
  node => existsSync(node) && majorOf(node) >= 18 && majorOf(node) < 24,
);

const isLinux = process.platform === 'linux';

/** All processes that have this home in their environment: the program, its launcher, whatever they started. Only Linux tells. */
const processesOf = ({home}: PtyProgram): readonly string[] =>
  (isLinux ? readdirSync('/proc') : [])
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}\0`);
      } catch {
        // Gone meanwhile, or a zombie.
        return false;
      }
    });

const openLog = async (
  options: {readonly command?: string; readonly env?: NodeJS.ProcessEnv} = {},
): Promise<PtyProgram> => {
  const args = ['shop', 'master'];
  const program = service.open(options.command === undefined ? {args} : {...options, args: [launcher, ...args]});
  await program.waitFor('14:04:54.118');
  return program;
};

const expectRestored = (program: PtyProgram): void => {
  expect(program.altScreenActive()).toBe(false);
  expect(program.cursorShown()).toBe(true);
  expect(program.screenText().join('')).toBe('');
  expect(processesOf(program)).toEqual([]);
};

/** Each is tried on a smaller program in test/terminal/screen-in-terminal.test.ts. */
const stopSignals = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
  ['SIGTERM', 143],
] as const;

const runners: readonly {readonly by: string; readonly command: string | undefined}[] = [
  {by: 'this Node', command: undefined},
  {by: 'an old Node that hands over', command: oldNode},
];

describe.each(runners)('started by $by', ({by, command}) => {
  const isMissing = by !== 'this Node' && (command === undefined || executable !== undefined);
  // It takes two processes, and what it hands over is the same each time.
  const isRepeated = isMissing || (by !== 'this Node' && !isThorough);
  const open = (): Promise<PtyProgram> => openLog(command === undefined ? {} : {command});

  const endsBy = async (key: string): Promise<void> => {
    const program = await open();
    program.press(key);
    expect(await program.exitCode({deadlineMs: goneMsMax})).toBe(0);
    expectRestored(program);
  };

  test.skipIf(isMissing)('Ctrl+C ends it with 0', () => endsBy('Ctrl+C'));

  // It does so after Ctrl-Z, and while an answer is awaited.
  test.skipIf(isMissing || !isThorough)('q ends it with 0', () => endsBy('q'));

  test.skipIf(isRepeated).each(stopSignals.slice(0, runsOf(stopSignals.length)))(
    '%s ends it with %i, the terminal restored',
    async (signal, code) => {
      const program = await open();
      program.signal(signal);
      expect(await program.exitCode({deadlineMs: goneMsMax})).toBe(code);
      expectRestored(program);
    },
  );

  test.skipIf(isRepeated)('it is gone when its terminal is, and so is all that it started', async () => {
    const program = await open();
    expect(processesOf(program)).toHaveLength(!isLinux ? 0 : command === undefined ? 1 : 2);
    program.hangUp();
    await waitFor(() => processesOf(program).length === 0, {what: 'every process to end', deadlineMs: goneMsMax});
    expect(processesOf(program)).toEqual([]);
  });

  test.skipIf(isMissing)('Ctrl-Z gives the shell its terminal, and fg brings the log back', async () => {
    const shell = service.open({
      command: '/bin/bash',
      args: ['--norc', '--noprofile', '-i'],
      env: {PS1: 'prompt> ', NODE: command ?? builtCommand, LAUNCHER: launcher},
    });
    await shell.waitFor('prompt>');
    shell.press('"$NODE" "$LAUNCHER" shop master', 'Enter');
    const before = await shell.waitFor('14:04:54.118');
    for (const round of [1, 2]) {
      shell.press('Ctrl+Z');
      await shell.waitFor(() => !shell.altScreenActive(), {what: `the shell’s screen, round ${round}`});
      await shell.waitFor('Stopped');
      expect(shell.cursorShown()).toBe(true);
      shell.press('stty -a | grep -o -w -e icanon -e echo | tr "\\n" +; echo', 'Enter');
      await shell.waitFor('icanon+echo+');
      shell.press('clear; fg', 'Enter');
      const rows = await shell.waitFor('14:04:54.118');
      expect(shell.altScreenActive()).toBe(true);
      expect(shell.cursorShown()).toBe(false);
      expect(rows.slice(1, -2)).toEqual(before.slice(1, -2));
    }
    shell.press('q');
    await shell.waitFor(() => !shell.altScreenActive(), {what: 'the shell’s screen at the end'});
    shell.press('echo "code $?"', 'Enter');
    await shell.waitFor('code 0');
  });
});

// The executable takes no options of Node's, and so loads no hooks of ours.
describe.skipIf(executable !== undefined)('while a file call hangs, as on a stalled home folder', () => {
  let folder: TempFolder;
  beforeEach(() => {
    folder = createTempFolder('ways-out');
  });
  afterEach(() => folder.remove());

  const open = (): Promise<PtyProgram> => {
    const fifo = join(folder.path, 'fifo');
    spawnSync('mkfifo', [fifo]);
    const hook = join(import.meta.dirname, 'fixtures/hang-a-file-call.ts');
    return openLog({env: {NODE_OPTIONS: `--no-warnings --import ${hook}`, HANGING_FIFO: fifo}});
  };

  test.each([
    ['q', (program: PtyProgram) => program.press('q'), 0],
    ['SIGTERM', (program: PtyProgram) => program.signal('SIGTERM'), 143],
  ] as const)('%s ends it with its code', async (_way, end, code) => {
    const program = await open();
    end(program);
    expect(await program.exitCode({deadlineMs: goneMsMax})).toBe(code);
    expectRestored(program);
  });
});

const unexpected = [
  ['SIGUSR2', 140],
  ['SIGALRM', 142],
] as const;

test.each(unexpected.slice(0, runsOf(unexpected.length)))(
  '%s, which nobody expects, restores the terminal too',
  async (signal, code) => {
    const program = await openLog();
    program.signal(signal);
    expect(await program.exitCode({deadlineMs: goneMsMax})).toBe(code);
    expectRestored(program);
  },
);

test.skipIf(executable !== undefined)('SIGUSR1 and a warning of Node’s leave the screen alone', async () => {
  const hook = join(import.meta.dirname, 'fixtures/warn-on-winch.ts');
  const program = await openLog({env: {NODE_OPTIONS: `--no-warnings=false --import ${hook}`}});
  const before = program.screenText();
  program.signal('SIGUSR1');
  program.signal('SIGWINCH');
  program.press('?');
  await program.waitFor('quit');
  program.press('?');
  await program.waitFor('14:04:54.118');
  expect(program.screenText()).toEqual(before);
  program.press('q');
  expect(await program.exitCode()).toBe(0);
});

test('it is gone when its terminal is, even where no signal tells of it', async () => {
  // A session of its own on the same terminal: the kernel sends SIGHUP to the terminal's session only.
  const program = service.open({
    command: '/bin/bash',
    args: ['--norc', '-c', 'exec 3<&0; setsid "$NODE" "$LAUNCHER" shop master <&3 & wait'],
    env: {NODE: builtCommand, LAUNCHER: launcher},
  });
  await program.waitFor('14:04:54.118');
  program.hangUp();
  await waitFor(() => processesOf(program).length === 0, {what: 'every process to end', deadlineMs: goneMsMax});
  expect(processesOf(program)).toEqual([]);
});

test('a signal during the way out changes neither its code nor the screen', async () => {
  const program = await openLog();
  program.signal('SIGTERM');
  program.signal('SIGINT');
  program.signal('SIGHUP');
  expect(await program.exitCode({deadlineMs: goneMsMax})).toBeGreaterThan(128);
  expectRestored(program);
});

test('a signal while the rest of the program is still being loaded restores the terminal', async () => {
  const program = service.open();
  await program.waitFor(() => program.output().includes('\u001b[?1049h'));
  program.signal('SIGTERM');
  expect(await program.exitCode({deadlineMs: goneMsMax})).toBe(143);
  expectRestored(program);
});

test('it ends while an answer is awaited that never comes', async () => {
  const program = await openLog();
  service.failAlways({kind: 'stall', at: 'headers'});
  const requests = service.requests.length;
  program.press('r');
  await waitFor(() => service.requests.length > requests, {what: 'the request that gets no answer'});
  program.press('q');
  expect(await program.exitCode({deadlineMs: goneMsMax})).toBe(0);
  expectRestored(program);
});
