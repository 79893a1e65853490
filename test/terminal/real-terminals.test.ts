import {execFileSync, spawnSync} from 'node:child_process';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createEmulator} from '../support/emulator.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {findScreenDifferences, setWidths} from './frame-model.ts';
import {anyStep, type Frame, handOver, takeStep} from './frame-steps.ts';
import {seenAt} from './frame-words.ts';
import {capabilitiesOf, createStage} from './stage.ts';

const columns = 80;
const rows = 24;

/** A terminal inside a terminal: how it is started to show what `command` writes, with nothing of the user's own. */
type Multiplexer = {
  readonly name: string;
  readonly term: string;
  readonly start: (
    folder: string,
    command: string,
  ) => {readonly args: readonly string[]; readonly env: Record<string, string>};
};

const multiplexers: readonly Multiplexer[] = [
  {
    name: 'tmux',
    term: 'tmux-256color',
    start: (folder, command) => ({
      args: [
        '-u',
        '-L',
        'branchlog-test',
        '-f',
        '/dev/null',
        'new-session',
        command,
        ';',
        'set',
        '-g',
        'status',
        'off',
      ],
      env: {TMUX_TMPDIR: folder},
    }),
  },
  {
    name: 'screen',
    term: 'screen',
    start: (folder, command) => ({
      args: ['-U', '-c', '/dev/null', '-S', 'branchlog-test', 'sh', '-c', command],
      env: {SCREENDIR: folder},
    }),
  },
];

const isInstalled = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Emoji that every terminal of today gives two columns may stay; where a multiplexer and ours differ the emulator can't tell who errs. */
const isAgreedOn = (frame: Frame): boolean =>
  frame.rows.every(row => row.every(({clusters}) => clusters.every(text => !/[\u{17000}काｶﾞ䷀]/u.test(text))));

test.each(multiplexers)(
  'shows exactly the last frame inside $name',
  async ({name, term, start}) => {
    if (!isInstalled(name)) {
      console.log(`Left out: ${name} is not installed.`);
      return;
    }
    const seed = Date.now() % 1_000_000;
    console.log(`${name}: seed ${seed}`);
    const folder = createTempFolder('multiplexer');
    const pipe = join(folder.path, 'bytes');
    execFileSync('mkfifo', [pipe]);
    const {args, env} = start(folder.path, `stty raw -echo; exec cat '${pipe}'`);
    const shell = createEmulator(columns, rows);
    setWidths(shell, 'as we do');
    const pty = spawn(name, [...args], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: folder.path,
      env: {
        PATH: process.env.PATH ?? '/usr/bin:/bin',
        HOME: folder.path,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        ...env,
      },
    });
    const ended = new Promise<void>(resolve => {
      pty.onExit(() => resolve());
    });
    pty.onData(data => void shell.write(data));
    // What a terminal is asked it answers; tmux waits for it.
    shell.terminal.onData(reply => pty.write(reply));
    const bytes = await open(pipe, 'w');

    const capabilities = capabilitiesOf({TERM: term});
    const stage = createStage(capabilities);
    stage.terminal.columns = columns;
    stage.terminal.rows = rows;
    stage.screen.enter();
    stage.terminal.emit('resize');
    await stage.clock.moveOn(20);
    const steps = fc
      .sample(anyStep, {seed, numRuns: 200})
      .filter(({kind}) => kind === 'frame' || kind === 'shift' || kind === 'edit');
    let frame: Frame = {rows: [], block: undefined};
    let frames = 0;
    try {
      for (const change of steps) {
        const next = takeStep(frame, change);
        if (!isAgreedOn(next)) {
          continue;
        }
        frame = next;
        frames += 1;
        handOver(stage, frame);
        await stage.clock.moveOn(20);
        await stage.clock.moveOn(20);
        await bytes.writeFile(stage.terminal.writes.splice(0).join(''));
        const differences = () => findScreenDifferences(shell.cells(), frame.rows, seenAt(capabilities.colours));
        await waitFor(() => differences().length === 0, {what: 'the frame', deadlineMs: 2000}).catch(() => {
          expect(differences()).toEqual([]);
        });
      }

      expect(frames).toBeGreaterThan(20);
    } finally {
      // With nothing left to read the command ends, and the multiplexer with it.
      await bytes.close();
      await ended;
      shell.close();
      folder.remove();
    }
  },
  20_000,
);
