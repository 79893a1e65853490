// Unicode core specification, section 3.12: 19 leading consonants, 21 vowels, 28 trailing consonants including none.
const leadingFirst = 0x1100;
const leadingCount = 19;
const vowelFirst = 0x1161;
const vowelCount = 21;
const trailingNone = 0x11a7;
const trailingCount = 28;
const syllableFirst = 0xac00;
const syllableLast = 0xd7a3;

const isTrailing = (code: number): boolean => code > trailingNone && code < trailingNone + trailingCount;

/**
 * Composes the two or three Hangul pieces at `index` to a syllable, and returns the index after them; undefined if
 * there are none.
 *
 * macOS file names come in pieces. Terminals, and libraries that measure text, disagree about the width of pieces but
 * agree on the syllable, which is canonically the same text.
 */
export const composeHangul = (
  text: string,
  index: number,
): {readonly syllable: string; readonly end: number} | undefined => {
  const first = text.charCodeAt(index);
  let syllable = first;
  let end = index + 1;
  const vowel = text.charCodeAt(end);
  if (
    first >= leadingFirst &&
    first < leadingFirst + leadingCount &&
    vowel >= vowelFirst &&
    vowel < vowelFirst + vowelCount
  ) {
    syllable = syllableFirst + ((first - leadingFirst) * vowelCount + vowel - vowelFirst) * trailingCount;
    end += 1;
  } else if (first < syllableFirst || first > syllableLast) {
    return undefined;
  }
  const trailing = text.charCodeAt(end);
  if ((syllable - syllableFirst) % trailingCount === 0 && isTrailing(trailing)) {
    syllable += trailing - trailingNone;
    end += 1;
  }
  return end === index + 1 ? undefined : {syllable: String.fromCharCode(syllable), end};
};
