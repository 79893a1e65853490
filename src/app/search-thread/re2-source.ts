import {readRegexTokens} from '../../log/pattern/regex-tokens.ts';

/** JavaScript's white space, as members of a class; RE2's own `\s` is ASCII's alone. */
const spaces =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** Pieces that RE2 reads otherwise, or not at all. */
const inRe2: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\x{2028}\\x{2029}]',
  '\\s': `[${spaces}]`,
  '\\S': `[^${spaces}]`,
  '\\/': '/',
  '\\0': '\\x00',
  '[]': '[^\\x00-\\x{10ffff}]',
  '[^]': '[\\x00-\\x{10ffff}]',
};

/**
 * An expression of JavaScript (flag `u`) in the syntax of RE2, meaning the same but for what is outside of ASCII: `\S`
 * within brackets and, where
 * cases are not told apart, `\w`. What RE2 can't express comes out as something that it refuses.
 */
export const re2SourceOf = (source: string): string =>
  readRegexTokens(source)
    .map(({kind, text}) => inRe2[text] ?? (kind === 'class' ? translateClass(text) : translateEscape(text)))
    .join('');

const codePoint = /^\\(?:u\{([\dA-Fa-f]+)\}|u([\dA-Fa-f]{4}))$/;
const script = /^\\([pP])\{(?:Script|sc)=([^}]*)\}$/;

const translateEscape = (escaped: string): string => {
  const [, braced, plain] = codePoint.exec(escaped) ?? [];
  const digits = braced ?? plain;
  if (digits !== undefined) {
    return `\\x{${digits}}`;
  }
  if (/^\\c[A-Za-z]$/.test(escaped)) {
    return `\\x{${(escaped.charCodeAt(2) % 32).toString(16)}}`;
  }
  return escaped.replace(script, '\\$1{$2}');
};

const classPiece = /\\(?:c[A-Za-z]|x[\dA-Fa-f]{2}|u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|[pP]\{[^}]*\}|.)|\[/gsu;

const translateClass = (text: string): string => {
  const negation = text.startsWith('[^') ? '^' : '';
  const members = text.slice(1 + negation.length, -1).replaceAll(classPiece, piece => {
    switch (piece) {
      case '\\s':
        return spaces;
      case '\\S':
        return piece;
      case '\\b':
        return '\\x08';
      case '[':
        return '\\[';
      default:
        return inRe2[piece] ?? translateEscape(piece);
    }
  });
  return `[${negation}${members}]`;
};
