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

const findBest = (query: string, folded: string, text: string): FuzzyMatch => {
  const width = folded.length;
  // One row per letter of the query: the best score with that letter at each place, and the place of the letter before
  // it.
  let scores = new Int32Array(width);
  const cameFrom = new Int16Array(query.length * width);
  for (let row = 0; row < query.length; row += 1) {
    const letter = query.charCodeAt(row);
    const next = new Int32Array(width).fill(unreached);
    let before = unreached;
    let beforeAt = -1;
    for (let place = 0; place < width; place += 1) {
      if (folded.charCodeAt(place) === letter) {
        const bonus = matchScore + (startsWord(text, place) ? wordStartBonus : 0);
        const adjoining = row > 0 && place > 0 ? (scores[place - 1] ?? unreached) + consecutiveBonus : unreached;
        if (row === 0) {
          next[place] = bonus - Math.min(place, leadingGapMax);
        } else if (adjoining >= before) {
          next[place] = bonus + adjoining;
          cameFrom[row * width + place] = place - 1;
        } else {
          next[place] = bonus + before;
          cameFrom[row * width + place] = beforeAt;
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
    scores = next;
  }
  let place = 0;
  for (let index = 1; index < width; index += 1) {
    place = (scores[index] ?? unreached) > (scores[place] ?? unreached) ? index : place;
  }
  const score = (scores[place] ?? unreached) + (query.length === width ? wholeTextBonus : 0);
  const positions: number[] = [];
  for (let row = query.length - 1; row >= 0; row -= 1) {
    positions.push(place);
    place = cameFrom[row * width + place] ?? 0;
  }
  return {score, positions: positions.reverse()};
};

/**
 * Scores how well a text matches a query: every letter of the query must occur in it, in order. Letters that begin a
 * word or are adjacent score higher; skipped letters cost a little. A capital in the query makes it case-sensitive;
 * spaces in it are ignored. Returns undefined if it doesn't match or has more than 64 letters; reads the first 512 code
 * units of the text.
 */
export const fuzzyMatch = (query: string, text: string): FuzzyMatch | undefined => {
  const letters = query.replaceAll(/\s+/g, '');
  if (letters === '') {
    return {score: 0, positions: []};
  }
  const looked = text.length > textCharsMax ? text.slice(0, textCharsMax) : text;
  const folded = letters === letters.toLowerCase() ? foldCase(looked) : looked;
  return letters.length > queryCharsMax || !isSubsequence(letters, folded)
    ? undefined
    : findBest(letters, folded, looked);
};

/** An item that matched, with its match. */
export type Ranked<Item> = {readonly item: Item; readonly match: FuzzyMatch};

/** Returns the items that match a query, best first, equally good ones in the order given. */
export const rankByFuzzy = <Item>(
  query: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly Ranked<Item>[] =>
  items
    .flatMap(item => {
      const match = fuzzyMatch(query, textOf(item));
      return match === undefined ? [] : [{item, match}];
    })
    .sort((a, b) => b.match.score - a.match.score);
