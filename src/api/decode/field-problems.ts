import {ApiError} from '../client/api-error.ts';

/** A body full of wrong items must not produce as many notes; the rest are only counted. */
export const problemsMax = 100;

/** Paths contain keys of the answer, which may be of any length. */
export const problemCharsMax = 300;

/**
 * Collects the problems of an answer, each with its path and never with the value, which may be a secret. What is added
 * returns undefined, which stands for what can't be decoded.
 */
export type FieldProblems = {
  add(path: string, expected: string, got: unknown): undefined;
  addNote(note: string): undefined;
  list(): readonly string[];
};

/** Returns what is to be a list, or throws an `ApiError` of kind `notInterface`. */
export const listIn = (json: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(json)) {
    throw new ApiError('notInterface', `the answer is not ${what}: expected an array, got ${describeType(json)}`);
  }
  return json;
};

/** Names the type of a JSON value for a message: `null`, `an array`, `a string`, …, or `nothing` if it is missing. */
export const describeType = (value: unknown): string => {
  if (value === undefined) {
    return 'nothing';
  }
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

export const createFieldProblems = (): FieldProblems => {
  const notes: string[] = [];
  let dropped = 0;
  const addNote = (note: string): undefined => {
    if (notes.length < problemsMax) {
      notes.push(note.length > problemCharsMax ? `${note.slice(0, problemCharsMax)}…` : note);
    } else {
      dropped += 1;
    }
  };
  return {
    add: (path, expected, got) => addNote(`${path}: expected ${expected}, got ${describeType(got)}`),
    addNote,
    list: () => (dropped === 0 ? notes : [...notes, `and ${dropped} more`]),
  };
};
