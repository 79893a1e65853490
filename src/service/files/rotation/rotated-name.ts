import {basename, dirname, extname} from 'node:path';

/** The place of a rotated file among its siblings: `.1`, `.2` count into the past, dates and times ascend. */
export type RotatedName =
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
