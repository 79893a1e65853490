import {type ChildKind, findProgramFault} from '#base/system/programs.ts';
import type {LineSource, LineSourceContext} from '#service/served/line-source.ts';
import {splitLines} from '#service/window/split-lines.ts';
import {failToStart, type RunningCommand, runCommand} from '../run-command.ts';

type RepeatedCommandContext = Pick<LineSourceContext, 'wake' | 'monotonicMs' | 'warnAlways'>;

/** Lines of standard error reported per minute; a failing command repeats itself. */
const errorLinesMax = 20;
/** Characters of a line that are reported. */
const errorCharsMax = 500;
const minuteMs = 60_000;

/** Reports what a command prints to standard error as warnings of the service. `title` names it. */
const createErrorOutput = (title: string, {monotonicMs, warnAlways}: RepeatedCommandContext) => {
  let partial = Buffer.alloc(0);
  let minuteStartMs = Number.NEGATIVE_INFINITY;
  let linesTold = 0;

  const tell = (line: string): void => {
    if (monotonicMs() - minuteStartMs >= minuteMs) {
      minuteStartMs = monotonicMs();
      linesTold = 0;
    }
    linesTold += 1;
    if (linesTold > errorLinesMax + 1) {
      return;
    }
    const text = line.replaceAll(/\p{Cc}/gu, ' ').slice(0, errorCharsMax);
    warnAlways(
      linesTold > errorLinesMax
        ? `${title} writes more errors: they are omitted for up to a minute.`
        : `${title} writes: ${text}`,
    );
  };

  const split = (bytes: Buffer, atEnd: boolean): void => {
    const all = Buffer.concat([partial, bytes]);
    const {lines, bytesUsed} = splitLines(all, {atEnd});
    partial = Buffer.from(all.subarray(bytesUsed));
    for (const line of lines) {
      tell(line);
    }
  };

  return {
    take: (bytes: Buffer): void => split(bytes, false),
    /** Reports an unterminated last line. */
    end: (): void => split(Buffer.alloc(0), true),
  };
};

/** Pause before a command is restarted. Doubles after each run that does not last, up to `pauseMsMax`. */
const pauseMsMin = 1_000;
/**
 * A run of at least this length has lasted: the next pause is the shortest again. A broken command costs one start a
 * minute.
 */
const pauseMsMax = 60_000;
/** How long to wait for output after a start before assuming that it may not join what was read before. */
const frontMsMax = 2_000;

const goodEnd = 'ended with exit code 0';
const noBytes = Buffer.alloc(0);

/** Reads the output of one run, from start to end. */
export type RunReader = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Takes output. `hasMore`: more follows at once; `atEnd`: nothing follows. */
  take(bytes: Buffer, options: {readonly hasMore: boolean; readonly atEnd: boolean}): void;
  /** The command runs and has caught up: no output came this time. */
  caughtUp(): void;
  /** Called at every turn once output has paused for so long that no more old lines are expected, until some comes. */
  settle(): void;
};

export type RepeatedCommandOptions = {
  /** Names the command at the start of a sentence. */
  readonly title: string;
  /** Names it to readers. */
  readonly name: string;
  /** The folder it runs in. */
  readonly folder: string;
  /** Decides which variables it gets. */
  readonly kind: ChildKind;
  /** Ends the warning about a run that ended. */
  readonly advice: string;
  /** `outcome`: how the run before it ended; undefined before the first. */
  beginRun(outcome: string | undefined): RunReader;
  /** Called with what the command writes to standard error, besides the warnings. */
  readonly onErrorOutput?: (bytes: Buffer) => void;
};

/** Runs a command as long as its source is open, and restarts it after a pause whenever it ends. */
export const createRepeatedCommand = (
  {title, name, folder, kind, advice, beginRun, onErrorOutput = () => undefined}: RepeatedCommandOptions,
  context: RepeatedCommandContext,
): Required<Pick<LineSource, 'turn' | 'unreadable' | 'close'>> => {
  const {wake, monotonicMs, warnAlways} = context;
  const errorOutput = createErrorOutput(title, context);
  /** `outputMs`: time of the last output, or of the start. */
  let run: {process: RunningCommand; reader: RunReader; startedMs: number; outputMs: number} | undefined;
  let nextStartMs = Number.NEGATIVE_INFINITY;
  let pauseMs = pauseMsMin;
  let endSaid = '';
  /** How the last run failed, until the next one has printed something or has lasted. */
  let failure: string | undefined;

  const begin = async (): Promise<void> => {
    const reader = beginRun(endSaid || undefined);
    const startedMs = monotonicMs();
    const {command} = reader;
    const fault = await findProgramFault(command[0] ?? '', folder);
    const process =
      fault === undefined
        ? runCommand({
            command,
            folder,
            kind,
            onChange: wake,
            onErrorOutput: bytes => {
              onErrorOutput(bytes);
              errorOutput.take(bytes);
            },
          })
        : failToStart(`cannot be started (it ${fault})`);
    run = {process, reader, startedMs, outputMs: startedMs};
  };

  const sayEnd = (outcome: string, hasLasted: boolean): void => {
    if (hasLasted || outcome !== endSaid) {
      warnAlways(`${title} ${outcome}: ${advice}`);
    }
    endSaid = outcome;
    // Whoever prints a log and ends is started for each part of it.
    failure = outcome === goodEnd ? undefined : outcome;
  };

  const endRun = ({reader, startedMs}: {readonly reader: RunReader; readonly startedMs: number}, outcome: string) => {
    reader.take(noBytes, {hasMore: false, atEnd: true});
    errorOutput.end();
    const endedMs = monotonicMs();
    const hasLasted = endedMs - startedMs >= pauseMsMax;
    pauseMs = hasLasted ? pauseMsMin : pauseMs;
    sayEnd(outcome, hasLasted);
    nextStartMs = endedMs + pauseMs;
    pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    run = undefined;
  };

  return {
    turn: async () => {
      if (!run && monotonicMs() >= nextStartMs) {
        await begin();
      }
      if (!run) {
        return false;
      }
      const {process, reader, outputMs} = run;
      // Ask this first: the output of a command that has ended is complete.
      const outcome = process.outcome();
      const {bytes, hasMore} = process.takeOutput();
      if (bytes.length > 0) {
        run.outputMs = monotonicMs();
        failure = undefined;
        reader.take(bytes, {hasMore, atEnd: false});
      } else if (outcome === undefined && process.pid !== undefined) {
        reader.caughtUp();
        if (monotonicMs() - outputMs >= frontMsMax) {
          failure = undefined;
          reader.settle();
        }
      }
      if (outcome !== undefined) {
        endRun(run, outcome);
      }
      return hasMore;
    },
    unreadable: () => failure && `${name} ${failure}`,
    close: async () => {
      const current = run;
      run = undefined;
      if (current) {
        await current.process.stop();
        // Not the end: a torn last line is left out, because the next run may have the whole one.
        const {bytes} = current.process.takeOutput();
        current.reader.take(bytes, {hasMore: false, atEnd: false});
      }
    },
  };
};
