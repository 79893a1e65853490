/** A token of a regular expression in JavaScript's syntax. */
export type RegexToken = {
  /**
   * `atom`: what matches one character, escaped or not; `class`: one in brackets; `group`: how a group opens; `other`:
   * signs, ends and references.
   */
  readonly kind: 'atom' | 'class' | 'group' | 'other';
  readonly text: string;
};

const escaped = /\\(?:c[A-Za-z]|x[\dA-Fa-f]{2}|u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|[pP]\{[^}]*\}|k<[^>]*>|\d+|.)/suy;
const bracketed = /\[(?:[^\]\\]|\\.)*\]/suy;
const groupStart = /\((?:\?(?:<?[=!]|<[^>=!]*>|[a-z-]*:|))?/uy;
const count = /\{\d+(?:,\d*)?\}/y;
const signs = new Set(['^', '$', '|', ')', '*', '+', '?']);

const matchAt = (pattern: RegExp, source: string, index: number): string | undefined => {
  pattern.lastIndex = index;
  return pattern.exec(source)?.[0];
};

/** Splits an expression into tokens, which joined are the expression; works on invalid ones too. */
export const readRegexTokens = (source: string): readonly RegexToken[] => {
  const tokens: RegexToken[] = [];
  for (let index = 0; index < source.length; ) {
    const token = tokenAt(source, index);
    tokens.push(token);
    index += token.text.length;
  }
  return tokens;
};

const tokenAt = (source: string, index: number): RegexToken => {
  const character = String.fromCodePoint(source.codePointAt(index) ?? 0);
  switch (character) {
    case '\\': {
      const text = matchAt(escaped, source, index) ?? character;
      return {kind: /^\\(?:[bB1-9]|k<)/.test(text) ? 'other' : 'atom', text};
    }
    case '[': {
      const text = matchAt(bracketed, source, index);
      return text === undefined ? {kind: 'other', text: character} : {kind: 'class', text};
    }
    case '(':
      return {kind: 'group', text: matchAt(groupStart, source, index) ?? character};
    case '{': {
      const text = matchAt(count, source, index);
      return text === undefined ? {kind: 'atom', text: character} : {kind: 'other', text};
    }
    default:
      return {kind: signs.has(character) ? 'other' : 'atom', text: character};
  }
};
