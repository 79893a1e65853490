import {type ChunkText, decodeChunkText, textStartOf} from '../buffer/chunk-text.ts';
import {type Pattern, patternFlags} from './parse-pattern.ts';
import {scanSourceOf} from './scan-source.ts';

/** Where in a text a pattern matches: from each start to, not including, each end, in UTF-16 code units; they rise and don't overlap. */
export type Spans = readonly {readonly start: number; readonly end: number}[];

/** A pattern that is ready to be tried. */
export type Matcher = {
  /** The places in the chunk of the lines that match. */
  readonly matchChunk: (chunkText: ChunkText) => Uint16Array;
  readonly findSpans: (text: string) => Spans;
};

/** More places in one text are not told apart any more. */
export const spansMax = 200;

/** Tries each line of a chunk by itself. */
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
 * A pattern in the language's own engine: fast, but one that backtracks without end never comes back, so it is only for a thread that
 * can be ended. A chunk is looked through as one text, and what is found is tried line by line.
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
    matchChunk: chunkText => {
      const canScan =
        isLiteral || (!chunkText.hasBreaks && chunkText.marks.every(mark => (textStartOf(mark) ?? 0) === 0));
      return scan === undefined || !canScan
        ? matchLines(chunkText, text => ofLine.test(text))
        : matchScanned(chunkText, scan, (text, isFromStart) => (isLiteral && isFromStart) || ofLine.test(text()));
    },
  };
};

/** Looks for the next line that may match, and tries it; goes on behind it. */
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

/** Where a literal stands in a text. It can't backtrack, so this is for any thread. */
export const findLiteralSpans = (pattern: Pattern, text: string): Spans =>
  findSpansOf(new RegExp(pattern.source, `${patternFlags(pattern)}g`), text);
