import {ApiError} from '../api-error.ts';
import type {Branch} from './branch.ts';
import {readBranchFields} from './branch-fields.ts';
import {createFieldProblems, describeType, type FieldProblems} from './field-problems.ts';
import {createFieldReader, isJsonObject} from './field-reader.ts';
import {maskRecord} from './mask-record.ts';

/** A record without these, each of its type, is of no use. They are checked before secrets are masked. */
const required = ['_id', 'name', 'status'];

/**
 * Decodes the array of the branch listings (section 4). A record without a usable `_id`, `name` or `status` is skipped, any
 * other field of a wrong type is left out; both are noted in `skipped` with their path.
 * Throws an `ApiError` of kind `notInterface` where the answer is no array.
 */
export const decodeBranches = (json: unknown): {value: readonly Branch[]; skipped: readonly string[]} => {
  if (!Array.isArray(json)) {
    throw new ApiError(
      'notInterface',
      `the answer is not a list of branches: expected an array, got ${describeType(json)}`,
    );
  }
  const problems = createFieldProblems();
  const value = json
    .map((item, index) => decodeBranch(item, `[${index}]`, problems))
    .filter(branch => branch !== undefined);
  return {value, skipped: problems.list()};
};

const decodeBranch = (item: unknown, path: string, problems: FieldProblems): Branch | undefined => {
  if (!isJsonObject(item)) {
    problems.add(path, 'an object', item);
    return undefined;
  }
  const {_id, name, status = null} = item;
  if (typeof _id !== 'string' || _id === '') {
    problems.add(`${path}._id`, 'a string that is not empty', _id);
    return undefined;
  }
  if (typeof name !== 'string') {
    problems.add(`${path}.name`, 'a string', name);
    return undefined;
  }
  // A status of another type must not read as null: that would say "not built out" of a branch that may well run.
  if (status !== null && typeof status !== 'string') {
    problems.add(`${path}.status`, 'a string or null', status);
    return undefined;
  }
  const record = maskRecord(item, path, problems);
  if (!isJsonObject(record)) {
    return undefined;
  }
  const read = createFieldReader(record, path, problems);
  return {
    _id,
    name,
    status,
    ...readBranchFields(read, problems),
    // Last, when all fields that are known have been asked for.
    unknownFields: read.rest(required),
    record,
  };
};
