/** Longer words are not typing errors of a setting's name. */
const wordCharsMax = 64;

/** Letters to insert, drop, change or swap with their neighbour to get from one word to the other. */
export const countEdits = (from: string, to: string): number => {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({length: to.length + 1}, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(edits);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
};

/**
 * The word of `known` that was probably meant, if one is near: one edit away for short words, two for words of five
 * letters and more, a third of the letters for long ones. `_`, `-` and case do not count.
 */
export const findClosestWord = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > wordCharsMax) {
    return undefined;
  }
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, '');
  let best: {readonly word: string; readonly edits: number} | undefined;
  for (const candidate of known) {
    const edits = countEdits(plain(word), plain(candidate));
    const shorter = Math.min(word.length, candidate.length);
    const editsMax = shorter < 5 ? 1 : Math.max(2, Math.floor(shorter / 3));
    if (edits <= editsMax && (best === undefined || edits < best.edits)) {
      best = {word: candidate, edits};
    }
  }
  return best?.word;
};
