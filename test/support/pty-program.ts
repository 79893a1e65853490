import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {builtProgram, compiledOnce, executable} from './built-program.ts';
import {createEmulator, type Emulator} from './emulator.ts';
import {createTempFolder, type TempFolder} from './temp-folder.ts';

export type PtyProgramOptions = {
  /** Arguments of branchlog, or of `command`. */
  readonly args?: readonly string[];
  /** Another program than the built branchlog. */
  readonly command?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Added to a small environment of the program's own; undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where it runs; its temporary home otherwise. */
  readonly cwd?: string;
  /** A home that the test has put files into. It is kept; without it each program gets a fresh one, removed at the end. */
  readonly home?: TempFolder;
};

export type WaitOptions = {
  /** Completes the sentence "Waited in vain for …"; the text itself where only a text is waited for. */
  readonly what?: string;
  readonly deadlineMs?: number;
};

/** A program in a pseudo-terminal, and the emulator that shows what it draws. */
export type PtyProgram = Pick<Emulator, 'screenText' | 'cells' | 'events'> & {
  readonly pid: number;
  readonly home: string;
  /** Presses keys one after the other, by name (`Enter`, `Ctrl+Z`) or as text to type. */
  press(...keys: readonly string[]): void;
  /** Sends bytes as they are, in one piece. */
  send(bytes: string): void;
  /** Resolves when the screen holds the text or the predicate holds of its rows; looks again after everything that is drawn. */
  waitFor(
    wanted: string | RegExp | ((rows: readonly string[]) => boolean),
    options?: WaitOptions,
  ): Promise<readonly string[]>;
  resize(columns: number, rows: number): void;
  /** Resolves with the exit code when the program has ended and all its output is on the screen. */
  exitCode(options?: {readonly deadlineMs?: number}): Promise<number>;
  hasExited(): boolean;
  bytesReceived(): number;
  /** Everything the program wrote, as received. */
  output(): string;
  altScreenActive(): boolean;
  cursorShown(): boolean;
  /** Stops reading, as a terminal does after Ctrl-S or on a dead line, and goes on. */
  pauseReading(): void;
  resumeReading(): void;
  signal(name: string): void;
  /** Takes the terminal away, as a lost connection does. */
  hangUp(): void;
  /** Ends the program if it still runs, and removes its temporary home. Safe to call twice. */
  close(): Promise<void>;
};

const repository = join(import.meta.dirname, '../..');

// Generous, because the machine may be busy with other tests; a passing test does not wait for it.
const deadlineMsDefault = 15_000;

const programEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_STATE_HOME: join(home, '.local/state'),
  XDG_CACHE_HOME: join(home, '.cache'),
  XDG_RUNTIME_DIR: home,
  TMPDIR: home,
  TZ: 'UTC',
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
});

// Our program draws at most 500 by 200 cells; emulating millions takes seconds.
const [emulatedColumnsMax, emulatedRowsMax] = [600, 300];

const framed = (rows: readonly string[]): string => rows.map(row => `│${row}`).join('\n');

/** Starts a program in a pseudo-terminal: `node bin/branchlog.js ARGS`, unless told another. */
export const startPtyProgram = (options: PtyProgramOptions = {}): PtyProgram => {
  const {columns = 80, rows = 24, args = []} = options;
  if (options.command === undefined && !existsSync(executable ?? join(repository, 'dist/main.js'))) {
    throw new Error('The program is not built: run `npm run build` first.');
  }
  const home = options.home ?? createTempFolder('home');
  const env: Record<string, string | undefined> = {...programEnvironment(home.path), ...compiledOnce, ...options.env};
  const pty = spawn(
    options.command ?? builtProgram.command,
    options.command === undefined ? [builtProgram.launcher, ...args] : [...args],
    {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: options.cwd ?? home.path,
      env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    },
  );
  const emulator = createEmulator(columns, rows);
  const chunks: string[] = [];
  let byteCount = 0;
  let exited: number | undefined;
  const watchers = new Set<() => void>();
  const notify = (): void => {
    for (const watcher of watchers) {
      watcher();
    }
  };
  emulator.onDrawn(notify);
  pty.onData(data => {
    chunks.push(data);
    byteCount += Buffer.byteLength(data);
    void emulator.write(data);
  });
  pty.onExit(({exitCode, signal}) => {
    // What came last is still being drawn. A shell's way to tell of a signal.
    void emulator.write('').then(() => {
      exited = signal ? 128 + signal : exitCode;
      notify();
    });
  });
  // A terminal answers what it is asked; that is part of being one.
  emulator.terminal.onData(reply => {
    if (exited === undefined) {
      pty.write(reply);
    }
  });

  /** Calls `read` now and after each change until it answers; fails with the screen in the message. */
  const until = <Value>(read: () => Value | undefined, what: string, deadlineMs: number): Promise<Value> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        watchers.delete(look);
      };
      const look = (): void => {
        const value = read();
        if (value !== undefined) {
          end();
          resolve(value);
        } else if (exited !== undefined) {
          end();
          reject(
            new Error(`The program ended with ${exited} before ${what}. Screen:\n${framed(emulator.screenText())}`),
          );
        }
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`Waited in vain for ${what} (${deadlineMs} ms). Screen:\n${framed(emulator.screenText())}`));
      }, deadlineMs);
      watchers.add(look);
      look();
    });

  return {
    pid: pty.pid,
    home: home.path,
    events: emulator.events,
    screenText: emulator.screenText,
    cells: emulator.cells,
    press(...keys) {
      for (const key of keys) {
        pty.write(keyBytes(key));
      }
    },
    send: bytes => pty.write(bytes),
    waitFor(wanted, {what, deadlineMs = deadlineMsDefault} = {}) {
      const holds = (screen: readonly string[]): boolean => {
        if (typeof wanted === 'function') {
          return wanted(screen);
        }
        const text = screen.join('\n');
        return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
      };
      return until(
        () => {
          const screen = emulator.screenText();
          return holds(screen) ? screen : undefined;
        },
        what ?? (typeof wanted === 'function' ? 'the screen to be as wanted' : `“${wanted}” on the screen`),
        deadlineMs,
      );
    },
    resize(newColumns, newRows) {
      emulator.resize(Math.min(newColumns, emulatedColumnsMax), Math.min(newRows, emulatedRowsMax));
      pty.resize(newColumns, newRows);
    },
    exitCode: ({deadlineMs = deadlineMsDefault} = {}) => until(() => exited, 'the program to end', deadlineMs),
    hasExited: () => exited !== undefined,
    bytesReceived: () => byteCount,
    output: () => chunks.join(''),
    altScreenActive: emulator.isAltScreenActive,
    cursorShown: emulator.isCursorShown,
    pauseReading: () => pty.pause(),
    resumeReading: () => pty.resume(),
    signal: name => pty.kill(name),
    hangUp() {
      // Not in the types of node-pty, but in every terminal of it on Unix.
      if ('destroy' in pty && typeof pty.destroy === 'function') {
        pty.destroy();
      }
    },
    async close() {
      if (exited === undefined) {
        pty.resume();
        pty.kill('SIGKILL');
        await until(() => exited, 'the killed program to be gone', deadlineMsDefault);
      }
      emulator.close();
      if (!options.home) {
        home.remove();
      }
    },
  };
};

/** What an xterm sends for its keys (ctlseqs, "PC-Style Function Keys"). */
const bytesOfKey: Readonly<Record<string, string>> = {
  Enter: '\r',
  Esc: '\u001b',
  Tab: '\t',
  'Shift+Tab': '\u001b[Z',
  Backspace: '\u007f',
  Space: ' ',
  Up: '\u001b[A',
  Down: '\u001b[B',
  Right: '\u001b[C',
  Left: '\u001b[D',
  Home: '\u001b[H',
  End: '\u001b[F',
  Insert: '\u001b[2~',
  Delete: '\u001b[3~',
  PageUp: '\u001b[5~',
  PageDown: '\u001b[6~',
};

/** The bytes of a key by its name (`Enter`, `PageDown`, `Ctrl+Z`); anything else is typed as it stands. */
const keyBytes = (key: string): string => {
  const letter = /^Ctrl\+([A-Za-z\\\]^_@])$/.exec(key)?.[1];
  if (letter !== undefined) {
    return String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f);
  }
  return bytesOfKey[key] ?? key;
};
