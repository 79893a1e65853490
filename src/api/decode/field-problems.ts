/** A body full of wrong items must not produce as many notes; the rest are only counted. */
export const problemsMax = 100;

/** Paths contain keys of the answer, which may be of any length. */
export const problemCharsMax = 300;

/** Collects the problems of an answer, each with its path and never with the value, which may be a secret. */
export type FieldProblems = {
  add(path: string, expected: string, got: unknown): void;
  addNote(note: string): void;
  list(): readonly string[];
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
  const addNote = (note: string) => {
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
