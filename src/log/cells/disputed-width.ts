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
