import {join} from 'node:path';
import {readStateFile, storedFields, takeStateFile, writeStateFile} from './state-file.ts';

/** The site of a listing. An id means nothing to another service, so the context is part of the key. */
export type SiteKey = {readonly contextName: string; readonly siteId: string};

type Listing = SiteKey & {readonly names: readonly string[]};

/** Users work on a few sites; the one listed longest ago is dropped first. */
const sitesMax = 20;
/** More names would not help completion. */
const namesMax = 300;
/** Nobody types a longer name; it can still be copied from `branchlog branches`. */
const nameCharsMax = 120;
/** All of the above at three bytes a character is about 2 MB. */
const fileBytesMax = 4 * 1024 * 1024;

const pathIn = (stateFolder: string): string => join(stateFolder, 'branch-names.json');

const decodeListing = (item: unknown): Listing[] => {
  const {contextName, siteId, names} = storedFields<Listing>(item);
  return typeof contextName === 'string' && typeof siteId === 'string' && Array.isArray(names)
    ? [{contextName, siteId, names: names.filter(name => typeof name === 'string').slice(0, namesMax)}]
    : [];
};

/**
 * Returns the stored listings, newest first. Returns none if they cannot be read, because completion can't report
 * errors.
 */
const readListings = async (stateFolder: string): Promise<readonly Listing[]> => {
  try {
    const json: unknown = JSON.parse((await readStateFile(pathIn(stateFolder), fileBytesMax)) ?? '[]');
    return Array.isArray(json) ? json.flatMap(decodeListing) : [];
  } catch {
    return [];
  }
};

const isOf = (listing: Listing, {contextName, siteId}: SiteKey): boolean =>
  listing.contextName === contextName && listing.siteId === siteId;

/** Returns the names of a site's branches as of its last listing. Never rejects. */
export const recallBranchNames = async (stateFolder: string, site: SiteKey): Promise<readonly string[]> =>
  (await readListings(stateFolder)).find(listing => isOf(listing, site))?.names ?? [];

/** Returns the sites of a context that were listed, newest first. Never rejects. */
export const recallListedSites = async (stateFolder: string, contextName: string): Promise<readonly string[]> =>
  (await readListings(stateFolder)).filter(listing => listing.contextName === contextName).map(({siteId}) => siteId);

/** Stores the names of a site's branches for completion, in `branch-names.json` of the state folder. Never rejects. */
export const rememberBranchNames = async (
  stateFolder: string,
  {contextName, siteId}: SiteKey,
  names: readonly string[],
): Promise<void> => {
  const kept = names.filter(({length}) => length <= nameCharsMax).slice(0, namesMax);
  const listing: Listing = {contextName, siteId, names: kept};
  const path = pathIn(stateFolder);
  await takeStateFile(path, async () => {
    const before = await readListings(stateFolder);
    if (JSON.stringify(before[0]) === JSON.stringify(listing)) {
      return;
    }
    const all = [listing, ...before.filter(each => !isOf(each, listing))].slice(0, sitesMax);
    // Without the file, completion offers no branches; nothing else depends on it.
    await writeStateFile(path, `${JSON.stringify(all)}\n`).catch(() => {});
  });
};
