import {ApiError} from '../api-error.ts';
import type {Branch} from './branch.ts';
import {readBranchFields} from './branch-fields.ts';
import {createFieldProblems, describeType, type FieldProblems} from './field-problems.ts';
import {createFieldReader, isJsonObject} from './field-reader.ts';
import {maskRecord} from './mask-record.ts';

/** A record needs all of these, each of the right type. They are checked before secrets are masked. */
const required = ['_id', 'name', 'status'];

/**
 * Decodes the array of a branch listing (section 4). Skips a record without a valid `_id`, `name` or `status`, and
 * leaves out any other field of the wrong type; both are noted in `skipped` with their path.
 * Throws an `ApiError` of kind `notInterface` if the answer is not an array.
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
  // A status of another type must not be read as null: that would report a branch that may be running as "not built
  // out".
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
    // Must come last, after all known fields have been read.
    unknownFields: read.rest(required),
    record,
  };
};
