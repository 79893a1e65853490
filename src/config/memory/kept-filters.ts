import {join} from 'node:path';
import {filtersMax, namedFiltersMax, promptCharsMax} from '#base/bounds.ts';
import {errorCodeOf} from '#base/error-code.ts';
import {describeStateFault, readStateFile, storedFields, takeStateFile, writeStateFile} from './state-file.ts';

/** Filters kept by a name, each as typed after `+` or `-`. */
export type KeptFilters = {readonly name: string; readonly filters: readonly string[]};

/** Limits how much of a foreign or damaged file is read into memory. */
const fileBytesMax = 1024 * 1024;

const pathIn = (stateFolder: string): string => join(stateFolder, 'filters.json');

type Read = {readonly kept: readonly KeptFilters[]; readonly notice: string | undefined};

/** Returns the filters kept by a name. Never throws: a file that cannot be read gives none, and a notice. */
export const readKeptFilters = async (stateFolder: string | undefined): Promise<Read> => {
  if (stateFolder === undefined) {
    return {kept: [], notice: undefined};
  }
  const path = pathIn(stateFolder);
  try {
    const text = await readStateFile(path, fileBytesMax);
    const json: unknown = text === undefined ? undefined : JSON.parse(text);
    return Array.isArray(json)
      ? {kept: json.flatMap(decodeKept).slice(0, namedFiltersMax), notice: undefined}
      : {kept: [], notice: `the saved filters were reset, because this is not a list of filters: ${path}`};
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return {kept: [], notice: undefined};
    }
    const why = error instanceof SyntaxError ? 'it is not JSON' : describeStateFault(error);
    return {kept: [], notice: `cannot read the saved filters (${why}): ${path}`};
  }
};

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= promptCharsMax + 1;

const decodeKept = (item: unknown): readonly KeptFilters[] => {
  const {name, filters} = storedFields<KeptFilters>(item);
  return isText(name) && Array.isArray(filters) && filters.every(isText)
    ? [{name, filters: filters.slice(0, filtersMax)}]
    : [];
};

/**
 * Keeps filters by a name, or forgets it if there are none. Never throws: returns a notice if they could not be
 * written.
 */
export const keepFilters = async (
  stateFolder: string | undefined,
  {name, filters}: KeptFilters,
): Promise<string | undefined> => {
  if (stateFolder === undefined) {
    return filters.length === 0 ? undefined : 'no home folder: filters are kept until you quit';
  }
  const path = pathIn(stateFolder);
  return takeStateFile(path, async () => {
    const {kept, notice} = await readKeptFilters(stateFolder);
    if (notice !== undefined) {
      return notice;
    }
    const others = kept.filter(each => each.name !== name);
    const all = filters.length === 0 ? others : [...others, {name, filters}];
    try {
      await writeStateFile(path, `${JSON.stringify(all.slice(-namedFiltersMax), null, 1)}\n`);
      return undefined;
    } catch (error) {
      return `cannot save the filters (${errorCodeOf(error)}): ${path}`;
    }
  });
};
