import type {CommandInput} from '#cli/arguments/command-input.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {type NamedLog, openNamed} from '#cli/open/open-named.ts';
import {formatInstant} from '#log/line/instant.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {runLogs} from './logs.ts';

/** Flags that choose lines: of the last lines, only some are printed. */
const choosing = ['grep', 'exclude', 'level', 'to'];

/** Read ahead of the last lines, so that what has no time of its own goes with the line that it belongs to. */
const traceLines = 200;

/** What was printed is needed no more: only to place a line or a gap among the last ones. */
const printedMb = 0.5;

/**
 * Prints what was opened by name, as `logs` prints a branch. As with `cat`, what cannot be read makes it fail; so does
 * a command that fails, unless something else was asked for than its end.
 */
export const printOpened = async (input: CommandInput): Promise<number> => {
  const {parsed, io, say, atEnd} = input;
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
