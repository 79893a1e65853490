/**
 * Longer words are not compared: the cost grows with the product of the lengths, and long words are not typing errors.
 */
const wordCharsMax = 64;

/**
 * Counts the edits that turn one word into the other: inserting, deleting, replacing a letter, or swapping two
 * neighbours.
 */
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
 * Returns the candidates that were probably meant by a word, those with the fewest edits: at most one edit for short
 * words, two for words of five letters and more, a third of the letters for long ones; or those that begin with the
 * word. Ignores `_`, `-` and case.
 */
export const findClosestWords = (word: string, candidates: Iterable<string>, countMax = 3): readonly string[] => {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, '');
  const wanted = plain(word);
  if (wanted === '' || word.length > wordCharsMax) {
    return [];
  }
  return [...new Set(candidates)]
    .flatMap(candidate => {
      const found = plain(candidate);
      const shorter = Math.min(wanted.length, found.length);
      const editsMax = shorter < 5 ? 1 : Math.max(2, Math.floor(shorter / 3));
      const isBeginning = wanted.length >= 3 && found.startsWith(wanted) && found !== wanted;
      if (!isBeginning && Math.abs(wanted.length - found.length) > editsMax) {
        return [];
      }
      const edits = isBeginning ? 1 : countEdits(wanted, found);
      return edits <= editsMax ? [{candidate, edits}] : [];
    })
    .sort((a, b) => a.edits - b.edits)
    .filter(({edits}, _index, [best]) => edits === best?.edits)
    .slice(0, countMax)
    .map(({candidate}) => candidate);
};

/** Returns the word that was probably meant, or undefined if none is close. */
export const findClosestWord = (word: string, known: readonly string[]): string | undefined =>
  findClosestWords(word, known, 1)[0];
