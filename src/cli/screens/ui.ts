import type {Client} from '#api/client/client.ts';
import {installKeymap} from '#app/keys/keymap.ts';
import type {KnownSite} from '#app/state/state.ts';
import {type ParsedArguments, suggestCommand} from '#cli/arguments/args.ts';
import {readRecordingOptions} from '#cli/arguments/time-range.ts';
import {askedServiceOf} from '#cli/connection/asked-service.ts';
import type {RecordingOptions} from '#cli/connection/open-recording.ts';
import {contextChoices, contextLabel, knownSites, readContexts} from '#cli/connection/read-contexts.ts';
import {readSettings} from '#cli/connection/read-settings.ts';
import {openFilterMemory, readKeymap, readNotifyRules} from '#cli/connection/screen-settings.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {createSay, type Io} from '#cli/io/io.ts';
import {createScreenWarnings} from '#cli/open/cluster-remarks.ts';
import {createBranchMemory} from '#config/memory/branch-memory.ts';
import {readRecentSites, rememberSite} from '#config/memory/recent-sites.ts';
import {defaultLogSettings} from '#config/settings/config-file.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {defaultNotifySettings, defaultUiSettings} from '#config/settings/sections.ts';
import type {Settings} from '#config/settings/settings.ts';
import {type DeepLink, parseDeepLink} from '#log/words/deep-link.ts';
import {createGuardReader} from './read-guard.ts';
import {chooseUi} from './start/choose-ui.ts';

export type UiInput = {readonly parsed: ParsedArguments; readonly io: Io};

/**
 * Runs `branchlog [SITE [BRANCH]]` on a terminal. Throws `UsageError` if settings are missing, and `RecordingError` for
 * a file that can't be recorded to or played. Otherwise it ends the process itself.
 */
export const runUi = async ({parsed, io}: UiInput): Promise<number> => {
  const notices: string[] = [];
  const {recordPath, replayPath, speed} = readRecordingOptions(parsed, sentence => notices.push(sentence));
  return replayPath === undefined
    ? openLive({parsed, io}, recordPath, notices)
    : openReplayed({parsed, io}, replayPath, speed, notices);
};

const openLive = async ({parsed, io}: UiInput, recordPath: string | undefined, notices: readonly string[]) => {
  const settings = await readSettings(parsed, io);
  installKeymap(readKeymap(settings));
  const {context} = settings;
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const recent = await readRecentSites(stateFolder);
  const filterMemory = await openFilterMemory(settings.filters, stateFolder);
  const sites = knownSites(context, recent.sites);
  const [word] = parsed.operands;
  if (word !== undefined && findSite(sites, word) === undefined && suggestCommand(parsed) !== '') {
    throw new UsageError(`no site is called "${word}"; if that is its id, write branchlog -- ${word}`);
  }
  const {log} = settings;
  const warnings = createScreenWarnings();
  // Create the file before taking over the screen, so that an error message stays readable.
  const recording =
    recordPath === undefined
      ? undefined
      : await beginRecording(settings, io, {
          path: recordPath,
          context: askedServiceOf(context),
          log,
          clock: io.clock,
          say: warnings.warn,
        });
  const openUi = await chooseUi(parsed, io.env);
  // A recording belongs to one service.
  const contexts = recording === undefined ? await readContexts(settings, parsed, io) : [];
  let current = settings;
  return openUi({
    context: contextLabel(context),
    contexts: contextChoices(contexts, recent.sites),
    switchContext: name => {
      current =
        contexts
          .flatMap(each => (each.kind === 'settings' ? [each.settings] : []))
          .find(each => each.context.name === name) ?? current;
    },
    ...placeOf(parsed, sites),
    log,
    openClient: async show => {
      warnings.show(show);
      return recording?.client ?? openClient(current, io);
    },
    rememberSite: async openedId => {
      const here = knownSites(current.context, recent.sites);
      return rememberSite(stateFolder, {
        contextName: current.context.name,
        siteId: openedId,
        name: here.find(({id}) => id === openedId)?.name,
        openedAtMs: io.clock.nowMs(),
      });
    },
    ui: settings.ui,
    notify: settings.notify,
    notifyRules: await readNotifyRules(settings.notify),
    branchMemory: createBranchMemory(stateFolder),
    readGuard: createGuardReader(stateFolder, io.clock),
    filterMemory,
    notice: notices[0] ?? settings.warnings[0] ?? recent.notice ?? filterMemory.notice,
    onExit: async () => {
      await recording?.finish();
      warnings.repeat(createSay(io.stderr));
    },
  });
};

const openClient = async (settings: Settings, io: Io): Promise<Client> => {
  const {connect} = await import('#cli/connection/connect.ts');
  // Nothing may be written over the screen here; the token's notice comes with each answer.
  return connect(settings, io, () => {});
};

const beginRecording = async (settings: Settings, io: Io, options: RecordingOptions) => {
  const {openRecording} = await import('#cli/connection/open-recording.ts');
  return openRecording(await openClient(settings, io), options);
};

/** Opens the screens on a recording, which needs no config, token or network. */
const openReplayed = async ({parsed, io}: UiInput, path: string, speed: number, notices: readonly string[]) => {
  const {openReplayClient} = await import('#api/recording/replay-client.ts');
  const replay = await openReplayClient({path, speed, ...io.clock});
  const sites = replay.sites.map(({id, name}) => ({id, name, openedAtMs: undefined}));
  const openUi = await chooseUi(parsed, io.env);
  return openUi({
    context: {name: 'recording', host: replay.host, cutSaidBy: 'recording'},
    ...placeOf(parsed, sites),
    log: {...defaultLogSettings, intervalMs: replay.intervalMs, bufferMb: replay.bufferMb, pulseMs: undefined},
    openClient: async () => replay,
    isReplay: true,
    ui: defaultUiSettings,
    notify: defaultNotifySettings,
    notice: notices[0] ?? replay.notice,
    onExit: async () => {},
  });
};

/**
 * Returns where to start. SITE is an id or the name of a known site; BRANCH is looked up once the branches are known. A
 * single word may be a link to both.
 */
const placeOf = (parsed: ParsedArguments, sites: readonly KnownSite[]) => {
  const {site, branch, at} = readPlace(parsed, sites);
  const siteId = site === undefined ? undefined : (findSite(sites, site)?.id ?? site);
  const isKnown = siteId === undefined || sites.some(({id}) => id === siteId);
  return {
    sites: isKnown ? sites : [...sites, {id: siteId, name: undefined, openedAtMs: undefined}],
    siteId,
    branch,
    at,
  };
};

const findSite = (sites: readonly KnownSite[], word: string): KnownSite | undefined =>
  sites.find(({id, name}) => id === word || name === word);

/** A word that is a known site is not a link: names may contain slashes. */
const readPlace = (
  {operands: [site, branch]}: ParsedArguments,
  sites: readonly KnownSite[],
): {readonly [Part in keyof DeepLink]?: DeepLink[Part] | undefined} => {
  const link =
    site === undefined || branch !== undefined || findSite(sites, site) !== undefined ? undefined : parseDeepLink(site);
  return link ?? {site, branch};
};
