import type {CommandInput} from '#cli/arguments/command-input.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {createProgress} from '#cli/io/progress.ts';
import {findHandOver, readHandedOver} from '#cli/open/find-hand-over.ts';
import {findWords, type NamedLog, openNamed} from '#cli/open/open-named.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {formatInstant, type Instant, instantFromMs} from '#log/line/instant.ts';
import {describeMarker} from '#log/words/describe-marker.ts';
import {describeError} from '#service/backend/errors.ts';
import {readPlainly} from '#service/files/find-opened.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {readPlainStream} from '#service/files/read-plain.ts';
import {createLineFormatter, printTheme} from './line-text.ts';
import {createSourcePrefix, runLogs} from './logs.ts';
import {printBytes, printMerged} from './print/print-bytes.ts';

/** Flags that choose lines: of the last lines, only some are printed. */
const choosing = ['grep', 'exclude', 'level', 'to'];

/** Read ahead of the last lines, so that what has no time of its own goes with the line that it belongs to. */
const traceLines = 200;

/** Printed lines are needed only to place a line or a gap among the last ones. */
const printedMb = 0.5;

/** Flags for which nothing has to be known of a line but its text and, among others, its time. */
const plainFlags: ReadonlySet<string> = new Set([
  ...['grep', 'exclude', 'level', 'before', 'after', 'around', 'format', 'highlight', 'color', 'config'],
  ...['rotated', 'prefix'],
]);

/** Lines around a match are of all files. */
const contextFlags = ['before', 'after', 'around'];

/** Returns the sum of some sizes; undefined if one is not known. */
const totalOf = (sizes: readonly (number | undefined)[]): number | undefined =>
  sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);

type Found = Awaited<ReturnType<typeof findWords>>;

/** Returns what is printed without a log, block by block; undefined where that is not so. */
const readAtOnce = async ({parsed, io}: CommandInput, find: () => Promise<Found>) => {
  const {operands, program = [], switches, values} = parsed;
  const [word = '-', ...others] = operands;
  const isPlain = [...values.keys(), ...switches].every(name => plainFlags.has(name));
  if (!isPlain || program.length > 0 || (values.get('format') ?? []).includes('json')) {
    return undefined;
  }
  if (word === '-' && others.length === 0) {
    const blocks = io.stdin.isTTY === true || switches.has('prefix') ? undefined : await readPlainStream(io.stdin);
    return (
      blocks && [{name: 'stdin', kind: 'live' as const, blocks: () => blocks, writtenAt: undefined, size: undefined}]
    );
  }
  const plain = await readPlainly((await find()).sources);
  return plain && plain.length > 1 && contextFlags.some(name => values.has(name)) ? undefined : plain;
};

/**
 * Prints files or a pipe whose lines need not be held: without a log. Returns undefined where that is not so.
 */
const printAtOnce = async (input: CommandInput, find: () => Promise<Found>): Promise<number | undefined> => {
  const {parsed, io, output, say, signal} = input;
  const sources = await readAtOnce(input, find);
  if (sources === undefined) {
    return undefined;
  }
  const options = readLogsOptions(parsed, say);
  const {log, ui} = await readPreferences(parsed, io);
  const theme = options.format === 'text' ? printTheme(io, ui.theme) : undefined;
  const {highlights, prefix} = options;
  const formatLine = createLineFormatter({colour: log.colour, theme, timestamps: 'none', highlights});
  const prefixOf = prefix ? createSourcePrefix(theme) : () => '';
  let code: number = exitCodes.done;
  const progress = createProgress(io, totalOf(sources.map(({size}) => size)));
  const onFault = (index: number, error: unknown, at?: Instant): void => {
    const {name = '', kind} = sources[index] ?? {};
    const now = instantFromMs(io.clock.nowMs());
    progress.end();
    if (kind === 'kept') {
      const gap = {
        kind: 'gap',
        id: 0,
        at: now,
        after: at ?? now,
        before: now,
        reason: 'told',
        source: {pod: name},
      } as const;
      say(describeMarker({...gap, why: `the file ${describeError(error)}`}, 'sentence', undefined, undefined, 'file'));
    } else {
      say(`${name} cannot be read any further (${describeError(error)})`);
      code = exitCodes.failed;
    }
  };
  const isAlone = sources.length === 1 && sources[0]?.kind !== 'kept';
  const read = async function* (blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const block of blocks) {
        yield block;
        progress.note(block.length);
      }
    } catch (error) {
      if (!isAlone) {
        throw error;
      }
      onFault(0, error);
    }
  };
  const printed = sources.map(({name, kind, blocks, writtenAt}) => ({
    ...{blocks: read(blocks()), writtenAt, isStream: kind !== 'files', source: {pod: name}},
  }));
  const how = {
    ...{options, output, signal, formatsAll: theme !== undefined || prefix, now: instantFromMs(io.clock.nowMs())},
    formatText: (line: LineEntry) => `${prefixOf(line.source)}${formatLine(line)}`,
    onFault,
  };
  const [first] = printed;
  await (isAlone && first ? printBytes(first.blocks, {...how, ...first}) : printMerged(printed, how)).finally(
    progress.end,
  );
  return code;
};

/**
 * Prints what was opened by name, as `logs` prints a branch. As with `cat`, what cannot be read makes it fail; so does
 * a command that fails, unless something else was asked for than its end.
 */
export const printOpened = async (input: CommandInput): Promise<number> => {
  const {parsed, io, say, atEnd} = input;
  const handed = await findHandOver(parsed, 'whole');
  if (handed !== undefined) {
    const {words, part, ...service} = readHandedOver(handed);
    const {log, ui} = await readPreferences(parsed, io);
    // Nothing comes after what was saved.
    const switches = new Set([...parsed.switches].filter(name => name !== 'follow'));
    return runLogs(
      {...input, parsed: {...parsed, operands: words, switches}},
      {
        ...(part === 'pod' ? {} : {isAsWritten: true, part}),
        openService: async () => ({...service, log: {...log, bufferMb: handed.head.bufferMb}, ui}),
      },
    );
  }
  let found: Promise<Found> | undefined;
  const find = () => {
    found ??= findWords(parsed, io);
    return found;
  };
  const atOnce = await printAtOnce(input, find);
  if (atOnce !== undefined) {
    return atOnce;
  }
  let opened: NamedLog | undefined;
  const code = await runLogs(
    {...input, parsed: {...parsed, operands: [openedId, openedId]}},
    {
      isAsWritten: true,
      part: 'file',
      openService: async ({tail, since, follow}) => {
        const {log, ui} = await readPreferences(parsed, io);
        const isChosen = choosing.some(name => parsed.values.has(name));
        opened = await openNamed(await find(), io, say, {
          back: {tail: isChosen || tail === undefined ? undefined : tail + traceLines, since},
          firstBytesMax: log.bufferMb * bytesPerMb,
          isAllAtOnce: tail === undefined ? undefined : true,
          follows: follow ?? false,
        });
        const {client, service, heldFrom, stop} = opened;
        atEnd(stop);
        const {at, why} = heldFrom();
        if (tail === undefined && since === undefined && why !== 'start') {
          say(
            `lines before ${formatInstant(at)} were left out: several files are put in order in memory, and buffer_mb holds no more`,
          );
        }
        return {client, service, log: {...log, bufferMb: printedMb}, ui};
      },
    },
  );
  const isOfEnd = !parsed.switches.has('follow') && !parsed.values.has('until');
  const isFailed = opened?.isIncomplete() || (isOfEnd && opened?.hasFailed());
  return code === exitCodes.done && isFailed ? exitCodes.failed : code;
};
