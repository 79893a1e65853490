import {type RegexToken, readRegexTokens} from './regex-tokens.ts';

const lineBreak = '\n';

/** Atoms that match a line break, and their replacements that don't. */
const withoutBreak: Readonly<Record<string, string>> = {
  '\\s': '[^\\S\\n]',
  '\\D': '[^\\d\\n]',
  '\\W': '[^\\w\\n]',
};

/**
 * Returns an expression that searches many lines at once, separated by line breaks: wherever a single line has a match,
 * this has one in that line, and it never matches a line break. It may find more (`^` and `$` hold at every kind of
 * line end), so each line found must be tried separately. Compile it with the flags `m` and `u`. Returns undefined if
 * there is no such expression: a negative condition can't be widened.
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
      // With inline flags, an expression's atoms mean something else.
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
