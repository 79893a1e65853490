// Wide since before Unicode 6, and so in every terminal: the CJK blocks, Hangul syllables, compatibility and fullwidth forms.
// Marks that were zero-width by then: the common diacritics, Hebrew and Arabic points, Thai, the kana voicing marks.
// What is left of the marks and of the wide characters has been one, two or no cells at some time in some terminal. U+06DE and
// U+1734 changed their kind between versions, U+3248 to U+324F are wide to some by their shape, the hexagrams since Unicode 16.
const disputed =
  /[[\p{M}\p{Emoji_Presentation}\u{1f000}-\u{1ffff}\u06de\u0e33\u0eb3\u2630-\u2637\u268a-\u268f\u3248-\u324f\u4dc0-\u4dff\uff9e\uff9f\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}]--[\u0300-\u036f\u0483-\u0486\u0591-\u05c7\u0610-\u0615\u064b-\u065e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u20d0-\u20ef\u3099\u309a]]/v;

const notPrintableAscii = /[^ -~]/;

/**
 * Whether a safe text holds a character on whose width terminals in use disagree: emoji, Indic vowel signs, scripts and marks newer
 * than the terminal's tables. `cellWidth` counts them as Unicode and most terminals do, yet a terminal may put the cursor elsewhere
 * behind them. So whoever writes such a character to a screen blanks its cells first and then places the cursor by its column.
 *
 * East Asian ambiguous characters (é, ●, …, ─) are not in question: they are one cell but where a user has set the terminal to
 * double them all, and then no frame of any program fits.
 */
export const isDisputed = (text: string): boolean => notPrintableAscii.test(text) && disputed.test(text);
