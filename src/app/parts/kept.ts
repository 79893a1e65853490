/**
 * The last answer of a question that is asked for every frame. It is made together with the part of the state that the
 * question is about, and goes with it. It says what working the answer out again would say, only sooner, so two states
 * that differ in nothing else show the same screen.
 */
export type Kept<Answer> = {
  /** Returns the last answer if it was given for the same parts, compared with `===`, else makes a new one. */
  readonly answer: (parts: readonly unknown[], make: () => Answer) => Answer;
};

export const createKept = <Answer>(): Kept<Answer> => {
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
