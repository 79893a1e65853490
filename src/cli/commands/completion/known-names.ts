import type {ParsedArguments} from '#cli/arguments/args.ts';
import {resolveSiteId} from '#cli/connection/choose-branches.ts';
import {knownSites} from '#cli/connection/read-contexts.ts';
import {readSettings, settingFlags} from '#cli/connection/read-settings.ts';
import type {Io} from '#cli/io/io.ts';
import {recallBranchNames} from '#config/memory/branch-names.ts';
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
