import {installKeymap} from '../../app/keys/keymap.ts';
import {findStateFolder} from '../../config/values/find-folders.ts';
import {openedId} from '../../service/opened/opened-backend.ts';
import {readGivenRange} from '../arguments/time-range.ts';
import {bytesPerMb} from '../io/bytes-per-mb.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {loadPart} from '../io/load-part.ts';
import {createSay} from '../io/notices.ts';
import {createScreenWarnings} from '../kube/screen-warnings.ts';
import {openFilterMemory} from '../memory/filter-memory.ts';
import {findKeys} from '../open/find-keys.ts';
import {openNamed} from '../open/open-named.ts';
import {readNotifyRules} from '../service/notify-rules.ts';
import {readKeymap} from '../service/read-keymap.ts';
import {readPreferences} from '../service/read-settings.ts';
import {chooseUi} from './choose-ui.ts';
import type {UiInput} from './ui.ts';

/** Lines of a file that are read before the first frame: more than a screen has, and soon there. */
const firstLines = 250;
/** Lines that are read after those, to scroll and to search. */
const backLines = 20_000;

/**
 * Runs `branchlog open` on a terminal. Returns undefined where there is none, or where the command line asks for text:
 * then it prints. Throws a `UsageError` before the screens are open.
 */
export const runOpen = async ({parsed, io}: UiInput): Promise<number | undefined> => {
  const keys = findKeys(parsed, io);
  if (keys === undefined) {
    return undefined;
  }
  const {log, ui, notify, keys: bindings, filters} = await readPreferences(parsed, io);
  installKeymap(readKeymap({keys: bindings}));
  const say = createSay(io.stderr);
  const warnings = createScreenWarnings();
  const {tail, since} = readGivenRange(parsed);
  const opened = await openNamed(parsed, io, warnings.warn, {
    back: {tail: Math.min(tail ?? firstLines, firstLines), since},
    wantedLines: tail ?? (since === undefined ? backLines : 0),
    firstBytesMax: log.bufferMb * bytesPerMb,
    isAllAtOnce: false,
    follows: true,
  });
  if (parsed.switches.has('quit-if-one-screen')) {
    const {printSmall} = await loadPart(() => import('../open/print-small.ts'));
    if (await printSmall(opened, io, say)) {
      await opened.stop();
      return exitCodes.done;
    }
  }
  const openUi = await chooseUi(parsed, io.env);
  return openUi({
    context: {name: opened.name, host: opened.service.host, parts: 'none'},
    contexts: [],
    switchContext: () => {},
    sites: [{id: openedId, name: undefined, openedAtMs: undefined}],
    siteId: openedId,
    branch: openedId,
    // What is opened by name is read once: a look would take lines from the log.
    log: {...log, keepsColour: log.colour === 'keep', pulseMs: undefined},
    isAtHand: true,
    openClient: async show => {
      warnings.show(show);
      return opened.client;
    },
    keys,
    isReplay: false,
    rememberSite: async () => undefined,
    ui,
    notify,
    notifyRules: await readNotifyRules(notify),
    filterMemory: await openFilterMemory(filters, findStateFolder(io.env, io.homeFolder)),
    notice: undefined,
    onExit: async () => {
      await opened.stop();
      warnings.repeat(say);
    },
  });
};
