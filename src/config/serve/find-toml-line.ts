import {parse, TomlError} from 'smol-toml';

/** The end of a value that spans more lines than this is not searched for. */
const valueLinesMax = 1_000;

/** Splits `sites[0].name` into `sites`, 0, `name`. */
const splitPath = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key = '']) => (index === undefined ? key : Number(index)));

const resolve = (table: unknown, parts: readonly (string | number)[]): unknown =>
  parts.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(String(part)) : undefined,
    table,
  );

/**
 * Parses the file up to a line, or up to the end of the value that begins there; returns undefined if that value has no
 * end.
 */
const parseUpTo = (lines: readonly string[], lineNumber: number): unknown => {
  const lastNumber = Math.min(lines.length, lineNumber + valueLinesMax);
  for (let end = lineNumber; end <= lastNumber; end += 1) {
    try {
      return parse(lines.slice(0, end).join('\n'));
    } catch (error) {
      if (!(error instanceof TomlError)) {
        throw error;
      }
    }
  }
  return undefined;
};

/**
 * Returns the line number, from 1, on which a value of a valid TOML file begins. If the value does not exist, returns
 * the line of what would contain it. The parser keeps no positions, so this searches for the first line up to which the
 * file contains the value.
 */
export const findTomlLine = (text: string, path: string): number | undefined => {
  const lines = text.split('\n');
  for (let parts = splitPath(path); parts.length > 0; parts = parts.slice(0, -1)) {
    const name = parts.findLast(part => typeof part === 'string');
    const candidates = [...lines.keys()]
      .map(index => index + 1)
      .filter(number => lines[number - 1]?.includes(String(name)));
    let [low, high] = [0, candidates.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (resolve(parseUpTo(lines, candidates[middle] ?? 0), parts) === undefined) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const found = candidates[low];
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
};
