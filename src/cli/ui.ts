import type {Client} from '../api/client.ts';
import type {KnownSite} from '../app/state.ts';
import {findStateFolder} from '../config/find-folders.ts';
import {type RecentSite, readRecentSites, rememberSite} from '../config/recent-sites.ts';
import type {ContextSettings, Settings} from '../config/settings.ts';
import type {ParsedArguments} from './args.ts';
import {hasColour} from './has-colour.ts';
import type {Io} from './io.ts';
import type {Say} from './notices.ts';
import type {Recording, RecordingOptions} from './open-recording.ts';
import {openScreens} from './open-screens.tsx';
import {readSettings} from './read-settings.ts';
import {readRecordingOptions} from './recording-options.ts';

export type UiInput = {readonly parsed: ParsedArguments; readonly io: Io};

/**
 * `branchlog [SITE [BRANCH]]` on a terminal. Throws `UsageError` where settings are missing and `RecordingError` for a file that
 * can't be recorded to or played; else it ends the program by itself.
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
  const {context} = settings;
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const recent = await readRecentSites(stateFolder);
  const sites = knownSites(context, recent.sites);
  const log = settings.log;
  // Until the screens are open nobody can be told; then it is a notice.
  let say: Say = () => {};
  // The file is made before the screen is taken over, so that a sentence about it can be read.
  const recording =
    recordPath === undefined
      ? undefined
      : await beginRecording(settings, io, {path: recordPath, context, log, clock: io.clock, say: words => say(words)});
  return openScreens({
    context: {name: context.name, host: new URL(context.baseUrl).host},
    ...placeOf(parsed, sites),
    log,
    openClient: async tell => {
      say = tell;
      return recording?.client ?? openClient(settings, io);
    },
    isReplay: false,
    rememberSite: async openedId => {
      const name = sites.find(({id}) => id === openedId)?.name;
      return rememberSite(stateFolder, {
        contextName: context.name,
        siteId: openedId,
        name,
        openedAtMs: io.clock.nowMs(),
      });
    },
    hasColour: hasColour(io.stdout, io.env),
    notice: notices[0] ?? settings.warnings[0] ?? recent.notice,
    onExit: async () => recording?.finish(),
  });
};

const openClient = async (settings: Settings, io: Io): Promise<Client> => {
  const {connect} = await import('./connect.ts');
  // The screen is not ours to write on; what a token's notice says comes with each answer.
  return connect(settings, io, () => {});
};

const beginRecording = async (settings: Settings, io: Io, options: RecordingOptions): Promise<Recording> => {
  const {openRecording} = await import('./open-recording.ts');
  return openRecording(await openClient(settings, io), options);
};

/** A recording needs neither config nor token nor network. */
const openReplayed = async ({parsed, io}: UiInput, path: string, speed: number, notices: readonly string[]) => {
  const {openReplay} = await import('./open-replay.ts');
  const replay = await openReplay(path, speed, io.clock);
  const sites = replay.sites.map(({id, name}) => ({id, name, openedAtMs: undefined}));
  return openScreens({
    context: {name: 'recording', host: replay.host},
    ...placeOf(parsed, sites),
    log: {intervalMs: replay.intervalMs, bufferMb: replay.bufferMb},
    openClient: async () => replay,
    isReplay: true,
    rememberSite: async () => undefined,
    hasColour: hasColour(io.stdout, io.env),
    notice: notices[0] ?? replay.notice,
    onExit: async () => {},
  });
};

/** Where to begin: SITE is an id or the name of a known site, BRANCH is looked up when the branches are known. */
const placeOf = (parsed: ParsedArguments, sites: readonly KnownSite[]) => {
  const [site, branch] = parsed.operands;
  const siteId =
    site === undefined ? undefined : (sites.find(({id, name}) => id === site || name === site)?.id ?? site);
  const isKnown = siteId === undefined || sites.some(({id}) => id === siteId);
  return {sites: isKnown ? sites : [...sites, {id: siteId, name: undefined, openedAtMs: undefined}], siteId, branch};
};

/** The configured sites, then those that were opened before and are in no config. */
const knownSites = (
  {name: contextName, sites}: ContextSettings,
  recent: readonly RecentSite[],
): readonly KnownSite[] => {
  const here = recent.filter(site => site.contextName === contextName);
  const openedAt = new Map(here.map(site => [site.siteId, site.openedAtMs]));
  const configured = sites.map(({id, name}) => ({id, name, openedAtMs: openedAt.get(id)}));
  const others = here
    .filter(({siteId}) => !sites.some(({id}) => id === siteId))
    .map(({siteId, name, openedAtMs}) => ({id: siteId, name, openedAtMs}));
  return [...configured, ...others];
};
