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

/** The pattern to search for in a line's text. */
export type Pattern = {
  /** As typed. */
  readonly query: string;
  readonly kind: 'literal' | 'regex';
  /** A JavaScript regular expression for one line, to be compiled with `patternFlags`. */
  readonly source: string;
  readonly isCaseSensitive: boolean;
};

/** A longer pattern is a pasted log, not a pattern; this also bounds the cost to compile and try it. */
export const patternCharsMax = 1000;

const regexPrefix = 're:';
const caseInsensitiveStart = '(?i)';

/** Returns the flags of a pattern. `u` matches whole characters and makes escapes unambiguous. */
export const patternFlags = ({isCaseSensitive}: Pattern): string => (isCaseSensitive ? 'u' : 'iu');

/**
 * Parses a query: a literal text, or after `re:` a JavaScript regular expression with the flag `u`. An upper-case
 * letter in it makes it case-sensitive; `re:(?i)` never is. More lenient than the flag: a sign that needs no backslash
 * may have one, and a bracket or brace that opens nothing is literal. The error is a sentence.
 */
export const parsePattern = (query: string): Pattern | {readonly error: string} => {
  if (query.length > patternCharsMax) {
    return {error: `A pattern may have ${patternCharsMax} characters; this one has ${query.length}.`};
  }
  if (/[\n\r]/.test(query)) {
    return {error: 'A pattern is looked for within a line, so it may not have a line break.'};
  }
  const isRegex = query.startsWith(regexPrefix);
  const typed = isRegex ? query.slice(regexPrefix.length) : query;
  if (typed === '' || typed === caseInsensitiveStart) {
    return {error: 'The pattern is empty.'};
  }
  return isRegex ? parseRegex(query, typed) : parseLiteral(query);
};

const parseLiteral = (query: string): Pattern => ({
  query,
  kind: 'literal',
  source: query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  isCaseSensitive: /\p{Lu}/u.test(query),
});

const parseRegex = (query: string, typed: string): Pattern | {readonly error: string} => {
  const ignoresCase = typed.startsWith(caseInsensitiveStart);
  const tokens = readRegexTokens(ignoresCase ? typed.slice(caseInsensitiveStart.length) : typed);
  const pattern: Pattern = {
    query,
    kind: 'regex',
    source: tokens.map(strictly).join(''),
    isCaseSensitive: !ignoresCase && tokens.some(hasUpperCase),
  };
  try {
    new RegExp(pattern.source, patternFlags(pattern));
    return pattern;
  } catch (error) {
    const reason = String(error).replace(/^.*: (?=[^:]*$)/s, '');
    return {error: `This regular expression can't be used: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`};
  }
};

/** Escapes do not count as letters: `\S` does not make a pattern case-sensitive. */
const hasUpperCase = ({kind, text}: RegexToken): boolean =>
  (kind === 'atom' && !text.startsWith('\\') && /\p{Lu}/u.test(text)) ||
  (kind === 'class' && /\p{Lu}/u.test(text.replaceAll(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gsu, '')));

// Signs that the flag `u` forbids to escape, because they have no special meaning.
const needlessEscape = /\\([ !"#%&',:;<=>@_`~])/g;
const needlessEscapeOrDash = /\\([ !"#%&',:;<=>@_`~-])/g;

/** Returns a token in the form that the flag `u` requires. */
const strictly = ({kind, text}: RegexToken): string => {
  if (kind === 'class') {
    return text.replaceAll(/\\./gsu, pair => pair.replace(needlessEscape, '$1'));
  }
  if (kind === 'atom') {
    return /^[\]{}]$/.test(text) ? `\\${text}` : text.replace(needlessEscapeOrDash, '$1');
  }
  return text;
};
