import {RE2JS} from 're2js';
import {type Matcher, matchLines, type Spans, spansMax} from '#log/pattern/matcher.ts';
import {type Pattern, readRegexTokens} from '#log/pattern/parse-pattern.ts';

/**
 * Creates a matcher whose time is linear in the length of the text, but about fifty times that of JavaScript's own
 * engine. Throws for what it cannot express: look-around, back-references, counts over 1,000.
 */
export const createRe2Matcher = (pattern: Pattern): Matcher => {
  const compiled = RE2JS.compile(re2SourceOf(pattern.source), pattern.isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  return {
    matchChunk: chunkText => matchLines(chunkText, text => compiled.test(text)),
    findSpans: text => findSpans(compiled, text),
    matchesLine: text => compiled.test(text),
  };
};

const findSpans = (compiled: RE2JS, text: string): Spans => {
  const spans: {start: number; end: number}[] = [];
  const matcher = compiled.matcher(text);
  while (spans.length < spansMax && matcher.find()) {
    if (matcher.end() > matcher.start()) {
      spans.push({start: matcher.start(), end: matcher.end()});
    }
  }
  return spans;
};

/** JavaScript's white space, as members of a class; RE2's own `\s` covers ASCII only. */
const spaces =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** Tokens that RE2 reads differently or not at all. */
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
 * Translates a JavaScript expression (flag `u`) to RE2 syntax. The meaning is the same except for two cases outside
 * ASCII: `\S` within brackets, and `\w` in case-insensitive patterns. What RE2 cannot express is translated to
 * something that it rejects.
 */
const re2SourceOf = (source: string): string =>
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
