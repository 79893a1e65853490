import {type ChunkText, decodeChunkText, textStartOf} from '#log/buffer/chunk-text.ts';
import {type Pattern, patternFlags, type RegexToken, readRegexTokens} from './parse-pattern.ts';

/**
 * Where a pattern matches in a text: each from `start` up to but not including `end`, in UTF-16 code units; ascending,
 * not overlapping.
 */
export type Spans = readonly {readonly start: number; readonly end: number}[];

/** A compiled pattern. */
export type Matcher = {
  /** Returns the offsets in the chunk of the lines that match. */
  readonly matchChunk: (chunkText: ChunkText) => Uint16Array;
  readonly findSpans: (text: string) => Spans;
  readonly matchesLine: (text: string) => boolean;
};

/** The most matches found in one text. */
export const spansMax = 200;

/** Tries each line of a chunk separately. */
export const matchLines = (chunkText: ChunkText, matches: (text: string) => boolean): Uint16Array => {
  const joined = decodeChunkText(chunkText);
  const found: number[] = [];
  let start = 0;
  for (const [offset, length] of chunkText.lengths.entries()) {
    const textStart = textStartOf(chunkText.marks[offset] ?? 0);
    if (textStart !== undefined && matches(joined.slice(start + textStart, start + length))) {
      found.push(offset);
    }
    start += length + 1;
  }
  return Uint16Array.from(found);
};

/**
 * Compiles a pattern for the JavaScript engine: fast, but one with catastrophic backtracking never returns, so use it
 * only in a thread that can be terminated. Searches a chunk as one text, then tries each line found separately.
 */
export const createMatcher = (pattern: Pattern): Matcher => {
  const flags = patternFlags(pattern);
  const isLiteral = pattern.kind === 'literal';
  const ofLine = new RegExp(pattern.source, flags);
  const ofText = new RegExp(pattern.source, `${flags}g`);
  const scanSource = isLiteral ? pattern.source : scanSourceOf(pattern.source);
  const scan = scanSource === undefined ? undefined : new RegExp(scanSource, `${flags}gm`);
  return {
    findSpans: text => findSpansOf(ofText, text),
    matchesLine: text => ofLine.test(text),
    matchChunk: chunkText => {
      const canScan =
        isLiteral || (!chunkText.hasBreaks && chunkText.marks.every(mark => (textStartOf(mark) ?? 0) === 0));
      return scan === undefined || !canScan
        ? matchLines(chunkText, text => ofLine.test(text))
        : matchScanned(chunkText, scan, (text, isFromStart) => (isLiteral && isFromStart) || ofLine.test(text()));
    },
  };
};

/** Repeatedly finds the next line that may match, tries it, and continues after it. */
const matchScanned = (
  chunkText: ChunkText,
  scan: RegExp,
  matches: (text: () => string, isFromStart: boolean) => boolean,
): Uint16Array => {
  const {lengths, marks} = chunkText;
  const joined = decodeChunkText(chunkText);
  const found: number[] = [];
  let offset = 0;
  let start = 0;
  scan.lastIndex = 0;
  while (offset < lengths.length && scan.test(joined)) {
    for (; start + (lengths[offset] ?? 0) < scan.lastIndex; offset++) {
      start += (lengths[offset] ?? 0) + 1;
    }
    const end = start + (lengths[offset] ?? 0);
    const textStart = textStartOf(marks[offset] ?? 0);
    if (textStart !== undefined && matches(() => joined.slice(start + textStart, end), textStart === 0)) {
      found.push(offset);
    }
    offset += 1;
    start = end + 1;
    scan.lastIndex = start;
  }
  return Uint16Array.from(found);
};

const findSpansOf = (ofText: RegExp, text: string): Spans => {
  const spans: {start: number; end: number}[] = [];
  for (const match of text.matchAll(ofText)) {
    if (spans.length === spansMax) {
      break;
    }
    if (match[0] !== '') {
      spans.push({start: match.index, end: match.index + match[0].length});
    }
  }
  return spans;
};

/** Finds a literal in a text. It can't backtrack, so any thread may call this. */
export const findLiteralSpans = (pattern: Pattern, text: string): Spans =>
  findSpansOf(new RegExp(pattern.source, `${patternFlags(pattern)}g`), text);

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
const scanSourceOf = (source: string): string | undefined => {
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
