/** A body of wrong items must not become a list of as many notes; the number of the others is kept. */
export const problemsMax = 100;

/** Paths hold the keys of the answer, and a key may be of any length. */
export const problemCharsMax = 300;

/** Collects what was wrong in an answer, each with its path and never with the value itself, which may be a secret. */
export type FieldProblems = {
  add(path: string, expected: string, got: unknown): void;
  addNote(note: string): void;
  list(): readonly string[];
};

/** Names the type of a JSON value for a message: `null`, `an array`, `a string`, …, `nothing` where it is missing. */
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
