import {type SpawnOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {constants} from 'node:os';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {formatOriginal, originalLine} from '#app/log/line-sections.ts';
import type {Scope} from '#app/parts/log-parts.ts';
import type {Exporter, PipeRequest} from '#app/state/exporter.ts';
import {markerWords} from '#app/words/marker-words.ts';
import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {textPieces} from './text-pieces.ts';

export type PipeOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Hands the terminal over while the work runs. */
  readonly handOver: (work: () => Promise<void>) => Promise<void>;
};

const shell = '/bin/sh';
const defaultPager = 'less';
const commandCharsMax = 100;

/**
 * Runs a program that owns the terminal, with the lines as its input. A pager gets lines that are safe to draw, with
 * the markers between them. A command gets the lines as received or as written, and its output stays on the screen
 * until Enter is pressed.
 */
export const createPipe =
  ({env: {BRANCHLOG_TOKEN: _, ...env}, handOver}: PipeOptions): Exporter['pipe'] =>
  async ({to, scope}: PipeRequest) => {
    const isPager = to.kind === 'pager';
    const command = isPager ? env.PAGER?.trim() || defaultPager : to.command;
    let status = 0;
    await handOver(async () => {
      status = await run(command, {env, stdio: ['pipe', 'inherit', 'inherit']}, input => {
        const format = (isPager ? formatSafe : formatOriginal)(scope);
        // A program that ends before reading everything has seen enough.
        void pipeline(Readable.from(textPieces(scope, {format})), input).catch(() => {});
      });
      if (!isPager) {
        await waitForEnter(status, env);
      }
    });
    // Not worth a message: the user pressed Ctrl-C.
    return status === 0 || status === interrupted
      ? undefined
      : `${sanitiseWord(command, commandCharsMax)} ended with ${status}`;
  };

const formatSafe =
  ({asWritten}: Scope) =>
  ({entry}: SourcedEntry): string =>
    entry.kind === 'line' ? sanitise(originalLine(entry, asWritten)) : `-- ${markerWords(entry).words} --`;

/** Exit code that a shell reports for a program ended by Ctrl-C. */
const interrupted = 130;

/**
 * Builds the shell command. Ctrl-C and Ctrl-\ reach the shell too, and it must not end before a program that keeps
 * running, as `less` does, because then nobody would wait for that program. So a single program replaces the shell;
 * with several, the shell waits until the one that owns the terminal has ended.
 */
const waitingFor = (command: string): string =>
  /[|&;<>()$`\\"'*?[\]#~=%!{}\n]/.test(command)
    ? `trap 'exit ${interrupted}' INT; trap 'exit 131' QUIT\n${command}`
    : `exec ${command}`;

/** Exit code that a shell reports for a program that it can't start. */
const notStarted = 127;

/** Resolves to the exit code as a shell reports it. */
const run = async (
  command: string,
  options: SpawnOptions,
  feed: (input: NodeJS.WritableStream) => void,
): Promise<number> => {
  const child = spawn(shell, ['-c', waitingFor(command)], options);
  // If we are told to end meanwhile, leave nothing running that holds the terminal.
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  if (child.stdin !== null) {
    feed(child.stdin);
  }
  try {
    const [code, signal]: (number | NodeJS.Signals | null)[] = await once(child, 'exit');
    return typeof code === 'number' ? code : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  } catch {
    return notStarted;
  } finally {
    process.off('exit', end);
    child.stdin?.destroy();
  }
};

/** The shell reads the key: our own terminal input is paused. */
const waitForEnter = async (status: number, env: NodeJS.ProcessEnv): Promise<void> => {
  const words = `${status === 0 ? '' : `ended with ${status}, `}press Enter to return `;
  await run(`printf '\\n%s' '${words}'; read -r _ </dev/tty`, {env, stdio: ['ignore', 'inherit', 'inherit']}, () => {});
};
