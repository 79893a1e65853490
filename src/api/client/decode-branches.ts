import {isTable, type Table} from '#base/table.ts';
import type {Branch} from './answer.ts';
import {readBranchFields} from './branch-fields.ts';
import {createFieldProblems, createFieldReader, decodeObjects, type FieldProblems, listIn} from './field-reader.ts';
import {maskRecord} from './mask-record.ts';

/** Fields that are read before secrets are masked. */
const readUnmasked = ['_id', 'name', 'status'];

/** A decoded listing; the parts of an `Answer` with these names. */
type DecodedBranches = {value: readonly Branch[]; skipped: readonly string[]; withoutId: number};

/**
 * Decodes the array of a branch listing (section 4). A record with fields of the wrong type keeps the others: its
 * branch may be running, and must not vanish. Only a record without a valid `_id` is left out, as nothing could be
 * asked for; `withoutId` counts those. All is noted in `skipped` with its path.
 * Throws an `ApiError` of kind `notInterface` if the answer is not an array.
 */
export const decodeBranches = (json: unknown): DecodedBranches => {
  const list = listIn(json, 'a list of branches');
  const problems = createFieldProblems();
  const value = decodeObjects(list, '', problems, (item, path) => decodeBranch(item, path, problems));
  return {value, skipped: problems.list(), withoutId: list.length - value.length};
};

const decodeBranch = (item: Table, path: string, problems: FieldProblems): Branch | undefined => {
  const {_id, name, status = null} = item;
  if (typeof _id !== 'string' || _id === '') {
    return problems.add(`${path}._id`, 'a string that is not empty', _id);
  }
  const record = maskRecord(item, path, problems);
  if (!isTable(record)) {
    return undefined;
  }
  const {malformed, noting} = noteMalformed(path, problems);
  const isNamed = typeof name === 'string';
  if (!isNamed) {
    noting.add(`${path}.name`, 'a string', name);
  }
  const hasStatus = status === null || typeof status === 'string';
  if (!hasStatus) {
    noting.add(`${path}.status`, 'a string or null', status);
  }
  const read = createFieldReader(record, path, noting);
  return {
    _id,
    name: isNamed ? name : _id,
    // A status of another type must not be read as null: a branch that may be running would be "not built out".
    status: hasStatus ? status : undefined,
    ...readBranchFields(read, noting),
    malformed: [...malformed.values()],
    // Must come last, after all known fields have been read.
    unknownFields: read.rest(readUnmasked),
    record,
  };
};

/** Collects which fields of the record at `path` are malformed, and passes the problems on. */
const noteMalformed = (
  path: string,
  problems: FieldProblems,
): {readonly malformed: ReadonlyMap<string, string>; readonly noting: FieldProblems} => {
  const malformed = new Map<string, string>();
  const noting: FieldProblems = {
    ...problems,
    add: (at, expected, got) => {
      const field = at.slice(path.length + 1);
      // An index tells items apart, not fields: no field that is read has digits in its name.
      const kind = field.replaceAll(/\d+/g, '');
      if (!malformed.has(kind)) {
        malformed.set(kind, field);
      }
      return problems.add(at, expected, got);
    },
  };
  return {malformed, noting};
};
