import {readdir, readlink, realpath, stat} from 'node:fs/promises';
import {basename, dirname, extname, join, resolve, sep} from 'node:path';
import {setNewest} from '#base/bounds.ts';
import {resolveLinks} from '#base/system/open-regular.ts';
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
export const findSiblingFiles = async (paths: readonly string[]): Promise<readonly FoundFile[]> => {
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

/** Words for what was rotated last and before that, with their places before number 1. */
const wordRanks: ReadonlyMap<string, number> = new Map([
  ['old', 0.1],
  ['prev', 0.1],
  ['previous', 0.1],
  ['older', 0.2],
  ['oldest', 0.3],
]);
const wordSuffix = /^[-._](old|prev|previous|older|oldest)$/;

const compressedEnding = /\.(?:gz|zst|xz|bz2)$/;
/** Up to four digits are a number; a year alone does not distinguish one rotation from the next. */
const numberedSuffix = /^[-._]?(\d{1,4})$/;
const datedSuffix = /^[-._]{0,2}\d[\d\-_.:TZ]*$/;
/** Before a name, or of a folder with files that kept theirs: a year, month and day at least. */
const datedPrefix = /^(?=(?:\D*\d){6})\d[\d\-_.:TZ]*$/;

const digitsOf = (text: string): readonly bigint[] => text.match(/\d+/g)?.map(BigInt) ?? [];

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
 * `access-20250102.log`, `app__2025-01-02_00-00-00.log`, `0.log.20250102-101112`, `2025-01-02-app.log`, `app.log.old`.
 * Returns undefined for any other name, including the log's own.
 */
export const parseRotatedName = (name: string, base: string): RotatedName | undefined => {
  const suffix = suffixOf(name, base);
  if (/\d$/.test(basename(base, extname(base))) && suffix !== undefined && /^\d/.test(suffix)) {
    // `worker10.log` is no rotation of `worker1.log`.
    return undefined;
  }
  if (suffix === undefined) {
    const plain = name.replace(compressedEnding, '');
    const prefix = plain.endsWith(base) ? plain.slice(0, -base.length) : '';
    return datedPrefix.test(prefix) ? {kind: 'dated', digits: digitsOf(prefix)} : undefined;
  }
  const rank = wordRanks.get(wordSuffix.exec(suffix)?.[1] ?? '');
  const number = rank ?? numberedSuffix.exec(suffix)?.[1];
  if (number !== undefined) {
    return {kind: 'numbered', number: Number(number)};
  }
  return datedSuffix.test(suffix) ? {kind: 'dated', digits: digitsOf(suffix)} : undefined;
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

/** Does the same for a path, also of a file that kept its name in a folder for a day. */
export const parseRotatedPath = (path: string, base: string): RotatedName | undefined => {
  const [name, folder] = [basename(path), basename(dirname(path))];
  return name.replace(compressedEnding, '') === base && datedPrefix.test(folder)
    ? {kind: 'dated', digits: digitsOf(folder)}
    : parseRotatedName(name, base);
};

/** Returns the path, among those that exist, of the log whose rotation gave a file this one; undefined if none. */
export const findRotatedFrom = (path: string, exists: (path: string) => boolean): string | undefined => {
  const plain = path.replace(compressedEnding, '');
  const extension = extname(plain);
  const isOf = (other: string): boolean => exists(other) && isRotatedFrom(path, other);
  for (const [start, end] of [
    [plain, ''],
    [plain.slice(0, plain.length - extension.length), extension],
  ] as const) {
    // The part added by rotation begins where digits and separators do.
    for (let cut = start.length - 1; cut > 0 && /[\d\-_.:TZ]/.test(start[cut] ?? ''); cut -= 1) {
      if (isOf(start.slice(0, cut) + end)) {
        return start.slice(0, cut) + end;
      }
    }
  }
  const unnamed = [
    plain.slice(0, plain.length - extension.length),
    join(dirname(plain), basename(plain).replace(/^\d[\d\-_.:TZ]*(?=[^\d\-_.:TZ])/, '')),
  ];
  return unnamed.find(isOf);
};

/** Checks whether rotation gave one path to the file at another one. */
export const isRotatedFrom = (path: string, other: string): boolean =>
  path.includes(basename(other, extname(other))) &&
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
 * and those whose names have its own. If `isSought` is given and true of none of these, finds all files there.
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
        const rotated = bases.map(base => parseRotatedPath(found.path, base)).find(parsed => parsed !== undefined);
        const isCopy = rotated !== undefined || bases.some(base => isCopyName(name, base));
        const neighbour = {found, rotated, isCopy};
        // A link to the log is a neighbour too; the name given by rotation takes precedence.
        if (rotated || !files.get(identifyFile(found))?.rotated) {
          files.set(identifyFile(found), neighbour);
        }
      }
    }
    return [...files.values()];
  };
  const likely = await find(name => stems.some(stem => name.includes(stem)));
  return !isSought || likely.some(({found}) => isSought(found)) ? likely : find(() => true);
};

/** Two rotated files with their numbers; compressed later, a file may have a time that is too late. */
const numberedOf = ({found, rotated}: Neighbour) =>
  rotated?.kind === 'numbered'
    ? [{number: rotated.number, modifiedMs: found.modifiedMs, isPacked: compressedEnding.test(found.path)}]
    : [];

/** Returns whether numbers ascend: a file with a higher one than another was written clearly later. */
const doNumbersAscend = (neighbours: readonly Neighbour[]): boolean => {
  const numbered = neighbours.flatMap(numberedOf).toSorted((left, right) => left.number - right.number);
  return numbered.some((higher, index) => {
    const lower = numbered[index - 1];
    const isLater = lower !== undefined && higher.modifiedMs > lower.modifiedMs + roundedMsMax;
    return isLater && (lower.isPacked || !higher.isPacked);
  });
};

/**
 * Returns what compares the rotation times of two files, negative if the first is of an earlier one. Dates in names
 * decide alone: the kubelet compresses later, and the compressed file has the time of the compression. So do numbers
 * that count into the past, as most programs give them; where they ascend, they may begin again, and times decide.
 */
const createAgeOrder = (neighbours: readonly Neighbour[]) => {
  const isAscending = doNumbersAscend(neighbours);
  return (left: Neighbour, right: Neighbour): number => {
    const byTime = left.found.modifiedMs - right.found.modifiedMs;
    const byName = left.rotated && right.rotated && compareRotatedNames(left.rotated, right.rotated);
    if (byName === undefined || !isAscending || left.rotated?.kind !== 'numbered') {
      return byName ?? byTime;
    }
    return Math.abs(byTime) > roundedMsMax ? byTime : -byName;
  };
};

/** Returns the rotated files, oldest first. */
export const sortRotated = (neighbours: readonly Neighbour[]): readonly Neighbour[] =>
  neighbours.filter(file => file.rotated !== undefined).toSorted(createAgeOrder(neighbours));

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
  const from = neighbours.find(file => isSameFile(file.found, holder));
  if (!from) {
    return {between: [], isComplete: true};
  }
  // Rotation under other names shows by that of the file that was read last. What is still written is another log.
  const form = formOf(basename(from.found.path));
  const bornNs = neighbours.find(({found}) => isCurrent(found))?.found.bornNs || undefined;
  const untilMs = bornNs === undefined ? Number.POSITIVE_INFINITY : Number(bornNs / 1_000_000n) + roundedMsMax;
  const isOfSeries = ({found}: Neighbour): boolean =>
    form.includes('#') && formOf(basename(found.path)) === form && found.modifiedMs <= untilMs;
  const rotated = neighbours.filter(file => file.rotated || (!from.rotated && isOfSeries(file)));
  const compareAge = createAgeOrder(rotated);
  // The current log may have been rotated itself meanwhile: it has a number then.
  const current = rotated.find(({found}) => isCurrent(found));
  const later = rotated.filter(
    file =>
      file !== from && file !== current && compareAge(from, file) < 0 && (!current || compareAge(file, current) < 0),
  );
  // During compression both forms exist; the plain one is complete.
  const once = later.filter(
    file => !later.some(other => isSameRotation(file, other) && other.found.path.length < file.found.path.length),
  );
  const {rotated: place} = from;
  const numbers = rotated.flatMap(file => (file.rotated?.kind === 'numbered' ? [file.rotated.number] : []));
  const lowest = Math.min(...numbers);
  const first = lowest >= startMin ? lowest : 1;
  const isComplete =
    place?.kind !== 'numbered' ||
    doNumbersAscend(rotated) ||
    Array.from({length: place.number - first}, (_, index) => index + first).every(number => numbers.includes(number));
  return {between: once.toSorted(compareAge).map(file => file.found), isComplete};
};
