import {type RegexToken, readRegexTokens} from './regex-tokens.ts';

/** What is looked for in a line's text. */
export type Pattern = {
  /** As it was typed. */
  readonly query: string;
  readonly kind: 'literal' | 'regex';
  /** A regular expression of JavaScript for one line, to be compiled with `patternFlags`. */
  readonly source: string;
  readonly isCaseSensitive: boolean;
};

/** A longer pattern is a pasted log, not a pattern; what it costs to compile and to try is bounded with it. */
export const patternCharsMax = 1000;

const regexPrefix = 're:';
const caseInsensitiveStart = '(?i)';

/** Whole characters, and no letter of a pattern may mean two things: the flag `u`. */
export const patternFlags = ({isCaseSensitive}: Pattern): string => (isCaseSensitive ? 'u' : 'iu');

/**
 * The pattern that a query means: text to be found as it stands, or behind `re:` a regular expression of JavaScript with the flag `u`.
 * An upper-case letter in it makes it tell cases apart; `re:(?i)` never does. Beyond the flag's rules a sign that needs no backslash may have one, and
 * a bracket or brace that opens nothing stands for itself. The error is a sentence.
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

/** Escapes are no letters that are looked for: `\S` asks for no upper case. */
const hasUpperCase = ({kind, text}: RegexToken): boolean =>
  (kind === 'atom' && !text.startsWith('\\') && /\p{Lu}/u.test(text)) ||
  (kind === 'class' && /\p{Lu}/u.test(text.replaceAll(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gsu, '')));

// Signs of which the flag `u` allows no backslash before them, because they mean nothing by themselves.
const needlessEscape = /\\([ !"#%&',:;<=>@_`~])/g;
const needlessEscapeOrDash = /\\([ !"#%&',:;<=>@_`~-])/g;

/** A piece as the flag `u` wants it. */
const strictly = ({kind, text}: RegexToken): string => {
  if (kind === 'class') {
    return text.replaceAll(/\\./gsu, pair => pair.replace(needlessEscape, '$1'));
  }
  if (kind === 'atom') {
    return /^[\]{}]$/.test(text) ? `\\${text}` : text.replace(needlessEscapeOrDash, '$1');
  }
  return text;
};
