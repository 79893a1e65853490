import {type SpawnOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {constants} from 'node:os';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import type {Exporter, PipeRequest} from '../../app/state/exporter.ts';
import {markerWords} from '../../app/words/marker-words.ts';
import {sanitise, sanitiseWord} from '../../log/text/sanitise.ts';
import type {SourcedEntry} from '../../log/view/log-view.ts';
import {textPieces} from './text-pieces.ts';

export type PipeOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Gives the terminal away while the work lasts. */
  readonly handOver: (work: () => Promise<void>) => Promise<void>;
};

const shell = '/bin/sh';
const defaultPager = 'less';
const commandCharsMax = 100;

/**
 * Runs a program that has the terminal, with the lines as its input. A pager gets them safe to draw, with the markers between them; a command gets them as they
 * were received, and what it prints stays until Enter is pressed.
 */
export const createPipe =
  ({env: {BRANCHLOG_TOKEN: _, ...env}, handOver}: PipeOptions): Exporter['pipe'] =>
  async ({to, scope}: PipeRequest) => {
    const isPager = to.kind === 'pager';
    const command = isPager ? env.PAGER?.trim() || defaultPager : to.command;
    let status = 0;
    await handOver(async () => {
      status = await run(command, {env, stdio: ['pipe', 'inherit', 'inherit']}, input => {
        const format = isPager ? formatSafe : formatRaw;
        // Whoever leaves before the end has seen enough.
        void pipeline(Readable.from(textPieces(scope, {format})), input).catch(() => {});
      });
      if (!isPager) {
        await waitForEnter(status, env);
      }
    });
    // Whoever pressed Ctrl-C knows it.
    return status === 0 || status === interrupted
      ? undefined
      : `${sanitiseWord(command, commandCharsMax)} ended with ${status}`;
  };

const formatRaw = ({entry}: SourcedEntry): string | undefined => (entry.kind === 'line' ? entry.raw : undefined);

const formatSafe = ({entry}: SourcedEntry): string =>
  entry.kind === 'line' ? sanitise(entry.raw) : `-- ${markerWords(entry).words} --`;

/** What a shell says of a program that Ctrl-C ended. */
const interrupted = 130;

/**
 * The command for the shell. Ctrl-C and Ctrl-\ reach the shell too, which must not end before a program that goes on, as `less` does: nobody would wait for
 * that one any more. So a single program takes the shell's place, and for several the shell waits until the one that has the terminal has ended.
 */
const waitingFor = (command: string): string =>
  /[|&;<>()$`\\"'*?[\]#~=%!{}\n]/.test(command)
    ? `trap 'exit ${interrupted}' INT; trap 'exit 131' QUIT\n${command}`
    : `exec ${command}`;

/** What a shell says of a program that it can't start. */
const notStarted = 127;

/** Answers with the exit code as a shell tells it. */
const run = async (
  command: string,
  options: SpawnOptions,
  feed: (input: NodeJS.WritableStream) => void,
): Promise<number> => {
  const child = spawn(shell, ['-c', waitingFor(command)], options);
  // Told to end meanwhile, we leave nothing behind that holds the terminal.
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

/** The shell reads the key: our own reading of the terminal stands still. */
const waitForEnter = async (status: number, env: NodeJS.ProcessEnv): Promise<void> => {
  const words = `${status === 0 ? '' : `ended with ${status}, `}press Enter to return `;
  await run(`printf '\\n%s' '${words}'; read -r _ </dev/tty`, {env, stdio: ['ignore', 'inherit', 'inherit']}, () => {});
};
