import {type RegexToken, readRegexTokens} from './regex-tokens.ts';

const lineBreak = '\n';

/** Atoms that take a line break, and what to write for them so that they don't. */
const withoutBreak: Readonly<Record<string, string>> = {
  '\\s': '[^\\S\\n]',
  '\\D': '[^\\d\\n]',
  '\\W': '[^\\w\\n]',
};

/**
 * An expression that looks through many lines at once, with a line break between them: wherever a line by itself has a match, this has one in
 * that line, and it never takes a line break. It may find more (`^` and `$` hold at every kind of line end), so each line found is to be tried by
 * itself. To be compiled with the flags `m` and `u`. Undefined where there is none: what must *not* stand somewhere can't be widened.
 */
export const scanSourceOf = (source: string): string | undefined => {
  const pieces = readRegexTokens(source).map(widen);
  return pieces.includes(undefined) ? undefined : pieces.join('');
};

const widen = ({kind, text}: RegexToken): string | undefined => {
  switch (kind) {
    case 'other':
      return text;
    case 'group':
      // With flags of its own an expression's atoms mean something else.
      return text.endsWith('!') || /^\(\?[a-z-]+:/.test(text) ? undefined : text;
    case 'atom':
      return withoutBreak[text] ?? guard(text);
    case 'class':
      return text.startsWith('[^') ? `[^\\n${text.slice(2)}` : guard(text);
    default:
      return kind satisfies never;
  }
};

const guard = (atom: string): string => (new RegExp(atom, 'u').test(lineBreak) ? `(?:(?!\\n)${atom})` : atom);
