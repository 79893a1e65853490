import {flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {resolveSiteId} from '#cli/connection/choose-branches.ts';
import {knownSites} from '#cli/connection/read-contexts.ts';
import {readSettings, settingFlags} from '#cli/connection/read-settings.ts';
import type {Io} from '#cli/io/io.ts';
import {chosenContext, readChosenKubeconfig} from '#cli/open/kube-flags.ts';
import {recallBranchNames, recallListedSites} from '#config/memory/branch-names.ts';
import {readRecentSites} from '#config/memory/recent-sites.ts';
import {readConfigFile} from '#config/settings/config-file.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {findConfigPath} from '#config/settings/load-settings.ts';
import {sanitise} from '#log/text/sanitise.ts';

/** A candidate and its description. */
export type Candidate = {readonly word: string; readonly help: string};

/**
 * Control characters in a name could act on the terminal, and a leading dash reads as a flag: such names are not
 * offered. Their ids still are.
 */
const canBeOffered = (word: string): boolean => word !== '' && !word.startsWith('-') && sanitise(word) === word;

export const toCandidate = (word: string, help: string): Candidate[] =>
  canBeOffered(word) ? [{word, help: sanitise(help)}] : [];

/** Returns the contexts of the config file. Throws if it can't be read. */
export const knownContexts = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const {configPath} = findConfigPath({flags: settingFlags(parsed), env: io.env, homeFolder: io.homeFolder});
  const file = configPath === undefined ? undefined : await readConfigFile(configPath, io.homeFolder);
  return [...(file?.contexts ?? [])].flatMap(([name, {baseUrl}]) => toCandidate(name, baseUrl?.value ?? ''));
};

/** Returns the configured sites and those opened before. For the latter, only the id is certain to be understood. */
export const knownSiteNames = async (
  parsed: ParsedArguments,
  current: string,
  io: Io,
): Promise<readonly Candidate[]> => {
  const {context} = await readSettings(parsed, io);
  const {sites: recent} = await readRecentSites(findStateFolder(io.env, io.homeFolder));
  const configured = new Set(context.sites.map(({id}) => id));
  return knownSites(context, recent).flatMap(({id, name}) => {
    const byName = name !== undefined && configured.has(id) ? toCandidate(name, id) : [];
    // If the site has a name, offer the id only once it is being typed.
    const showsId = byName.length === 0 || (current !== '' && id.startsWith(current));
    return [...byName, ...(showsId ? toCandidate(id, name ?? 'site') : [])];
  });
};

/** Returns the branches of the typed site from its last listing, except those already on the line. */
export const knownBranchNames = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const {context} = await readSettings(parsed, io);
  const [siteWord = '', ...given] = parsed.operands;
  const site = {contextName: context.name, siteId: resolveSiteId(context.sites, siteWord)};
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const names = stateFolder === undefined ? [] : await recallBranchNames(stateFolder, site);
  return names.filter(name => !given.includes(name)).flatMap(name => toCandidate(name, 'branch'));
};

/** Returns the contexts of the kubeconfig. Throws if it can't be read. */
export const knownKubeContexts = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const {contexts} = await readChosenKubeconfig(parsed, io);
  return [...contexts.keys()].flatMap(name => toCandidate(name, 'context of the kubeconfig'));
};

/** Reads what is remembered of the cluster, which is never asked. */
const recall = async (
  parsed: ParsedArguments,
  io: Io,
  read: (stateFolder: string, contextName: string) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const contextName = chosenContext(parsed) ?? (await readChosenKubeconfig(parsed, io)).currentContext;
  return stateFolder === undefined || contextName === undefined ? [] : read(stateFolder, contextName);
};

/** Returns the namespaces that were opened before. */
export const knownNamespaces = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> =>
  (await recall(parsed, io, recallListedSites)).flatMap(name => toCandidate(name, 'namespace'));

/** Returns the branches of the typed namespace from its last listing, except those already on the line. */
export const knownWorkloads = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const flag = flagValue(parsed, 'namespace');
  const [siteId = '', ...given] = flag === undefined ? parsed.operands : [flag, ...parsed.operands];
  const names = await recall(parsed, io, (stateFolder, contextName) =>
    recallBranchNames(stateFolder, {contextName, siteId}),
  );
  return names.filter(name => !given.includes(name)).flatMap(name => toCandidate(name, 'branch'));
};
