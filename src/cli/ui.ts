import type {KnownSite} from '../app/state.ts';
import {findStateFolder} from '../config/find-folders.ts';
import {type RecentSite, readRecentSites, rememberSite} from '../config/recent-sites.ts';
import type {ContextSettings} from '../config/settings.ts';
import type {ParsedArguments} from './args.ts';
import {hasColour} from './has-colour.ts';
import type {Io} from './io.ts';
import {openScreens} from './open-screens.tsx';
import {readSettings} from './read-settings.ts';

export type UiInput = {readonly parsed: ParsedArguments; readonly io: Io};

/** `branchlog [SITE [BRANCH]]` on a terminal. Throws `UsageError` where settings are missing; else it ends the program by itself. */
export const runUi = async ({parsed, io}: UiInput): Promise<number> => {
  const settings = await readSettings(parsed, io);
  const {context} = settings;
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const recent = await readRecentSites(stateFolder);
  const sites = knownSites(context, recent.sites);
  const [site, branch] = parsed.operands;
  const siteId =
    site === undefined ? undefined : (sites.find(({id, name}) => id === site || name === site)?.id ?? site);
  return openScreens({
    context: {name: context.name, host: new URL(context.baseUrl).host},
    sites: siteId === undefined || sites.some(({id}) => id === siteId) ? sites : [...sites, unnamedSite(siteId)],
    siteId,
    branch,
    log: settings.log,
    openClient: async () => {
      const {connect} = await import('./connect.ts');
      // The screen is not ours to write on; what a token's notice says stands in `branchlog doctor`.
      return connect(settings, io, () => {});
    },
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
    notice: settings.warnings[0] ?? recent.notice,
    onExit: async () => {},
  });
};

const unnamedSite = (id: string): KnownSite => ({id, name: undefined, openedAtMs: undefined});

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
