import {installKeymap} from '../../app/keys/keymap.ts';
import type {EngineKind} from '../../service/docker/find-engine.ts';
import {readGivenRange} from '../arguments/time-range.ts';
import {createSay} from '../io/notices.ts';
import {createScreenWarnings} from '../kube/screen-warnings.ts';
import {findKeys} from '../open/find-keys.ts';
import {chooseUi} from '../screens/choose-ui.ts';
import type {UiInput} from '../screens/ui.ts';
import {readNotifyRules} from '../service/notify-rules.ts';
import {readKeymap} from '../service/read-keymap.ts';
import {readPreferences} from '../service/read-settings.ts';
import {firstReadOf} from './first-read-of.ts';
import {namedId, openEngine} from './open-engine.ts';

/**
 * Runs `branchlog open --docker [NAME…]` on a terminal: the log of what is named, or projects and their services.
 * Returns undefined where it prints instead.
 */
export const showContainers = async (kind: EngineKind, {parsed, io}: UiInput): Promise<number | undefined> => {
  const keys = findKeys(parsed, io);
  if (keys === undefined) {
    return undefined;
  }
  const {log, ui, notify, keys: bindings} = await readPreferences(parsed, io);
  installKeymap(readKeymap({keys: bindings}));
  const say = createSay(io.stderr);
  const warnings = createScreenWarnings();
  const {tail, since} = readGivenRange(parsed);
  const isNamed = parsed.operands.length > 0;
  const {client, service, sites, stop} = await openEngine(
    kind,
    parsed.operands,
    {
      bufferMb: log.bufferMb,
      firstRead: tail === undefined && since === undefined ? undefined : firstReadOf({tail, since}, io.clock.nowMs()),
      isOneLog: false,
    },
    {io, warn: warnings.warn},
  );
  const openUi = await chooseUi(parsed, io.env);
  const [only, ...others] = sites;
  return openUi({
    context: {name: service.name, host: service.host, parts: 'containers'},
    contexts: [],
    switchContext: () => {},
    sites: sites.map(id => ({id, name: undefined, openedAtMs: undefined})),
    siteId: others.length === 0 ? only : undefined,
    branch: isNamed ? namedId : undefined,
    log: {...log, keepsColour: log.colour === 'keep'},
    openClient: async show => {
      warnings.show(show);
      return client;
    },
    keys,
    isReplay: false,
    rememberSite: async () => undefined,
    ui,
    notify,
    notifyRules: await readNotifyRules(notify),
    notice: undefined,
    onExit: async () => {
      await stop();
      warnings.repeat(say);
    },
  });
};
