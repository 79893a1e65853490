/** How well a text matches, and its matched code units, ascending. */
export type FuzzyMatch = {readonly score: number; readonly positions: readonly number[]};

/** More letters than anyone types to find a name; the cost grows with both lengths. */
const queryCharsMax = 64;

/** Names and titles are shorter; text further in is ignored. */
const textCharsMax = 512;

const matchScore = 16;
const wordStartBonus = 10;
const consecutiveBonus = 8;
const wholeTextBonus = 12;
const leadingGapMax = 8;
const unreached = -1_000_000;

const isWordChar = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/** Checks whether a word begins here: after a sign or a space, or at a capital after a small letter. */
const startsWord = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  const before = index === 0 ? 0x20 : text.charCodeAt(index - 1);
  return isWordChar(code) && (!isWordChar(before) || (isLower(before) && isUpper(code)));
};

const isSubsequence = (query: string, text: string): boolean => {
  let index = -1;
  for (let place = 0; place < query.length; place += 1) {
    index = text.indexOf(query.charAt(place), index + 1);
    if (index === -1) {
      return false;
    }
  }
  return true;
};

/** Returns the text in lower case, unless that changes the number of code units, as it does for a few letters. */
const foldCase = (text: string): string => {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text;
};

/** Two rows of scores for every text in turn: ranking ten thousand names at a key must not allocate for each. */
const scratch = [new Int32Array(textCharsMax), new Int32Array(textCharsMax)] as const;

/** The best score of all letters, and the place of the last one. */
type Best = {readonly score: number; readonly place: number};

/**
 * Finds the best place of a query's last letter in a text. `cameFrom` gets, in `folded.length` cells for each letter,
 * the best place of the letter before it.
 */
const findBest = (query: string, folded: string, text: string, cameFrom?: Int16Array): Best => {
  const width = folded.length;
  // One row per letter of the query: the best score with that letter at each place.
  let [scores, next] = scratch;
  // No letter can be before the leftmost place of the one before it.
  let first = 0;
  for (let row = 0; row < query.length; row += 1) {
    const letter = query.charCodeAt(row);
    next.fill(unreached, 0, width);
    let before = unreached;
    let beforeAt = -1;
    for (let place = first; place < width; place += 1) {
      if (folded.charCodeAt(place) === letter) {
        const bonus = matchScore + (startsWord(text, place) ? wordStartBonus : 0);
        const adjoining = row > 0 && place > 0 ? (scores[place - 1] ?? unreached) + consecutiveBonus : unreached;
        const isAdjoining = adjoining >= before;
        next[place] = bonus + (row === 0 ? -Math.min(place, leadingGapMax) : isAdjoining ? adjoining : before);
        if (row > 0 && cameFrom !== undefined) {
          cameFrom[row * width + place] = isAdjoining ? place - 1 : beforeAt;
        }
      }
      // Every skipped letter costs one.
      before -= 1;
      const here = (scores[place] ?? unreached) - 1;
      if (row > 0 && here > before) {
        before = here;
        beforeAt = place;
      }
    }
    first = folded.indexOf(query.charAt(row), row === 0 ? 0 : first + 1);
    [scores, next] = [next, scores];
  }
  let place = 0;
  for (let index = 1; index < width; index += 1) {
    place = (scores[index] ?? unreached) > (scores[place] ?? unreached) ? index : place;
  }
  return {score: (scores[place] ?? unreached) + (query.length === width ? wholeTextBonus : 0), place};
};

/** A query to look for: its letters, and whether capitals count. */
type Letters = {readonly letters: string; readonly foldsCase: boolean};

const lettersOf = (query: string): Letters => {
  const letters = query.replaceAll(/\s+/g, '');
  return {letters, foldsCase: letters === letters.toLowerCase()};
};

/** The part of a text that is read, and the same as it is compared; undefined if it lacks letters of the query. */
const readText = ({letters, foldsCase}: Letters, text: string): readonly [string, string] | undefined => {
  const looked = text.length > textCharsMax ? text.slice(0, textCharsMax) : text;
  const folded = foldsCase ? foldCase(looked) : looked;
  return letters.length > queryCharsMax || !isSubsequence(letters, folded) ? undefined : [looked, folded];
};

/**
 * Matches a text with a query: every letter of the query must occur in it, in order. Letters that begin a word or are
 * adjacent score higher; skipped letters cost a little. A capital in the query makes it case-sensitive; spaces in it
 * are ignored. Returns undefined if it doesn't match or has more than 64 letters; reads the first 512 code units of the
 * text.
 */
export const fuzzyMatch = (query: string, text: string): FuzzyMatch | undefined => {
  const wanted = lettersOf(query);
  const read = readText(wanted, text);
  if (wanted.letters === '' || read === undefined) {
    return read && {score: 0, positions: []};
  }
  const {letters} = wanted;
  const [looked, folded] = read;
  const cameFrom = new Int16Array(letters.length * folded.length);
  const best = findBest(letters, folded, looked, cameFrom);
  let {place} = best;
  const positions: number[] = [];
  for (let row = letters.length - 1; row >= 0; row -= 1) {
    positions.push(place);
    place = cameFrom[row * folded.length + place] ?? 0;
  }
  return {score: best.score, positions: positions.reverse()};
};

/** Returns the scores that `fuzzyMatch` gives, for one query and many texts; it does not look for the places. */
export const createFuzzyScorer = (query: string): ((text: string) => number | undefined) => {
  const wanted = lettersOf(query);
  return text => {
    const read = readText(wanted, text);
    return read && (wanted.letters === '' ? 0 : findBest(wanted.letters, read[1], read[0]).score);
  };
};

/** An item that matched. */
export type Scored<Item> = {readonly item: Item; readonly score: number};

/** Returns the items that have a score, in the order given. */
export const scoreItems = <Item>(
  items: readonly Item[],
  scoreOf: (item: Item) => number | undefined,
): readonly Scored<Item>[] => {
  const scored: Scored<Item>[] = [];
  for (const item of items) {
    const score = scoreOf(item);
    if (score !== undefined) {
      scored.push({item, score});
    }
  }
  return scored;
};

/** Returns the best items first, equally good ones in the order given. */
export const bestFirst = <Item>(scored: readonly Scored<Item>[]): readonly Item[] =>
  scored.toSorted((a, b) => b.score - a.score).map(({item}) => item);
