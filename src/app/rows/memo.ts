/**
 * The last result of a computation made for every frame. It belongs to the part of the state it is computed from and
 * goes away with it. It returns the same as computing again, only sooner, so two states that differ in nothing else
 * show the same screen.
 */
export type Memo<Answer> = {
  /** Returns the last answer if it was given for the same parts, compared with `===`, else makes a new one. */
  readonly answer: (parts: readonly unknown[], make: () => Answer) => Answer;
};

export const createMemo = <Answer>(): Memo<Answer> => {
  let last: {readonly parts: readonly unknown[]; readonly answer: Answer} | undefined;
  return {
    answer: (parts, make) => {
      const isSame =
        last !== undefined &&
        last.parts.length === parts.length &&
        last.parts.every((part, index) => part === parts[index]);
      if (last === undefined || !isSame) {
        last = {parts, answer: make()};
      }
      return last.answer;
    },
  };
};
