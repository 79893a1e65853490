import {UsageError} from '#cli/io/exit-codes.ts';
import {flagValue, type ParsedArguments} from './args.ts';

/** How much may be printed; undefined: as much as there is. */
export type PrintLimits = {readonly bytesMax: number | undefined; readonly rowsMax: number | undefined};

/** Less has no room for a line and the record that ends it. */
const bytesMin = 1_000;

const readCount = (parsed: ParsedArguments, name: string, min: number): number | undefined => {
  const value = flagValue(parsed, name);
  const [, digits, unit = ''] = /^(\d{1,9})(k?)$/i.exec(value ?? '') ?? [];
  const count = Number(digits) * (unit === '' ? 1 : 1024);
  if (value !== undefined && !(count >= min)) {
    throw new UsageError(`--${name}: expected a number of at least ${min}, such as 8000 or 8k, got "${value}"`);
  }
  return value === undefined ? undefined : count;
};

/**
 * Returns the limits of `--max-bytes` and `--max-lines`; undefined without them. `listFormat`: that of a list, of which
 * only records can be limited. Throws a `UsageError`.
 */
export const readLimits = (parsed: ParsedArguments, listFormat = 'json'): PrintLimits | undefined => {
  const limits = {bytesMax: readCount(parsed, 'max-bytes', bytesMin), rowsMax: readCount(parsed, 'max-lines', 1)};
  if (limits.bytesMax === undefined && limits.rowsMax === undefined) {
    return undefined;
  }
  if (listFormat !== 'json') {
    throw new UsageError('--max-bytes and --max-lines are for records: add --format json');
  }
  return limits;
};

/** Room for the record that ends what limits leave, in bytes. */
export const endBytes = 400;

/** Returns the first rows that fit limits, as far as they leave room for `endRows` more, of `endBytes`. */
export const takeFirst = (
  rows: readonly string[],
  {bytesMax = Number.POSITIVE_INFINITY, rowsMax = Number.POSITIVE_INFINITY}: PrintLimits,
  endRows: 0 | 1,
): readonly string[] => {
  let bytes = endRows * endBytes;
  const count = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(row) + 1;
    return bytes > bytesMax || index >= Math.max(1, rowsMax - endRows);
  });
  return count === -1 ? rows : rows.slice(0, count);
};
