import {readConfigFile} from '../../config/client/config-file.ts';
import {findConfigPath} from '../../config/client/load-settings.ts';
import {recallBranchNames} from '../../config/memory/branch-names.ts';
import {readRecentSites} from '../../config/memory/recent-sites.ts';
import {findStateFolder} from '../../config/values/find-folders.ts';
import {sanitise} from '../../log/text/sanitise.ts';
import type {ParsedArguments} from '../arguments/args.ts';
import type {Io} from '../io/io.ts';
import {knownSites} from '../service/read-contexts.ts';
import {readSettings, settingFlags} from '../service/read-settings.ts';
import {resolveSiteId} from '../service/resolve-site.ts';

/** A word that fits, and what it is. */
export type Candidate = {readonly word: string; readonly help: string};

/** A name that a terminal would act on can't be offered, nor one that reads as a flag; ids remain for them. */
const canBeOffered = (word: string): boolean => word !== '' && !word.startsWith('-') && sanitise(word) === word;

const candidate = (word: string, help: string): Candidate[] =>
  canBeOffered(word) ? [{word, help: sanitise(help)}] : [];

/** The contexts of the config file. Throws where it can't be read. */
export const knownContexts = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const {configPath} = findConfigPath({flags: settingFlags(parsed), env: io.env, homeFolder: io.homeFolder});
  const file = configPath === undefined ? undefined : readConfigFile(configPath, io.homeFolder);
  return [...(file?.contexts ?? [])].flatMap(([name, {baseUrl}]) => candidate(name, baseUrl?.value ?? ''));
};

/** The sites of the config, and those opened before. Of the latter only the id is sure to be understood. */
export const knownSiteNames = async (
  parsed: ParsedArguments,
  current: string,
  io: Io,
): Promise<readonly Candidate[]> => {
  const {context} = await readSettings(parsed, io);
  const {sites: recent} = await readRecentSites(findStateFolder(io.env, io.homeFolder));
  const configured = new Set(context.sites.map(({id}) => id));
  return knownSites(context, recent).flatMap(({id, name}) => {
    const byName = name !== undefined && configured.has(id) ? candidate(name, id) : [];
    // With a name the id is noise, until it is being typed.
    const showsId = byName.length === 0 || (current !== '' && id.startsWith(current));
    return [...byName, ...(showsId ? candidate(id, name ?? 'site') : [])];
  });
};

/** The branches of the site on the line as they were last listed, but for those that are on the line already. */
export const knownBranchNames = async (parsed: ParsedArguments, io: Io): Promise<readonly Candidate[]> => {
  const {context} = await readSettings(parsed, io);
  const [siteWord = '', ...given] = parsed.operands;
  const site = {contextName: context.name, siteId: resolveSiteId(context.sites, siteWord)};
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const names = stateFolder === undefined ? [] : await recallBranchNames(stateFolder, site);
  return names.filter(name => !given.includes(name)).flatMap(name => candidate(name, 'branch'));
};
