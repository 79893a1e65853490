import {basename, extname} from 'node:path';

/** Where a rotated file stands among its like: `.1`, `.2` count upwards into the past, dates and times rise. */
export type RotatedName =
  | {readonly kind: 'numbered'; readonly number: number}
  | {readonly kind: 'dated'; readonly digits: readonly bigint[]};

const compressedEnding = /\.(?:gz|zst|xz|bz2)$/;
/** Up to four digits are a number; a year alone does not tell one rotation from the next. */
const numberedSuffix = /^[-._]?(\d{1,4})$/;
const datedSuffix = /^[-._]?\d[\d\-_.:TZ]*$/;

const suffixOf = (name: string, base: string): string | undefined => {
  const plain = name.replace(compressedEnding, '');
  if (plain.startsWith(base)) {
    return plain.slice(base.length);
  }
  const extension = extname(base);
  const stem = basename(base, extension);
  return extension && plain.startsWith(stem) && plain.endsWith(extension)
    ? plain.slice(stem.length, -extension.length)
    : undefined;
};

/**
 * Reads the name that rotation gave to a log, compressed or not: `access.log.1`, `access.log-20250102.gz`,
 * `access-20250102.log`, `0.log.20250102-101112`. Undefined for every other name, the log's own included.
 */
export const parseRotatedName = (name: string, base: string): RotatedName | undefined => {
  const suffix = suffixOf(name, base);
  const number = suffix === undefined ? undefined : numberedSuffix.exec(suffix)?.[1];
  if (suffix === undefined || !datedSuffix.test(suffix)) {
    return undefined;
  }
  return number === undefined
    ? {kind: 'dated', digits: suffix.match(/\d+/g)?.map(BigInt) ?? []}
    : {kind: 'numbered', number: Number(number)};
};

/** Below zero where the first is of an earlier rotation; undefined where their names do not tell. */
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

/** Whether a name can be that of a copy of a log: the log's own with something put behind it or before its extension. */
export const isCopyName = (name: string, base: string): boolean =>
  name.length > base.length && name.startsWith(basename(base, extname(base)));
