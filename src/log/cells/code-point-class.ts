import {wideRanges} from './wide-ranges.ts';

/**
 * How a code point behaves in a row of cells. Marks and selectors belong to the character before them; everything else
 * is independent, so the width of a text is the sum over its code points and does not depend on how a terminal forms
 * clusters.
 */
export const codePointClass = {
  /** Never drawn: a visible mark replaces it. Includes controls. */
  replaced: 0,
  /** One cell. */
  narrow: 1,
  /** Two cells. */
  wide: 2,
  /** A combining mark without a cell of its own. */
  mark: 3,
  /** A combining mark with a cell of its own, like Indic vowel signs. */
  spacingMark: 4,
  /** A variation selector: requests another presentation of the character before it. */
  selector: 5,
  /** An emoji modifier: sets the skin tone of the emoji before it. */
  skinTone: 6,
  /** A regional indicator: two of them form a flag or not, depending on the terminal. */
  regional: 7,
} as const;

export type CodePointClass = (typeof codePointClass)[keyof typeof codePointClass];

// Cc, Cf, Cn, Co, Cs: controls, format characters (bidi, zero-width, tags, soft hyphen), unassigned, private use,
// surrogates. Zl and Zp are the separators that end a row in some programs. Default_Ignorable_Code_Point covers letters
// and marks that are drawn as nothing: the Hangul fillers, the grapheme joiner, the Khmer inherent vowels.
const unseen = /^[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u;

// Letters and symbols that draw nothing and have no property to identify them: the blank Braille pattern and the null
// note head.
const blankSymbol = /^[\u2800\u{1d159}]$/u;

// Conjoining Hangul letters and Kirat Rai vowels: a run of them is as wide as its first or as all of them, depending on
// the terminal. The scan composes modern Korean Hangul to syllables before it gets here.
const conjoining = /^[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u{16d63}\u{16d67}-\u{16d6a}]$/u;

const selector = /^\p{Variation_Selector}$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;
const regional = /^\p{Regional_Indicator}$/u;
const mark = /^[\p{Mn}\p{Me}]$/u;

// Thai and Lao AM and the halfwidth voicing marks are letters, but join the character before them as spacing marks do.
const spacingMark = /^[\p{Mc}\u0e33\u0eb3\uff9e\uff9f]$/u;

const isInWideRange = (codePoint: number): boolean => {
  let low = 0;
  let high = wideRanges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = wideRanges[middle];
    if (range === undefined || codePoint < range[0]) {
      high = middle - 1;
    } else if (codePoint > range[1]) {
      low = middle + 1;
    } else {
      return true;
    }
  }
  return false;
};

const decideClass = (codePoint: number): CodePointClass => {
  const text = String.fromCodePoint(codePoint);
  if (selector.test(text)) {
    return codePointClass.selector;
  }
  if (unseen.test(text) || blankSymbol.test(text) || conjoining.test(text)) {
    return codePointClass.replaced;
  }
  if (skinTone.test(text)) {
    return codePointClass.skinTone;
  }
  if (regional.test(text)) {
    return codePointClass.regional;
  }
  if (mark.test(text)) {
    return codePointClass.mark;
  }
  const isWide = isInWideRange(codePoint);
  if (spacingMark.test(text)) {
    // The few wide spacing marks (Hangul tone marks, Vietnamese reading marks) have three widths in three terminals.
    return isWide ? codePointClass.replaced : codePointClass.spacingMark;
  }
  return isWide ? codePointClass.wide : codePointClass.narrow;
};

/** Above this only tags, variation selectors and private use are assigned, so no pages are made there. */
const pagedCodePointsEnd = 0x34000;
const pageShift = 8;
const pageLength = 1 << pageShift;

/** At most 832 pages of 256 bytes, made on first use: no start-up cost, and 208 kB once every script was seen. */
const pages: (Uint8Array | undefined)[] = new Array(pagedCodePointsEnd >> pageShift).fill(undefined);

const classInPage: readonly CodePointClass[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Checks for punctuation, arrows, lines and shapes before the first that is not narrow. The program's own signs are
 * among them, so a first screen in ASCII compiles none of the expressions above.
 */
const isPlainSymbol = (codePoint: number): boolean =>
  codePoint >= 0x2010 &&
  codePoint <= 0x25fc &&
  (codePoint <= 0x2027 ||
    (codePoint >= 0x2030 && codePoint <= 0x205e) ||
    (codePoint >= 0x2190 && codePoint <= 0x2319) ||
    codePoint >= 0x2500);

/** Returns the class of a code point, by the Unicode version of the running V8 and the widths of `wideRanges`. */
export const classOf = (codePoint: number): CodePointClass => {
  if (codePoint >= pagedCodePointsEnd) {
    return codePoint >= 0xe0100 && codePoint <= 0xe01ef ? codePointClass.selector : codePointClass.replaced;
  }
  if (isPlainSymbol(codePoint)) {
    return codePointClass.narrow;
  }
  const pageIndex = codePoint >> pageShift;
  let page = pages[pageIndex];
  if (page === undefined) {
    page = new Uint8Array(pageLength);
    for (let i = 0; i < pageLength; i += 1) {
      page[i] = decideClass((pageIndex << pageShift) + i);
    }
    pages[pageIndex] = page;
  }
  return classInPage[page[codePoint & (pageLength - 1)] ?? 0] ?? codePointClass.replaced;
};
