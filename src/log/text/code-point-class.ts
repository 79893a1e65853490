// Not in the set, because wide since before Unicode 6 and so in every terminal: the CJK blocks, Hangul syllables,
// compatibility and fullwidth forms. Not in it either, because zero-width by then: the common diacritics, Hebrew and
// Arabic points, Thai, the kana voicing marks. All other marks and wide characters have been one, two or no cells at
// some time in some terminal. U+06DE and U+1734 changed their kind between versions, some terminals treat U+3248 to
// U+324F as wide because of their shape, and the hexagrams are wide since Unicode 16.
const disputed =
  /[[\p{M}\p{Emoji_Presentation}\u{1f000}-\u{1ffff}\u06de\u0e33\u0eb3\u2630-\u2637\u268a-\u268f\u3248-\u324f\u4dc0-\u4dff\uff9e\uff9f\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}]--[\u0300-\u036f\u0483-\u0486\u0591-\u05c7\u0610-\u0615\u064b-\u065e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u20d0-\u20ef\u3099\u309a]]/v;

// Without the program's own signs too, so that a first screen in ASCII does without the set above.
const notPlain = /[^ -~\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc]/;

/**
 * Checks whether a safe text holds a character on whose width terminals in use disagree: emoji, Indic vowel signs,
 * scripts and marks newer than the terminal's tables. `cellWidth` counts them as Unicode and most terminals do, but a
 * terminal may put the cursor elsewhere after them. So code that writes such a character to a screen must blank its
 * cells first and then place the cursor by column.
 *
 * East Asian ambiguous characters (é, ●, …, ─) are not in question: they are one cell unless a user has set the
 * terminal to double them all, and then no program's layout fits.
 */
export const isDisputed = (text: string): boolean => notPlain.test(text) && disputed.test(text);

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

type CodePointClass = (typeof codePointClass)[keyof typeof codePointClass];

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

/**
 * The first and last code point of every run that Unicode's East_Asian_Width classifies as Wide or Fullwidth (UAX #11),
 * ascending. JavaScript's regular expressions lack this property, so the table is here; a test compares it, code point
 * by code point, with an independent table.
 */
// biome-ignore format: one pair a line would make a table of 126 rows out of one of 16.
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f], [0x231a, 0x231b], [0x2329, 0x232a], [0x23e9, 0x23ec], [0x23f0, 0x23f0], [0x23f3, 0x23f3],
  [0x25fd, 0x25fe], [0x2614, 0x2615], [0x2630, 0x2637], [0x2648, 0x2653], [0x267f, 0x267f], [0x268a, 0x268f],
  [0x2693, 0x2693], [0x26a1, 0x26a1], [0x26aa, 0x26ab], [0x26bd, 0x26be], [0x26c4, 0x26c5], [0x26ce, 0x26ce],
  [0x26d4, 0x26d4], [0x26ea, 0x26ea], [0x26f2, 0x26f3], [0x26f5, 0x26f5], [0x26fa, 0x26fa], [0x26fd, 0x26fd],
  [0x2705, 0x2705], [0x270a, 0x270b], [0x2728, 0x2728], [0x274c, 0x274c], [0x274e, 0x274e], [0x2753, 0x2755],
  [0x2757, 0x2757], [0x2795, 0x2797], [0x27b0, 0x27b0], [0x27bf, 0x27bf], [0x2b1b, 0x2b1c], [0x2b50, 0x2b50],
  [0x2b55, 0x2b55], [0x2e80, 0x2e99], [0x2e9b, 0x2ef3], [0x2f00, 0x2fd5], [0x2ff0, 0x303e], [0x3041, 0x3096],
  [0x3099, 0x30ff], [0x3105, 0x312f], [0x3131, 0x318e], [0x3190, 0x31e5], [0x31ef, 0x321e], [0x3220, 0x3247],
  [0x3250, 0xa48c], [0xa490, 0xa4c6], [0xa960, 0xa97c], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe10, 0xfe19],
  [0xfe30, 0xfe52], [0xfe54, 0xfe66], [0xfe68, 0xfe6b], [0xff01, 0xff60], [0xffe0, 0xffe6], [0x16fe0, 0x16fe4],
  [0x16ff0, 0x16ff6], [0x17000, 0x18cda], [0x18cff, 0x18d20], [0x18d80, 0x18df2], [0x18e00, 0x19191],
  [0x191a0, 0x191d2], [0x1aff0, 0x1aff3], [0x1aff5, 0x1affb], [0x1affd, 0x1affe], [0x1b000, 0x1b128],
  [0x1b132, 0x1b132], [0x1b150, 0x1b152], [0x1b155, 0x1b155], [0x1b164, 0x1b168], [0x1b170, 0x1b2fb],
  [0x1d300, 0x1d356], [0x1d360, 0x1d376], [0x1f004, 0x1f004], [0x1f0cf, 0x1f0cf], [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a], [0x1f1ae, 0x1f1ae], [0x1f200, 0x1f202], [0x1f210, 0x1f23b], [0x1f240, 0x1f248],
  [0x1f250, 0x1f251], [0x1f260, 0x1f265], [0x1f300, 0x1f320], [0x1f32d, 0x1f335], [0x1f337, 0x1f37c],
  [0x1f37e, 0x1f393], [0x1f3a0, 0x1f3ca], [0x1f3cf, 0x1f3d3], [0x1f3e0, 0x1f3f0], [0x1f3f4, 0x1f3f4],
  [0x1f3f8, 0x1f43e], [0x1f440, 0x1f440], [0x1f442, 0x1f4fc], [0x1f4ff, 0x1f53d], [0x1f54b, 0x1f54e],
  [0x1f550, 0x1f567], [0x1f57a, 0x1f57a], [0x1f595, 0x1f596], [0x1f5a4, 0x1f5a4], [0x1f5fb, 0x1f64f],
  [0x1f680, 0x1f6c5], [0x1f6cc, 0x1f6cc], [0x1f6d0, 0x1f6d2], [0x1f6d5, 0x1f6d9], [0x1f6dc, 0x1f6df],
  [0x1f6eb, 0x1f6ec], [0x1f6f4, 0x1f6fc], [0x1f7da, 0x1f7da], [0x1f7e0, 0x1f7eb], [0x1f7f0, 0x1f7f0],
  [0x1f90c, 0x1f93a], [0x1f93c, 0x1f945], [0x1f947, 0x1f9ff], [0x1fa70, 0x1fa7c], [0x1fa80, 0x1fac6],
  [0x1fac8, 0x1fac8], [0x1facc, 0x1fadd], [0x1fadf, 0x1faeb], [0x1faef, 0x1fafa], [0x20000, 0x2fffd],
  [0x30000, 0x3fffd],
];
