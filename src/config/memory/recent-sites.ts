import {join} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {describeStateFault, readStateFile, storedFields, takeStateFile, writeStateFile} from './state-file.ts';

/** A site that was opened before. Sites are remembered per context, because an id means nothing to another service. */
export type RecentSite = {
  readonly contextName: string;
  readonly siteId: string;
  /** The name it was opened by, if it had one. */
  readonly name: string | undefined;
  /** Milliseconds since 1970. */
  readonly openedAtMs: number;
};

/** More than anybody scrolls through; keeps the file at a few kilobytes. */
export const recentSitesMax = 50;

/** Limits how much of a foreign or damaged file is read into memory. */
const fileBytesMax = 256 * 1024;

const pathIn = (stateFolder: string): string => join(stateFolder, 'recent-sites.json');

/**
 * Returns the sites opened before, newest first. Never throws: a file that cannot be read gives an empty list and a
 * `notice` for the status line. `stateFolder` is undefined on a machine without a home folder, where nothing is
 * remembered.
 */
export const readRecentSites = async (
  stateFolder: string | undefined,
): Promise<{readonly sites: readonly RecentSite[]; readonly notice: string | undefined}> => {
  if (stateFolder === undefined) {
    return {sites: [], notice: 'no home folder: recently opened sites are not remembered'};
  }
  const path = pathIn(stateFolder);
  try {
    const text = await readStateFile(path, fileBytesMax);
    const json: unknown = text === undefined ? undefined : JSON.parse(text);
    return Array.isArray(json)
      ? {sites: json.flatMap(decodeSite).slice(0, recentSitesMax), notice: undefined}
      : {sites: [], notice: `the recently opened sites were reset, because this is not a list of sites: ${path}`};
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return {sites: [], notice: undefined};
    }
    const why = error instanceof SyntaxError ? 'it is not JSON' : describeStateFault(error);
    return {sites: [], notice: `cannot read the recently opened sites (${why}): ${path}`};
  }
};

const decodeSite = (item: unknown): RecentSite[] => {
  const {contextName, siteId, name, openedAtMs} = storedFields<RecentSite>(item);
  return typeof contextName === 'string' && typeof siteId === 'string' && typeof openedAtMs === 'number'
    ? [{contextName, siteId, name: typeof name === 'string' ? name : undefined, openedAtMs}]
    : [];
};

/**
 * Puts a site at the front of the list and saves it. Never throws: returns a notice if the list could not be written.
 */
export const rememberSite = async (stateFolder: string | undefined, site: RecentSite): Promise<string | undefined> => {
  if (stateFolder === undefined) {
    return (await readRecentSites(stateFolder)).notice;
  }
  const path = pathIn(stateFolder);
  return takeStateFile(path, async () => {
    const {sites} = await readRecentSites(stateFolder);
    const others = sites.filter(({contextName, siteId}) => contextName !== site.contextName || siteId !== site.siteId);
    try {
      await writeStateFile(path, `${JSON.stringify([site, ...others].slice(0, recentSitesMax), null, 1)}\n`);
      return undefined;
    } catch (error) {
      return `cannot remember the site (${errorCodeOf(error)}): ${path}`;
    }
  });
};
