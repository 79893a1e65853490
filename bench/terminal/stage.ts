import {appendFileSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {instantFromMs} from '#log/line/instant.ts';
import {createTempFolder} from '../../test/support/temp-folder.ts';
import {makeLineAt} from './access-line.ts';
import type {PeerName} from './figure.ts';
import {type Session, startSession, type TerminalSize} from './session.ts';
import {type Service, startService} from './start-service.ts';

/** The site's name on the first screen. */
export const siteName = 'the-measured-site';

/** Enough for a million lines. */
const bufferMb = 256;

const launcher = join(import.meta.dirname, '../../bin/branchlog.js');
const executable = join(import.meta.dirname, '../../dist/executable/branchlog');

export type ProgramOptions = {
  /** Target delay of the log; the program's default if omitted. */
  readonly interval?: string;
  readonly size?: TerminalSize;
};

/** Everything that measures need, and the function that cleans it up. */
export type Stage = {
  readonly service: Service;
  /** The peers that are installed here. */
  readonly peers: readonly PeerName[];
  /** Starts the built program, `node bin/branchlog.js ARGS`, with its own home folder. */
  startProgram(args: readonly string[], options?: ProgramOptions): Session;
  /** Whether the executable is built too. */
  readonly hasExecutable: boolean;
  /** Starts the executable as `startProgram` starts the program. */
  startExecutable(args: readonly string[]): Session;
  /** Starts a pager at the end of a file; `follow` waits for new lines. */
  startPeer(peer: PeerName, file: string, options?: {readonly follow: boolean}): Session;
  /** Creates a file with access lines as the service logs them. */
  makeFile(name: string, lines: number): LogFile;
  close(): Promise<void>;
};

export type LogFile = {
  readonly path: string;
  add(lines: number): void;
  readonly lines: number;
};

const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some(folder => existsSync(join(folder, name)));

const peerArgs: Readonly<Record<PeerName, (file: string, follow: boolean) => readonly string[]>> = {
  less: (file, follow) => [follow ? '+F' : '+G', file],
  lnav: file => ['-N', file],
};

/** Lines written at once: 16 MB. */
const linesPerWrite = 100_000;

const createFile = (path: string, firstLines: number): LogFile => {
  let lines = 0;
  const add = (more: number): void => {
    const nowMs = Date.now();
    for (let left = more; left > 0; left -= linesPerWrite) {
      const texts = Array.from({length: Math.min(left, linesPerWrite)}, (_, index) =>
        makeLineAt(lines + index, instantFromMs(nowMs)),
      );
      appendFileSync(path, `${texts.join('\n')}\n`);
      lines += texts.length;
    }
  };
  writeFileSync(path, '');
  add(firstLines);
  return {
    path,
    add,
    get lines() {
      return lines;
    },
  };
};

/**
 * Starts the service and creates a folder for everything else. With `profileFolder`, V8 writes CPU profiles of each
 * program there.
 */
export const createStage = async (profileFolder: string | undefined): Promise<Stage> => {
  if (!existsSync(join(import.meta.dirname, '../../dist/main.js'))) {
    throw new Error('The program is not built: run `npm run build` first.');
  }
  const service = await startService();
  const folder = createTempFolder('bench');
  const sessions: Session[] = [];
  const start = (command: string, argsIn: (home: string) => readonly string[], size?: TerminalSize): Session => {
    const home = join(folder.path, `home-${sessions.length}`);
    mkdirSync(home);
    const session = startSession({command, args: argsIn(home), home, size});
    sessions.push(session);
    return session;
  };
  const configure = (home: string, {interval}: ProgramOptions): void => {
    const config = join(home, '.config/branchlog');
    mkdirSync(config, {recursive: true});
    writeFileSync(join(config, 'token'), 'bench', {mode: 0o600});
    const lines = [
      '[contexts.bench]',
      `base_url = "http://127.0.0.1:${service.port}/dev-v1"`,
      'tenant = "t"',
      'auth_mode = "x"',
      `token_file = "${join(config, 'token')}"`,
      '[[contexts.bench.sites]]',
      'id = "site-1"',
      `name = "${siteName}"`,
      '[log]',
      `buffer_mb = ${bufferMb}`,
      ...(interval === undefined ? [] : [`interval = "${interval}"`]),
    ];
    writeFileSync(join(config, 'config.toml'), lines.join('\n'), {mode: 0o600});
  };
  const profileFlags = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  return {
    service,
    peers: (['less', 'lnav'] as const).filter(isInstalled),
    startProgram: (args, options = {}) =>
      start(
        process.execPath,
        home => {
          configure(home, options);
          return [...profileFlags, launcher, ...args];
        },
        options.size,
      ),
    hasExecutable: existsSync(executable),
    startExecutable: args =>
      start(executable, home => {
        configure(home, {});
        return args;
      }),
    startPeer: (peer, file, {follow} = {follow: false}) => start(peer, () => peerArgs[peer](file, follow)),
    makeFile: (name, lines) => createFile(join(folder.path, name), lines),
    async close() {
      await Promise.all(sessions.map(session => session.close()));
      service.close();
      folder.remove();
    },
  };
};
