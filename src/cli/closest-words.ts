import {countEdits} from '../config/closest-word.ts';

/** Longer words are not compared: the cost grows with the product of the lengths, and nobody mistypes a novel. */
const wordCharsMax = 64;

/**
 * The candidates that were probably meant by a word, best first: at most a third of its letters are wrong,
 * or it is the beginning of one. Upper and lower case count as the same.
 */
export const findClosestWords = (word: string, candidates: Iterable<string>, countMax = 3): readonly string[] => {
  if (word.length === 0 || word.length > wordCharsMax) {
    return [];
  }
  const wanted = word.toLowerCase();
  const editsMax = Math.max(1, Math.floor(wanted.length / 3));
  const found: {candidate: string; edits: number}[] = [];
  for (const candidate of new Set(candidates)) {
    const lower = candidate.toLowerCase();
    const isBeginning = wanted.length >= 3 && lower.startsWith(wanted);
    if (Math.abs(lower.length - wanted.length) > editsMax && !isBeginning) {
      continue;
    }
    const edits = isBeginning ? 1 : countEdits(wanted, lower);
    if (edits <= editsMax) {
      found.push({candidate, edits});
    }
  }
  return found
    .sort((a, b) => a.edits - b.edits)
    .slice(0, countMax)
    .map(({candidate}) => candidate);
};

/** `, did you mean shop or shipping?`, or nothing where no candidate is near. */
export const formatSuggestion = (word: string, candidates: Iterable<string>): string => {
  const closest = findClosestWords(word, candidates);
  return closest.length === 0 ? '' : `, did you mean ${closest.join(' or ')}?`;
};
