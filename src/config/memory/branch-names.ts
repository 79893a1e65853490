import {join} from 'node:path';
import {readStateFile, writeStateFile} from './state-file.ts';

/** The site that a listing was of: an id means nothing to another service. */
export type SiteKey = {readonly contextName: string; readonly siteId: string};

type Listing = SiteKey & {readonly names: readonly string[]};

/** People work on a few sites; the one listed longest ago goes first. */
const sitesMax = 20;
/** More names than these are no help to anyone who completes one. */
const namesMax = 300;
/** Nobody types a longer name; it can still be completed by hand from `branchlog branches`. */
const nameCharsMax = 120;
/** All of the above with three bytes a letter come to about 2 MB. */
const fileBytesMax = 4 * 1024 * 1024;

const pathIn = (stateFolder: string): string => join(stateFolder, 'branch-names.json');

const decodeListing = (item: unknown): Listing[] => {
  if (typeof item !== 'object' || item === null) {
    return [];
  }
  const {contextName, siteId, names}: {[K in keyof Listing]?: unknown} = item;
  return typeof contextName === 'string' && typeof siteId === 'string' && Array.isArray(names)
    ? [{contextName, siteId, names: names.filter(name => typeof name === 'string').slice(0, namesMax)}]
    : [];
};

/** What was kept, the last listing first. What cannot be read is nothing: completion has nobody to tell. */
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

/** The names of a site's branches as they were last listed. Never rejects. */
export const recallBranchNames = async (stateFolder: string, site: SiteKey): Promise<readonly string[]> =>
  (await readListings(stateFolder)).find(listing => isOf(listing, site))?.names ?? [];

/** Keeps the names of a site's branches for completion, in `branch-names.json` of the state folder. Never rejects. */
export const rememberBranchNames = async (
  stateFolder: string,
  {contextName, siteId}: SiteKey,
  names: readonly string[],
): Promise<void> => {
  const kept = names.filter(({length}) => length <= nameCharsMax).slice(0, namesMax);
  const listing: Listing = {contextName, siteId, names: kept};
  const before = await readListings(stateFolder);
  if (JSON.stringify(before[0]) === JSON.stringify(listing)) {
    return;
  }
  const all = [listing, ...before.filter(each => !isOf(each, listing))].slice(0, sitesMax);
  // Without the file completion offers no branches; nothing else depends on it.
  await writeStateFile(pathIn(stateFolder), `${JSON.stringify(all)}\n`).catch(() => {});
};
