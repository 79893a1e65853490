import {stat} from 'node:fs/promises';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {createProgress} from '#cli/io/progress.ts';
import {findHandOver, readHandedOver} from '#cli/open/find-hand-over.ts';
import {type NamedLog, openNamed} from '#cli/open/open-named.ts';
import {formatInstant} from '#log/line/instant.ts';
import {describeError} from '#service/backend/errors.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {readPlain} from '#service/files/read-plain.ts';
import {createLineFormatter, printTheme} from './line-text.ts';
import {runLogs} from './logs.ts';
import {printBytes} from './print/print-bytes.ts';

/** Flags that choose lines: of the last lines, only some are printed. */
const choosing = ['grep', 'exclude', 'level', 'to'];

/** Read ahead of the last lines, so that what has no time of its own goes with the line that it belongs to. */
const traceLines = 200;

/** Printed lines are needed only to place a line or a gap among the last ones. */
const printedMb = 0.5;

/** Flags for which nothing has to be known of a line but its text, and of others. */
const plainFlags: ReadonlySet<string> = new Set([
  ...['grep', 'exclude', 'level', 'before', 'after', 'around', 'format', 'highlight', 'color', 'config'],
]);

/**
 * Prints a file or a pipe whose lines need not be put in order, nor be held, nor have a time: without a log. Returns
 * undefined where that is not so.
 */
const printAtOnce = async ({parsed, io, output, say, signal}: CommandInput): Promise<number | undefined> => {
  const {operands, program = [], switches, values} = parsed;
  const [word = '-'] = operands;
  const isPlain = [...values.keys(), ...switches].every(name => plainFlags.has(name));
  if (!isPlain || operands.length > 1 || program.length > 0 || (values.get('format') ?? []).includes('json')) {
    return undefined;
  }
  const blocks = word === '-' && io.stdin.isTTY === true ? undefined : await readPlain(word, io.stdin);
  if (blocks === undefined) {
    return undefined;
  }
  const options = readLogsOptions(parsed, say);
  const {log, ui} = await readPreferences(parsed, io);
  const theme = options.format === 'text' ? printTheme(io, ui.theme) : undefined;
  const {highlights} = options;
  const formatText = createLineFormatter({colour: log.colour, theme, timestamps: 'none', highlights});
  let code: number = exitCodes.done;
  const size = word === '-' ? undefined : await stat(word).catch(() => undefined);
  const progress = createProgress(io, size?.size);
  const readable = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const block of blocks) {
        yield block;
        progress.note(block.length);
      }
    } catch (error) {
      progress.end();
      say(`${word === '-' ? 'stdin' : word} cannot be read any further (${describeError(error)})`);
      code = exitCodes.failed;
    }
  };
  await printBytes(readable(), {
    ...{options, formatText, output, signal},
    hasColours: theme !== undefined,
    isStream: word === '-',
  }).finally(progress.end);
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
  const atOnce = await printAtOnce(input);
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
        opened = await openNamed(parsed, io, say, {
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
