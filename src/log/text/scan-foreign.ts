import {classOf, codePointClass} from './code-point-class.ts';
import {isIntroducer, readEscapeSequence} from './escape-sequence.ts';
import type {StyleCollector} from './style-spans.ts';
import {cutMark, escapeMark, lineEndMark, markBase, pictureOfControl, replacementMark} from './width.ts';

/**
 * The most of a line that is shown, in UTF-16 code units of both the received line and the shown text. 16 KB is longer
 * than any access line, and short enough that the most hostile line costs well under a frame. The raw view is cut there
 * too; copies and exports are not.
 */
export const shownCharsMax = 16_384;

/** Enough for every script in use, including Tibetan and pointed Hebrew; more only serves to paint over other rows. */
const marksPerBaseMax = 4;

/** A tab stop every eight cells, as in terminals. */
const tabCells = 8;

/** How far after the cut to search for the end of an escape sequence, so that a link's address is not shown in part. */
const sequenceLookaheadChars = 1024;

const emojiModifierBase = /^\p{Emoji_Modifier_Base}$/u;

/** The character that the next combining mark, selector or skin tone would join. */
type Base =
  /** Nothing: the start of the text, or one of our marks. */
  | 'none'
  | 'narrow'
  | 'wide'
  /** A character with more than the allowed marks: further ones are covered by the replacement mark already there. */
  | 'full';

export type SafeText = {
  readonly text: string;
  /** Code units of `text` before the ellipsis of a cut. */
  readonly uncutLength: number;
};

class ForeignScan {
  readonly #source: string;
  readonly #sourceLength: number;
  readonly #end: number;
  readonly #charsMax: number;
  readonly #collector: StyleCollector | undefined;
  #index = 0;
  #out = '';
  #cells = 0;
  #base: Base = 'none';
  #marks = 0;
  /** The previous code point, if it is drawn unchanged and nothing has joined it: selectors join only such a one. */
  #bare = 0;

  constructor(source: string, charsMax: number, collector: StyleCollector | undefined) {
    const shownMax = Math.max(shownCharsMax, charsMax);
    const readMax = shownMax + sequenceLookaheadChars;
    this.#source = source.length > readMax ? source.slice(0, readMax) : source;
    this.#sourceLength = source.length;
    this.#end = Math.min(source.length, shownMax);
    this.#charsMax = charsMax;
    this.#collector = collector;
  }

  run(): SafeText {
    while (this.#index < this.#end && this.#out.length <= this.#charsMax) {
      this.#step();
    }
    if (this.#index >= this.#sourceLength && this.#out.length <= this.#charsMax) {
      return {text: this.#out, uncutLength: this.#out.length};
    }
    let length = Math.min(this.#out.length, this.#charsMax - 1);
    const last = this.#out.charCodeAt(length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      length -= 1;
    }
    return {text: this.#out.slice(0, length) + cutMark, uncutLength: length};
  }

  #step(): void {
    const code = this.#source.charCodeAt(this.#index);
    if (code >= 0x20 && code <= 0x7e) {
      this.#passAscii();
    } else if (isIntroducer(code)) {
      this.#replaceSequence();
    } else if (code < 0xa0) {
      this.#index += 1;
      if (code === 0x09) {
        this.#emitMark(' '.repeat(tabCells - (this.#cells % tabCells)));
      } else {
        this.#emitMark(pictureOfControl(code));
      }
    } else {
      this.#passCodePoint();
    }
  }

  #passAscii(): void {
    const start = this.#index;
    let i = start + 1;
    while (i < this.#end) {
      const code = this.#source.charCodeAt(i);
      if (code < 0x20 || code > 0x7e) {
        break;
      }
      i += 1;
    }
    this.#index = i;
    this.#emitBase(this.#source.slice(start, i), i - start, 'narrow');
    this.#bare = this.#source.charCodeAt(i - 1);
  }

  #replaceSequence(): void {
    const sequence = readEscapeSequence(this.#source, this.#index);
    this.#index = sequence.end;
    if (sequence.kind === 'sgr') {
      this.#collector?.apply(sequence.parameters, this.#out.length);
    } else {
      this.#emitMark(escapeMark);
    }
  }

  #passCodePoint(): void {
    const composed = composeHangul(this.#source, this.#index);
    if (composed) {
      this.#index = composed.end;
      this.#emitBase(composed.syllable, 2, 'wide');
      return;
    }
    const codePoint = this.#source.codePointAt(this.#index) ?? 0;
    this.#index += codePoint > 0xffff ? 2 : 1;
    this.#emitCodePoint(codePoint);
  }

  #emitCodePoint(codePoint: number): void {
    const kind = classOf(codePoint);
    switch (kind) {
      case codePointClass.narrow:
      case codePointClass.wide:
        this.#emitBase(String.fromCodePoint(codePoint), kind, kind === codePointClass.wide ? 'wide' : 'narrow');
        this.#bare = codePoint;
        break;
      case codePointClass.mark:
      case codePointClass.spacingMark:
        this.#join(String.fromCodePoint(codePoint), kind === codePointClass.mark ? 0 : 1);
        break;
      case codePointClass.selector:
        this.#dropIf(this.#bare !== 0);
        break;
      case codePointClass.skinTone:
        this.#dropIf(this.#bare !== 0 && emojiModifierBase.test(String.fromCodePoint(this.#bare)));
        break;
      case codePointClass.regional:
        // U+1F1E6 is the indicator A, U+FF21 the fullwidth letter A.
        this.#emitBase(String.fromCharCode(codePoint - 0x1f1e6 + 0xff21), 2, 'wide');
        break;
      case codePointClass.replaced:
        this.#emitMark(codePoint === 0x2028 || codePoint === 0x2029 ? lineEndMark : replacementMark);
        break;
      default:
        kind satisfies never;
    }
  }

  #emitBase(text: string, cells: number, base: Base): void {
    this.#out += text;
    this.#cells += cells;
    this.#base = base;
    this.#marks = 0;
    this.#bare = 0;
  }

  /** Marks are ours: foreign combining marks must not deface them. */
  #emitMark(mark: string): void {
    this.#emitBase(mark, mark.length, 'none');
  }

  #dropIf(isFitting: boolean): void {
    if (isFitting) {
      this.#bare = 0;
    } else {
      this.#emitMark(replacementMark);
    }
  }

  #join(mark: string, cells: number): void {
    if (this.#base === 'full') {
      return;
    }
    if (this.#base === 'none') {
      this.#emitBase(markBase, 1, 'narrow');
    }
    // A spacing mark after an emoji or a Hangul syllable counts one cell or none, depending on the terminal.
    if (this.#marks >= marksPerBaseMax || (cells > 0 && this.#base === 'wide')) {
      this.#emitBase(replacementMark, 1, 'full');
      return;
    }
    this.#out += mark;
    this.#cells += cells;
    this.#marks += 1;
    this.#bare = 0;
  }
}

/**
 * Reads at most `shownCharsMax` code units of an untrusted text, or `charsMax` if that is more, and writes at most
 * `charsMax` of what is safe to draw, by the policy that `sanitise` describes. `charsMax` is at least 1. Reports every
 * SGR sequence to the collector.
 */
export const scanForeign = (source: string, charsMax: number, collector?: StyleCollector): SafeText =>
  new ForeignScan(source, charsMax, collector).run();

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
const composeHangul = (text: string, index: number): {readonly syllable: string; readonly end: number} | undefined => {
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
