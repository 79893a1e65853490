import type {CommandInput} from '#cli/arguments/args.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {findHandOver, readHandedOver} from '#cli/open/find-hand-over.ts';
import {findWords, type NamedLog, type NamedSources, openNamed} from '#cli/open/open-named.ts';
import {formatInstant} from '#log/line/instant.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {runLogs} from './logs.ts';
import {findOnce, printOnce} from './print-once.ts';

/** Flags that choose lines: of the last lines, only some are printed. */
const choosing = ['grep', 'exclude', 'level', 'to'];

/** Read ahead of the last lines, so that what has no time of its own goes with the line that it belongs to. */
const traceLines = 200;

/** Printed lines are needed only to place a line or a gap among the last ones. */
const printedMb = 0.5;

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
  // What is to be said of them is said when they are printed.
  const options = readLogsOptions(parsed, () => undefined);
  let found: Promise<NamedSources> | undefined;
  const find = () => {
    found ??= findWords(parsed, io);
    return found;
  };
  const once = await findOnce(input, find);
  const isChosen = choosing.some(name => parsed.values.has(name));
  const {since, tail} = options;
  const back = {since, tail: isChosen || tail === undefined ? undefined : tail + traceLines};
  if (once !== undefined) {
    return printOnce(input, once, {options, back});
  }
  let opened: NamedLog | undefined;
  const code = await runLogs(
    {...input, parsed: {...parsed, operands: [openedId, openedId]}},
    {
      isAsWritten: true,
      part: 'file',
      openService: async ({follow}) => {
        const {log, ui} = await readPreferences(parsed, io);
        opened = await openNamed(await find(), io, say, {
          back,
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
