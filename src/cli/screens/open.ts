import {readGivenRange} from '#cli/arguments/time-range.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {loadPart} from '#cli/io/load-part.ts';
import {findHandOver} from '#cli/open/find-hand-over.ts';
import {findKeys} from '#cli/open/find-keys.ts';
import {findWords, openNamed} from '#cli/open/open-named.ts';
import {startOfLog} from '#log/line/unread.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {prepareScreens} from './start/prepare-screens.ts';
import type {UiInput} from './ui.ts';

/** Lines of a file that are read before the first frame: more than a screen has, and soon there. */
const firstLines = 250;
/** Lines that are read after those, to scroll and to search. */
const backLines = 20_000;

/**
 * Runs `branchlog open` on a terminal. Returns undefined where there is none, or where the command line asks for text:
 * then it prints. Throws a `UsageError` before the screens are open.
 */
export const runOpen = async (input: UiInput): Promise<number | undefined> => {
  const {parsed, io} = input;
  const keys = findKeys(parsed, io);
  if (keys === undefined) {
    return undefined;
  }
  const {log, say, warn, show} = await prepareScreens(input);
  const handed = await findHandOver(parsed, 'place');
  if (handed !== undefined) {
    const {showHandOver} = await loadPart(() => import('./show-hand-over.ts'));
    return show({...showHandOver(handed, log), keys});
  }
  const {tail, since} = readGivenRange(parsed);
  const opened = await openNamed(await findWords(parsed, io), io, warn, {
    back: {tail: Math.min(tail ?? firstLines, firstLines), since},
    wantedLines: tail ?? (since === undefined ? backLines : 0),
    firstBytesMax: log.bufferMb * bytesPerMb,
    isAllAtOnce: false,
    follows: true,
  });
  if (parsed.switches.has('quit-if-one-screen')) {
    const {printSmall} = await loadPart(() => import('#cli/logs/print-small.ts'));
    if (await printSmall(opened, io, say)) {
      await opened.stop();
      return opened.isIncomplete() || opened.hasFailed() ? exitCodes.failed : exitCodes.done;
    }
  }
  return show({
    context: {name: opened.name, host: opened.service.host, parts: 'none'},
    siteIds: [openedId],
    branch: openedId,
    // Nothing was named: called as a pager, it begins at the beginning.
    at: [...parsed.operands, ...(parsed.program ?? [])].length === 0 ? startOfLog : undefined,
    // A log that is opened by name is read only once: a glance at it would take lines away from the log.
    log: {...log, pulseMs: undefined},
    isAtHand: true,
    client: opened.client,
    keys,
    stop: opened.stop,
  });
};
