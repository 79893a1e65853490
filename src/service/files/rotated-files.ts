import {readdir, readlink, realpath, stat} from 'node:fs/promises';
import {basename, dirname, extname, join, resolve, sep} from 'node:path';
import {setNewest} from '#base/bounds.ts';
import {resolveLinks} from '#base/system/resolve-path.ts';
import {type FoundFile, findReadable, identifyFile, isSameFile} from './disk/find-files.ts';

/** Names of a folder that are looked at. */
const namesMax = 4096;

/** Replaces numbers, dates and hashes: what stays is the same in the names of a series. */
const formOf = (name: string): string => name.replaceAll(/[0-9a-f]{7,}|\d+/g, '#');

/**
 * Finds the files that belong to the same series as two that a link led to: their paths are the same but for one part,
 * in which only numbers, dates or hashes differ, such as `app-2.log`, or `releases/17/app.log`. `from` is undefined if
 * it is not known; files beside `to` belong to it then.
 */
export const findSeries = async (from: string | undefined, to: string): Promise<readonly FoundFile[]> => {
  const parts = to.split(sep);
  const others = from?.split(sep) ?? [];
  const differing = parts.flatMap((part, index) => (part === others[index] ? [] : [index]));
  const isOnePart = others.length === parts.length && differing.length === 1;
  const place = (isOnePart ? differing[0] : undefined) ?? parts.length - 1;
  const folder = parts.slice(0, place).join(sep) || sep;
  const form = formOf(parts[place] ?? '');
  const names = await readdir(folder).catch(() => []);
  const series = names.filter(name => formOf(name) === form && form.includes('#')).slice(0, namesMax);
  return findReadable(series.map(name => join(folder, name, ...parts.slice(place + 1))));
};

/** Finds the files in the folders of these paths. */
export const findBeside = async (paths: readonly string[]): Promise<readonly FoundFile[]> => {
  const folders = [...new Set(paths.map(path => dirname(path)))];
  const names = await Promise.all(
    folders.map(async folder => (await readdir(folder).catch(() => [])).map(name => join(folder, name))),
  );
  return findReadable(names.flat().slice(0, namesMax));
};

/** The place of a rotated file among its siblings: `.1`, `.2` count into the past, dates and times ascend. */
type RotatedName =
  | {readonly kind: 'numbered'; readonly number: number}
  | {readonly kind: 'dated'; readonly digits: readonly bigint[]};

const compressedEnding = /\.(?:gz|zst|xz|bz2)$/;
/** Up to four digits are a number; a year alone does not distinguish one rotation from the next. */
const numberedSuffix = /^[-._]?(\d{1,4})$/;
const datedSuffix = /^[-._]?\d[\d\-_.:TZ]*$/;

/** `addextension .bak`. Without an extension of its own, `app` may have `app.1.log` beside it, which is another log. */
const addedExtension = /(?<=\d)\.[A-Za-z]\w{0,9}$/;

const suffixOf = (name: string, base: string): string | undefined => {
  const plain = name.replace(compressedEnding, '');
  if (plain.startsWith(base)) {
    const suffix = plain.slice(base.length);
    return extname(base) === '' ? suffix : suffix.replace(addedExtension, '');
  }
  const extension = extname(base);
  const stem = basename(base, extension);
  return extension && plain.startsWith(stem) && plain.endsWith(extension)
    ? plain.slice(stem.length, -extension.length)
    : undefined;
};

/**
 * Parses the name that rotation gave to a log, compressed or not: `access.log.1`, `access.log-20250102.gz`,
 * `access-20250102.log`, `0.log.20250102-101112`. Returns undefined for any other name, including the log's own.
 */
export const parseRotatedName = (name: string, base: string): RotatedName | undefined => {
  const suffix = suffixOf(name, base);
  if (/\d$/.test(basename(base, extname(base))) && suffix !== undefined && /^\d/.test(suffix)) {
    // `worker10.log` is no rotation of `worker1.log`.
    return undefined;
  }
  const number = suffix === undefined ? undefined : numberedSuffix.exec(suffix)?.[1];
  if (suffix === undefined || !datedSuffix.test(suffix)) {
    return undefined;
  }
  return number === undefined
    ? {kind: 'dated', digits: suffix.match(/\d+/g)?.map(BigInt) ?? []}
    : {kind: 'numbered', number: Number(number)};
};

/** Returns a negative number if the first name is of an earlier rotation; undefined if the names do not tell. */
export const compareRotatedNames = (left: RotatedName, right: RotatedName): number | undefined => {
  if (left.kind === 'numbered' && right.kind === 'numbered') {
    return right.number - left.number;
  }
  if (left.kind === 'dated' && right.kind === 'dated') {
    for (const [index, digits] of left.digits.entries()) {
      const other = right.digits[index] ?? -1n;
      if (digits !== other) {
        return digits < other ? -1 : 1;
      }
    }
    return left.digits.length - right.digits.length;
  }
  return undefined;
};

/**
 * Checks whether a name could be that of a copy of a log: the log's own name with something added at the end or before
 * its extension.
 */
export const isCopyName = (name: string, base: string): boolean =>
  name.length > base.length && name.startsWith(basename(base, extname(base)));

/** Returns the path, among those that exist, of the log whose rotation gave a file this one; undefined if none. */
export const findRotatedFrom = (path: string, exists: (path: string) => boolean): string | undefined => {
  const plain = path.replace(compressedEnding, '');
  const extension = extname(plain);
  for (const [start, end] of [
    [plain, ''],
    [plain.slice(0, plain.length - extension.length), extension],
  ] as const) {
    // What rotation added begins where digits and separators do.
    for (let cut = start.length - 1; cut > 0 && /[\d\-_.:TZ]/.test(start[cut] ?? ''); cut -= 1) {
      const other = start.slice(0, cut) + end;
      if (exists(other) && isRotatedFrom(path, other)) {
        return other;
      }
    }
  }
  return undefined;
};

/** Checks whether rotation gave one path to the file at another one. */
export const isRotatedFrom = (path: string, other: string): boolean =>
  path.startsWith(other.slice(0, other.length - extname(other).length)) &&
  dirname(path) === dirname(other) &&
  parseRotatedName(basename(path), basename(other)) !== undefined;

/**
 * Subfolders of a log's folder that are searched for rotated files (`olddir`): such a folder has few, a home directory
 * many.
 */
const subfoldersMax = 32;

/** Compressors copy the modification time of the plain file, and may round it to seconds. */
const roundedMsMax = 1_000;

/** A file beside a log, with what its name says about its rotation. */
export type Neighbour = {
  readonly found: FoundFile;
  readonly rotated: RotatedName | undefined;
  readonly isCopy: boolean;
};

/** Returns the links on the way of a path and what it leads to, even if nothing exists there now. */
export const listWay = async (path: string): Promise<readonly string[]> => {
  const target = await followLink(path);
  if (target === path) {
    return [path];
  }
  const {links} = await resolveLinks(path).catch(() => ({links: []}));
  return [target, ...links.map(link => link.path)];
};

/** Resolves the links of a path, even if nothing exists there now. */
const followLink = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    const target = await readlink(path).catch(() => undefined);
    return target === undefined ? path : resolve(dirname(path), target);
  }
};

/** Folders whose entries are remembered: hundreds of logs of one folder are rotated at once. */
const listingsMax = 64;
/** A folder that changed this recently may change again without a new time. */
const settledMs = 100;

type Listing = {readonly modifiedNs: bigint; readonly names: readonly string[]; readonly folders: readonly string[]};

const listings = new Map<string, Listing>();

/** Lists a folder, again only if it changed; nothing if it cannot be read. */
const listFolder = async (folder: string): Promise<Pick<Listing, 'names' | 'folders'>> => {
  const known = listings.get(folder);
  try {
    const {mtimeNs: modifiedNs, mtimeMs} = await stat(folder, {bigint: true});
    if (known?.modifiedNs === modifiedNs) {
      return known;
    }
    listings.delete(folder);
    const isSettled = Number(mtimeMs) + settledMs < Date.now();
    const entries = await readdir(folder, {withFileTypes: true});
    const folders = entries.filter(entry => entry.isDirectory()).map(entry => join(folder, entry.name));
    const listing = {modifiedNs, names: entries.map(entry => entry.name), folders};
    if (isSettled) {
      setNewest(listings, folder, listing, listingsMax);
    }
    return listing;
  } catch {
    return {names: [], folders: []};
  }
};

/**
 * Finds the files beside a log, beside its link target, and in the folders directly below, each once: the log itself
 * and those whose names begin like its own. If `isSought` is given and true of none of these, finds all files there.
 */
export const findNeighbours = async (
  path: string,
  isSought?: (found: FoundFile) => boolean,
): Promise<readonly Neighbour[]> => {
  const paths = [...new Set([path, await followLink(path)])];
  const bases = paths.map(each => basename(each));
  const stems = bases.map(base => basename(base, extname(base)));
  const beside = [...new Set(paths.map(each => dirname(each)))];
  const below = (await Promise.all(beside.map(listFolder))).flatMap(({folders}) => folders.slice(0, subfoldersMax));
  const folders = new Set([...beside, ...below]);
  const find = async (isWanted: (name: string) => boolean): Promise<readonly Neighbour[]> => {
    const files = new Map<string, Neighbour>();
    for (const folder of folders) {
      const names = (await listFolder(folder)).names.filter(isWanted);
      for (const found of await findReadable(names.map(name => join(folder, name)))) {
        const name = basename(found.path);
        const rotated = bases.map(base => parseRotatedName(name, base)).find(parsed => parsed !== undefined);
        const neighbour = {found, rotated, isCopy: bases.some(base => isCopyName(name, base))};
        // A link to the log is a neighbour too; the name given by rotation takes precedence.
        if (rotated || !files.get(identifyFile(found))?.rotated) {
          files.set(identifyFile(found), neighbour);
        }
      }
    }
    return [...files.values()];
  };
  const likely = await find(name => stems.some(stem => name.startsWith(stem)));
  return !isSought || likely.some(({found}) => isSought(found)) ? likely : find(() => true);
};

/**
 * Compares the rotation times of two files. Dates in names decide alone: the kubelet compresses later, and the
 * compressed file has the time of the compression. Numbers decide only if the modification times agree, because some
 * programs count the other way.
 */
const isLater = (file: Neighbour, than: Neighbour): boolean => {
  const order = file.rotated && than.rotated && compareRotatedNames(than.rotated, file.rotated);
  if (order === undefined) {
    return file.found.modifiedMs > than.found.modifiedMs;
  }
  return order < 0 && (file.rotated?.kind === 'dated' || file.found.modifiedMs + roundedMsMax >= than.found.modifiedMs);
};

const compareAge = (left: Neighbour, right: Neighbour): number =>
  (left.rotated && right.rotated && compareRotatedNames(left.rotated, right.rotated)) ??
  left.found.modifiedMs - right.found.modifiedMs;

/** Returns the rotated files, oldest first. */
export const sortRotated = (neighbours: readonly Neighbour[]): readonly Neighbour[] =>
  neighbours.filter(file => file.rotated !== undefined).toSorted(compareAge);

const isSameRotation = (left: Neighbour, right: Neighbour): boolean =>
  left.rotated !== undefined && right.rotated !== undefined && compareRotatedNames(left.rotated, right.rotated) === 0;

/** Where no lower number is there, logrotate counts from this one (`start 5`): nobody removes the newest files only. */
const startMin = 3;

/**
 * Returns the files rotated after the one that was read last and before the current log, oldest first. `isComplete` is
 * false if numbers in the names show that one is missing.
 */
export const findBetween = (
  neighbours: readonly Neighbour[],
  holder: FoundFile,
  isCurrent: (found: FoundFile) => boolean,
): {readonly between: readonly FoundFile[]; readonly isComplete: boolean} => {
  const rotated = neighbours.filter(file => file.rotated !== undefined);
  const from = neighbours.find(file => isSameFile(file.found, holder));
  if (!from) {
    return {between: [], isComplete: true};
  }
  const later = rotated.filter(file => file !== from && !isCurrent(file.found) && isLater(file, from));
  // During compression both forms exist; the plain one is complete.
  const once = later.filter(
    file => !later.some(other => isSameRotation(file, other) && other.found.path.length < file.found.path.length),
  );
  const {rotated: place} = from;
  // The current log may have been rotated itself meanwhile: it has a number then.
  const numbers = rotated.flatMap(file => (file.rotated?.kind === 'numbered' ? [file.rotated.number] : []));
  const lowest = Math.min(...numbers);
  const first = lowest >= startMin ? lowest : 1;
  const isComplete =
    place?.kind !== 'numbered' ||
    Array.from({length: place.number - first}, (_, index) => index + first).every(number => numbers.includes(number));
  return {between: sortRotated(once).map(file => file.found), isComplete};
};
