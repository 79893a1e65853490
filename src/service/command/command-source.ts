import {basename} from 'node:path';
import type {LineSource, LineSourceContext, LineSourceKind, LineSourceSetup} from '../line-source.ts';
import {readOwnTime} from '../lines/own-time/read-own-time.ts';
import {machineMs} from '../lines/own-time/wall-time.ts';
import {splitLines} from '../lines/split-lines.ts';
import {emptyStreamStamps} from '../lines/stream-stamps.ts';
import type {StampedStream} from '../sink/line-stamper.ts';
import {createErrorOutput} from './error-output.ts';
import {createKnownLines} from './known-lines.ts';
import {type RunningCommand, runCommand} from './run-command.ts';

/** Pause before a command is restarted. Doubles after each run that does not last, up to `pauseMsMax`. */
const pauseMsMin = 1_000;
/**
 * A run of at least this length has lasted: the next pause is the shortest again. A broken command costs one start a
 * minute.
 */
const pauseMsMax = 60_000;
/** How long to wait for output after a start before assuming that it may not join what was read before. */
const frontMsMax = 2_000;

const noBytes = Buffer.alloc(0);

/** The command's settings in the configuration. */
type CommandSettings = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The folder it runs in. */
  readonly folder: string;
};

/** One run, from start to end. */
type Run = {
  readonly process: RunningCommand;
  readonly startedMs: number;
  /** Time of the last output, or of the start. */
  outputMs: number;
  /** Bytes past the last whole line. */
  partial: Buffer;
  /** The loss before this run has been noted. */
  isLossNoted: boolean;
};

const openCommandSource = ({command, folder}: CommandSettings, context: LineSourceContext): LineSource => {
  const {podName, podKey, sink, wake, now, monotonicMs, warnAlways} = context;
  // Arguments may contain secrets; name only the program.
  const title = `The command of pod ${podName} (${basename(command[0] ?? '')})`;
  const stream: StampedStream = {podKey, stamps: emptyStreamStamps, held: {}};
  const known = createKnownLines(line => readOwnTime(line, {now: now(), localMs: machineMs}));
  const errorOutput = createErrorOutput({title, monotonicMs, warn: warnAlways});
  let run: Run | undefined;
  let hasPast = !context.isNew;
  let nextStartMs = Number.NEGATIVE_INFINITY;
  let pauseMs = pauseMsMin;
  /** A loss was noted, and no line has come since. */
  let isLossOpen = false;
  let endSaid = '';

  const noteLoss = (current: Run): void => {
    if (!current.isLossNoted) {
      current.isLossNoted = true;
      isLossOpen = true;
      sink.noteLoss();
    }
  };

  const takeLines = (current: Run, lines: readonly string[]): void => {
    if (lines.length === 0) {
      return;
    }
    if (known.front() === 'broken') {
      noteLoss(current);
    }
    isLossOpen = false;
    sink.take(stream, lines);
  };

  const takeBytes = (current: Run, bytes: Buffer, options: {readonly atEnd: boolean}): void => {
    const all = Buffer.concat([current.partial, bytes]);
    const {lines, bytesUsed} = splitLines(all, options);
    // A copy: the rest of a line must not keep the whole block alive.
    current.partial = Buffer.from(all.subarray(bytesUsed));
    takeLines(current, known.takeNew(lines));
  };

  /** If no known line appeared, lines may be missing. One loss is enough until there are lines again. */
  const settle = (current: Run): void => {
    takeLines(current, known.settle());
    if (known.front() === 'broken' && !isLossOpen) {
      noteLoss(current);
    }
  };

  const startRun = (): Run => {
    // The lines of each run have an order of their own, and may be older than those of the previous run.
    stream.stamps = emptyStreamStamps;
    known.beginRun(!hasPast);
    if (!hasPast) {
      hasPast = true;
      sink.store({startedPodKeys: [podKey]});
    }
    const startedMs = monotonicMs();
    const process = runCommand({command, folder, onChange: wake, onErrorOutput: errorOutput.take});
    return {process, startedMs, outputMs: startedMs, partial: noBytes, isLossNoted: false};
  };

  const sayEnd = (outcome: string, hasLasted: boolean): void => {
    if (hasLasted || outcome !== endSaid) {
      warnAlways(
        `${title} ${outcome}: it restarts after a pause, and readers see a gap unless it repeats its last lines.`,
      );
    }
    endSaid = outcome;
  };

  const endRun = (current: Run, outcome: string): void => {
    takeBytes(current, noBytes, {atEnd: true});
    takeLines(current, known.settle());
    errorOutput.end();
    const endedMs = monotonicMs();
    const hasLasted = endedMs - current.startedMs >= pauseMsMax;
    pauseMs = hasLasted ? pauseMsMin : pauseMs;
    sayEnd(outcome, hasLasted);
    nextStartMs = endedMs + pauseMs;
    pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    run = undefined;
  };

  const readRun = (current: Run): boolean => {
    // Ask this first: the output of a command that has ended is complete.
    const outcome = current.process.outcome();
    const {bytes, hasMore} = current.process.takeOutput();
    if (bytes.length > 0) {
      current.outputMs = monotonicMs();
      takeBytes(current, bytes, {atEnd: false});
    } else if (outcome === undefined && current.process.pid !== undefined) {
      stream.stamps = {...stream.stamps, isBacklog: false};
      if (monotonicMs() - current.outputMs >= frontMsMax) {
        settle(current);
      }
    }
    if (outcome !== undefined) {
      endRun(current, outcome);
    }
    return hasMore;
  };

  return {
    start: async () => {
      const held = sink.window.lines().filter(line => line.podKey === podKey);
      const texts = held
        .toSorted((left, right) => left.sequence - right.sequence)
        .map(({line}) => line.slice(line.indexOf(' ') + 1));
      known.restore(texts, sink.window.dropped() > 0);
      run = startRun();
    },
    turn: async () => {
      if (!run && monotonicMs() >= nextStartMs) {
        run = startRun();
      }
      return run ? readRun(run) : false;
    },
    close: async () => {
      const current = run;
      run = undefined;
      if (!current) {
        return;
      }
      await current.process.stop();
      // Leave out a torn last line: the next run may have the whole one.
      takeBytes(current, current.process.takeOutput().bytes, {atEnd: false});
    },
  };
};

/** The lines that a command prints to its standard output, such as `journalctl -f`. */
export const commandSource: LineSourceKind = {
  key: 'command',
  gives: 'a command that prints the log of the pod',
  otherKeys: [],
  read: (pod, {folder}): LineSourceSetup & CommandSettings => {
    const example = 'expected the program and each of its arguments as a string of its own';
    if (typeof pod.raw('command') === 'string') {
      pod.fail('command', `${example}, like ["journalctl", "-f"], got one string`);
    }
    const command = pod.texts('command') ?? [];
    const [program = '', ...args] = command;
    if (program === '') {
      pod.fail('command', 'missing: give the program and its arguments');
    }
    if (args.length === 0 && /\s/.test(program) && !program.includes('/')) {
      const meant = program.trim().split(/\s+/);
      pod.fail('command', `${example}: did you mean ${JSON.stringify(meant).replaceAll(',', ', ')}?`);
    }
    const settings = {command, folder};
    return {kind: 'command', format: 'plain', ...settings, open: context => openCommandSource(settings, context)};
  },
};
