import {basename} from 'node:path';
import type {LineSource, LineSourceContext, LineSourceKind, LineSourceSetup} from '#service/served/line-source.ts';
import type {StoredChanges} from '#service/window/line-sink.ts';
import type {StampedStream} from '#service/window/line-stamper.ts';
import {readOwnTime} from '#service/window/read-own-time.ts';
import {readUnfinished, splitLines, tooLongBytes} from '#service/window/split-lines.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {unknownPast} from '#service/window/window-losses.ts';
import {createKnownLines} from './commands/known-lines.ts';
import {createRepeatedCommand, type RepeatedCommandOptions, type RunReader} from './commands/repeated-command.ts';

const noBytes = Buffer.alloc(0);
/** Lines served without their end that are remembered: few commands print any. */
const partsMax = 100;

const readParts = (cursor: string | undefined): readonly number[] => {
  const parts: unknown = cursor === undefined ? [] : JSON.parse(cursor);
  return Array.isArray(parts) ? parts.filter(part => typeof part === 'number') : [];
};

/** The command's settings in the configuration. */
type CommandSettings = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The folder it runs in. */
  readonly folder: string;
};

/** Creates a reader of the output of a command, run after run. */
export const createCommandReader = (
  command: readonly string[],
  context: LineSourceContext,
): Pick<LineSource, 'start'> & Pick<RepeatedCommandOptions, 'beginRun'> => {
  const {podKey, sink, store, now} = context;
  const stream: StampedStream = {podKey, stamps: emptyStreamStamps, held: {}};
  /** The time of the last reading. */
  let readAt = now();
  const readTime = (line: string) => readOwnTime(line, {now: readAt});
  const known = createKnownLines(readTime);
  let hasPast = !context.isNew;
  /** A loss was noted, and no line has come since. */
  let isLossOpen = false;
  /** More lines were to follow those that were taken last. */
  let isUnwritten = false;
  /** The last line that was served, if its end had not come. */
  let unfinished = '';
  /** The numbers of lines that were served without their end: the pod's next line is the rest. */
  let parts: readonly number[] = [];
  const storedParts = () => ({cursors: [{podKey, cursor: JSON.stringify(parts)}]});
  const addPart = () => {
    parts = [...parts, sink.window.last()].slice(-partsMax);
    return storedParts();
  };

  const writeRest = (): void => {
    if (isUnwritten) {
      isUnwritten = false;
      sink.store({});
    }
  };

  const beginRun = (outcome: string | undefined): RunReader => {
    /** Bytes past the last whole line. */
    let partial: Buffer = noBytes;
    /** The part of them that was served, because the line's end did not come. */
    let shown = '';
    /** The loss before this run has been noted. */
    let isLossNoted = false;

    const noteLoss = (): void => {
      if (!isLossNoted) {
        isLossNoted = true;
        isLossOpen = true;
        sink.noteLoss(stream, `the command ${outcome ?? 'was restarted'} and did not repeat its last line`);
      }
    };

    const takeLines = (lines: readonly string[], hasMore = false, changes?: () => StoredChanges): void => {
      if (lines.length === 0) {
        return;
      }
      if (known.front() === 'broken') {
        noteLoss();
      }
      isLossOpen = false;
      sink.take(stream, lines, {hasMore, ...(changes && {changes})});
      isUnwritten = hasMore;
    };

    /** Takes the rest of a line whose beginning was served, and returns the lines after it. */
    const finishShown = (lines: readonly string[]): readonly string[] => {
      const [whole, ...others] = shown === '' ? [] : lines;
      if (whole === undefined) {
        return lines;
      }
      // The whole line is remembered, too: another run repeats it as one.
      const isNew = known.takeNew([whole]).length > 0;
      const rest = whole.slice(shown.length);
      shown = '';
      unfinished = '';
      if (isNew && rest !== '') {
        takeLines([rest]);
      } else {
        parts = parts.slice(0, -1);
        sink.store(storedParts());
      }
      return others;
    };

    /** Serves what there is of a line whose end does not come. */
    const showPartial = (): void => {
      const {text} = readUnfinished(partial);
      if (shown === '' && text !== '') {
        shown = text;
        unfinished = text;
        takeLines(known.takeNew([text]), false, addPart);
      }
    };

    // The lines of each run have an order of their own, and may be older than those of the previous run.
    stream.stamps = emptyStreamStamps;
    known.beginRun(!hasPast, unfinished);
    if (!hasPast) {
      hasPast = true;
      if (store.isAnew) {
        sink.noteLoss(stream, unknownPast);
      }
      sink.store({startedPodKeys: [podKey]});
    }
    return {
      command,
      take: (bytes, {hasMore, atEnd}) => {
        readAt = now();
        const all = Buffer.concat([partial, bytes]);
        const {lines, bytesUsed} = splitLines(all, {atEnd, truncates: true});
        // A copy: the rest of a line must not keep the whole block alive.
        partial = Buffer.from(all.subarray(bytesUsed, bytesUsed + tooLongBytes));
        const isTorn = atEnd && all.length > 0;
        takeLines(known.takeNew(finishShown(lines)), hasMore, isTorn && shown === '' ? addPart : undefined);
        if (atEnd) {
          unfinished = isTorn ? (lines.at(-1) ?? '') : unfinished;
          takeLines(known.settle());
          writeRest();
        }
      },
      caughtUp: () => {
        writeRest();
        stream.stamps = {...stream.stamps, isBacklog: false};
      },
      // If no known line appeared, lines may be missing. One loss is enough until there are lines again.
      settle: () => {
        takeLines(known.settle());
        if (known.front() === 'broken' && !isLossOpen) {
          noteLoss();
        }
        showPartial();
      },
    };
  };

  return {
    start: async () => {
      parts = readParts(store.readCursor(podKey));
      const texts: string[] = [];
      for (const {sequence, line} of sink.window.linesAfter(0).filter(each => each.podKey === podKey)) {
        const text = line.slice(line.indexOf(' ') + 1);
        // A run repeats a line as a whole.
        texts.push(unfinished + text);
        unfinished = parts.includes(sequence) ? unfinished + text : '';
      }
      known.restore(texts, sink.window.dropped() > 0);
    },
    beginRun,
  };
};

const openCommandSource = ({command, folder}: CommandSettings, context: LineSourceContext): LineSource => {
  const {start, beginRun} = createCommandReader(command, context);
  const repeated = createRepeatedCommand(
    {
      // Arguments may contain secrets; name only the program.
      title: `The command of pod ${context.podName} (${basename(command[0] ?? '')})`,
      name: `the command ${basename(command[0] ?? '')}`,
      folder,
      kind: 'command',
      advice: 'it restarts after a pause, and readers see a gap unless it repeats its last lines.',
      beginRun,
    },
    context,
  );
  return {start, ...repeated};
};

/** The lines that a command prints to its standard output, such as `docker logs -f`. */
export const commandSource: LineSourceKind = {
  key: 'command',
  gives: 'a command that prints the log of the pod',
  otherKeys: [],
  read: (pod, {folder}): LineSourceSetup & CommandSettings => {
    const example = 'expected the program and each of its arguments as separate strings';
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
