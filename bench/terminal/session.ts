import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {spawn} from '@lydell/node-pty';
import {createEmulator} from '../../test/support/emulator.ts';
import {waitFor} from '../../test/support/wait-for.ts';

export const columns = 200;
export const rows = 60;

export type TerminalSize = {readonly columns: number; readonly rows: number};

/** A piece of output, and when it arrived, by `performance.now()`. */
export type Chunk = {readonly atMs: number; readonly text: string; readonly bytes: number};

/** A program in a pseudo-terminal. Its output is only recorded; drawing it would distort the times. */
export type Session = {
  readonly pid: number;
  readonly chunks: readonly Chunk[];
  send(bytes: string): void;
  bytesReceived(): number;
  /** Resolves after this many milliseconds without output, counted from now at the earliest. */
  quiet(quietMs: number): Promise<void>;
  /** Resolves when the screen, drawn for this purpose, shows the text. */
  shows(text: string, deadlineMs?: number): Promise<void>;
  /** Ends the program, gently at first. */
  close(): Promise<void>;
};

export type SessionOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly home: string;
  readonly size?: TerminalSize | undefined;
};

/** More than twice the longest wait on an idle machine; also the time an ending program gets. */
const deadlineMsDefault = 100_000;
const endingMsMax = 5000;

/** Starts a program in a pseudo-terminal, of 200×60 if nothing else is said. */
export const startSession = ({command, args, home, size = {columns, rows}}: SessionOptions): Session => {
  const pty = spawn(command, [...args], {
    name: 'xterm-256color',
    cols: size.columns,
    rows: size.rows,
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: home,
      XDG_CONFIG_HOME: `${home}/.config`,
      XDG_STATE_HOME: `${home}/.local/state`,
      // Shared, so that all starts but the first find the code that Node compiled.
      XDG_CACHE_HOME: join(home, '../cache'),
      TMPDIR: home,
      TZ: 'UTC',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      LESSHISTFILE: '-',
    },
  });
  const chunks: Chunk[] = [];
  let bytes = 0;
  let hasEnded = false;
  pty.onData(text => {
    const chunk = {atMs: performance.now(), text, bytes: Buffer.byteLength(text)};
    chunks.push(chunk);
    bytes += chunk.bytes;
  });
  pty.onExit(() => {
    hasEnded = true;
  });
  const emulator = createEmulator(size.columns, size.rows);
  let chunksDrawn = 0;
  const isShown = async (text: string): Promise<boolean> => {
    for (; chunksDrawn < chunks.length; chunksDrawn += 1) {
      await emulator.write(chunks[chunksDrawn]?.text ?? '');
    }
    if (hasEnded) {
      throw new Error(`${command} ended:\n${emulator.screenText().join('\n')}`);
    }
    return emulator.screenText().join('\n').includes(text);
  };
  return {
    pid: pty.pid,
    chunks,
    send: keys => pty.write(keys),
    bytesReceived: () => bytes,
    async quiet(quietMs) {
      let sinceMs = performance.now();
      for (let leftMs = quietMs; leftMs > 0; leftMs = sinceMs + quietMs - performance.now()) {
        await delay(leftMs);
        sinceMs = Math.max(sinceMs, chunks.at(-1)?.atMs ?? 0);
      }
    },
    async shows(text, deadlineMs = deadlineMsDefault) {
      await waitFor(() => isShown(text), {what: `“${text}” on the screen of ${command}`, deadlineMs});
    },
    async close() {
      if (!hasEnded) {
        pty.kill('SIGTERM');
        // Kill it without further waiting: a pager may ignore SIGTERM.
        await waitFor(() => hasEnded, {what: 'the end', deadlineMs: endingMsMax}).catch(() => pty.kill('SIGKILL'));
      }
      emulator.close();
    },
  };
};
