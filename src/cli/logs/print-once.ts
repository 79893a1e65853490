import type {CommandInput, ParsedArguments} from '#cli/arguments/args.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {createProgress} from '#cli/io/progress.ts';
import {beginningOf, type LogReading, type NamedSources} from '#cli/open/open-named.ts';
import type {Entry, GapMarker, LineEntry} from '#log/line/entry.ts';
import {type Instant, instantFromMs, latestOf, nanosPerSecond} from '#log/line/instant.ts';
import {describeMarker} from '#log/words/describe-marker.ts';
import {describeError} from '#service/backend/errors.ts';
import {type ReadFile, readOnce} from '#service/files/find-opened.ts';
import {blankWords, readPlainStream, skipHole} from '#service/files/read-plain.ts';
import {readEntries} from '#service/window/read-entries.ts';
import {createLineFormatter, printTheme} from './line-text.ts';
import {createSourcePrefix, runLogs} from './logs.ts';
import type {LogPrinter, ReachesBack} from './print/log-printer.ts';
import {mergeLines, type TimedLines} from './print/merge-lines.ts';
import {printBytes} from './print/print-bytes.ts';

/** Flags for which nothing has to be known of a line but its text and, among others, its time. */
const plainFlags: ReadonlySet<string> = new Set([
  ...['grep', 'exclude', 'level', 'before', 'after', 'around', 'format', 'highlight', 'color', 'config'],
  ...['rotated', 'prefix'],
]);

/** Lines around a match are of all files. */
const contextFlags = ['before', 'after', 'around'];

/** Whether lines are printed as they were written, without what a log knows of them. */
const isPlain = ({switches, values}: ParsedArguments): boolean =>
  [...values.keys(), ...switches].every(name => plainFlags.has(name)) && !(values.get('format') ?? []).includes('json');

/** Returns the sum of some sizes; undefined if one is not known. */
const totalOf = (sizes: readonly (number | undefined)[]): number | undefined =>
  sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);

/** What is printed as it is read, and what is said to be left out. */
export type Once = {readonly sources: readonly Omit<ReadFile, 'peek'>[]; readonly refusals: readonly string[]};

/** Finds files, or standard input, that are printed as they are read; undefined where more has to be known of them. */
export const findOnce = async (
  {parsed, io}: CommandInput,
  find: () => Promise<NamedSources>,
): Promise<Once | undefined> => {
  const {operands, program = [], switches} = parsed;
  const [word = '-', ...others] = operands;
  if (program.length > 0 || switches.has('follow')) {
    return undefined;
  }
  if (word === '-' && others.length === 0) {
    const isRead = isPlain(parsed) && io.stdin.isTTY !== true && !switches.has('prefix');
    const blocks = isRead ? await readPlainStream(io.stdin) : undefined;
    const stdin = {path: '-', name: 'stdin', kind: 'live', names: {}, head: Buffer.alloc(0), isPlain: true} as const;
    return blocks && {sources: [{...stdin, blocks: () => blocks}], refusals: []};
  }
  const found = await find();
  const sources = await readOnce(found.sources.filter(({refusal}) => refusal === undefined));
  return sources && {sources, refusals: found.sources.flatMap(({refusal}) => refusal ?? [])};
};

/** One of the sources while it is read. */
type Reading = Once['sources'][number] & {
  /** Where reading of it began. */
  from: number;
  /** The time of its first line, and that of the last so far; of now before any. */
  firstAt?: Instant | undefined;
  lastAt: Instant;
  /** Why it could not be read to its end. */
  error?: unknown;
};

/** Prints files, or standard input, as they are read: the files as far as `back` says. */
export const printOnce = async (
  input: CommandInput,
  {sources, refusals}: Once,
  {options, back}: {readonly options: LogsOptions; readonly back: LogReading['back']},
): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  const {log, ui} = await readPreferences(parsed, io);
  const {nowMs} = io.clock;
  const now = instantFromMs(nowMs());
  const beginsAt = beginningOf(back, {clock: io.clock, warn: say});
  const progress = createProgress(io, totalOf(sources.map(({size}) => size)));
  let isIncomplete = refusals.length > 0;
  refusals.forEach(say);

  /** Reads one to its end, or as far as it can be read. */
  const read = async function* (reading: Reading): AsyncGenerator<Buffer> {
    const {kind, name, path} = reading;
    const blocks = reading.blocks(async (...file) => {
      reading.from = await beginsAt(...file);
      return reading.from;
    });
    try {
      for await (const block of skipHole(blocks, () => say(blankWords(kind === 'files' ? path : name)))) {
        yield block;
        progress.note(block.length);
      }
    } catch (error) {
      reading.error = error;
    }
  };

  /** Tells why one could not be read to its end. Returns the gap in an archive, whose lines were all there. */
  const end = ({kind, name, lastAt, error}: Reading): GapMarker | undefined => {
    if (error === undefined) {
      return undefined;
    }
    progress.end();
    if (kind === 'kept') {
      const gap = {
        kind: 'gap',
        id: 0,
        at: lastAt,
        after: lastAt,
        before: now,
        reason: 'told',
        proof: 'counted',
      } as const;
      return {...gap, source: {pod: name}, why: `the file ${describeError(error)}`};
    }
    say(`${name} cannot be read any further (${describeError(error)})`);
    isIncomplete = true;
    return undefined;
  };

  const readings = sources.map((source): Reading => ({...source, from: 0, lastAt: now}));

  const printAsWritten = async (): Promise<void> => {
    const theme = options.format === 'text' ? printTheme(io, ui.theme) : undefined;
    const {highlights, prefix} = options;
    const formatLine = createLineFormatter({colour: log.colour, theme, timestamps: 'none', highlights});
    const prefixOf = prefix ? createSourcePrefix(theme) : () => '';
    const how = {
      ...{options, output, signal, formatsAll: theme !== undefined || prefix, now},
      formatText: (line: LineEntry) => `${prefixOf(line.source)}${formatLine(line)}`,
    };
    const isAlone = readings.length === 1;
    const printed = readings.map(reading => ({
      blocks: read(reading),
      writtenAt: reading.writtenAt,
      isStream: reading.kind !== 'files',
      source: {pod: reading.name},
      // A gap at the end of an archive is after a time.
      isUntimed: isAlone && reading.kind !== 'kept',
      onEnd: (lastAt: Instant) => {
        const gap = end({...reading, lastAt});
        if (gap) {
          say(describeMarker(gap, 'sentence', undefined, undefined, 'file'));
        }
      },
    }));
    await printBytes(printed, how);
  };

  const readLines = async function* (
    reading: Reading,
  ): AsyncGenerator<TimedLines & {readonly entries: readonly Entry[]}> {
    for await (const lines of readEntries(read(reading), {...reading, pod: reading.name, now})) {
      reading.firstAt ??= lines.entries[0]?.at;
      reading.lastAt = lines.entries.at(-1)?.at ?? reading.lastAt;
      yield lines;
    }
    const gap = end(reading);
    if (gap) {
      yield {entries: [gap], seconds: [Number(gap.at / nanosPerSecond)], nanos: [Number(gap.at % nanosPerSecond)]};
    }
  };

  /** Returns how far back what is read reaches, once something of each was. */
  const heldFrom = (firstAt = 0n): ReachesBack => {
    const cut = readings.filter(({from}) => from > 0).map(reading => reading.firstAt ?? reading.writtenAt);
    const at = latestOf(cut);
    // Where no line has a time, all have that of their reading.
    const arrivalsFrom = firstAt >= now ? now : undefined;
    return {at: at ?? firstAt, why: at === undefined ? 'start' : 'unread', arrivalsFrom};
  };

  const printAsLog = async (printer: LogPrinter): Promise<void> => {
    let isBegun = false;
    const print = (entries: readonly Entry[], hasMore: boolean): Promise<'goOn' | 'stop'> => {
      if (!isBegun) {
        printer.noteHeld(heldFrom(entries[0]?.at));
        isBegun = true;
      }
      const shown = entries.map(entry => ({entry, branchIndex: 0, isOfFirst: true}));
      return printer.print({entries: shown, serviceTimeMs: nowMs(), hasMore});
    };
    printer.noteProof(0, 'counted', '');
    for await (const runs of mergeLines(readings.map(readLines))) {
      signal.throwIfAborted();
      if (
        (await print(
          runs.flatMap(({lines, first, end}) => lines.entries.slice(first, end)),
          true,
        )) === 'stop'
      ) {
        return;
      }
    }
    await print([], false);
  };

  const isAsWritten =
    isPlain(parsed) &&
    sources.every(source => source.isPlain) &&
    (sources.length === 1 || !contextFlags.some(name => parsed.values.has(name)));
  const code = await (isAsWritten
    ? printAsWritten()
    : runLogs(input, {
        isAsWritten: true,
        part: 'file',
        readLines: ({createPrinter, themeOf}) => printAsLog(createPrinter([], log.colour, themeOf(ui.theme))),
      })
  ).finally(progress.end);
  return isIncomplete && (code ?? exitCodes.done) === exitCodes.done ? exitCodes.failed : (code ?? exitCodes.done);
};
