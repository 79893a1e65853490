import type {ContextLabel} from '#app/parts/frame.ts';
import type {ContextChoice, KnownSite} from '#app/state/state.ts';
import {serviceAddress} from '#base/service-address.ts';
import {flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import type {Io} from '#cli/io/io.ts';
import type {RecentSite} from '#config/memory/recent-sites.ts';
import {loadSettings} from '#config/settings/load-settings.ts';
import type {ContextSettings, Settings} from '#config/settings/settings.ts';

/** Environment settings for one context must not be sent to another one's service, least of all its token. */
const ofOneContext = [
  'BRANCHLOG_CONTEXT',
  'BRANCHLOG_BASE_URL',
  'BRANCHLOG_TENANT',
  'BRANCHLOG_AUTH_MODE',
  'BRANCHLOG_TOKEN_FILE',
  'BRANCHLOG_TOKEN',
];

/** The settings of a context, or what is wrong with them. */
export type ContextSettled =
  | {readonly kind: 'settings'; readonly settings: Settings}
  | {readonly kind: 'fault'; readonly name: string; readonly sentence: string};

/**
 * Returns the contexts of the config file, in its order. The context chosen at the start includes flags and
 * environment; the others are as in the file, because flags and environment were meant for that one. A chosen context
 * that is not in the file comes first.
 */
export const readContexts = async (
  settings: Settings,
  parsed: ParsedArguments,
  io: Io,
): Promise<readonly ContextSettled[]> => {
  const env = Object.fromEntries(Object.entries(io.env).filter(([name]) => !ofOneContext.includes(name)));
  const {context, contextNames} = settings;
  const chosen: ContextSettled = {kind: 'settings', settings};
  const settled = contextNames.map(async (name): Promise<ContextSettled> => {
    if (name === context.name) {
      return chosen;
    }
    try {
      const flags = {config: flagValue(parsed, 'config'), context: name};
      return {kind: 'settings', settings: await loadSettings({flags, env, homeFolder: io.homeFolder})};
    } catch (error) {
      return {kind: 'fault', name, sentence: error instanceof Error ? error.message : String(error)};
    }
  });
  const all = await Promise.all(settled);
  return contextNames.includes(context.name) ? all : [chosen, ...all];
};

/** Converts the contexts for the sites screen. */
export const contextChoices = (
  contexts: readonly ContextSettled[],
  recent: readonly RecentSite[],
): readonly ContextChoice[] =>
  contexts.map(each =>
    each.kind === 'settings'
      ? {label: contextLabel(each.settings.context), sites: knownSites(each.settings.context, recent)}
      : {
          label: {name: each.name, host: ''},
          sites: [],
          fault: `the context ${each.name} can't be used: ${each.sentence}`,
        },
  );

export const contextLabel = ({name, baseUrl, window}: ContextSettings): ContextLabel => ({
  name,
  host: serviceAddress(baseUrl).host,
  cutSaidBy: window === undefined ? undefined : 'context',
});

/** Returns the configured sites, then those opened before that are not configured. */
export const knownSites = (
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
