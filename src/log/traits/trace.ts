import {type LineBuffer, placeOfEntry} from '#log/buffer/buffer.ts';
import {type Chunk, entriesOf, sourceAt} from '#log/buffer/chunk.ts';
import {type EntryList, markersOf} from '#log/buffer/entry-list.ts';
import {countBelow} from '#log/buffer/offset-search.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {saysBelow} from '#log/reading/continuation.ts';
import {continuationsOf} from './line-traits.ts';

/** Nobody reads a trace further, and it bounds the work for the rows on the screen. */
export const traceLinesMax = 500;

/** How far after a line its trace is looked for among lines of other sources. */
export const passedLinesMax = 10_000;

type Place = {readonly chunkIndex: number; readonly offset: number};

/** Identifies a line of a buffer. */
type LineKey = Pick<LineEntry, 'id' | 'at'>;

/**
 * Yields the lines that continue a line, skipping markers and lines of other sources between them. Yields nothing if
 * the line is itself a continuation or is no longer held.
 */
function* placesOfTrace(buffer: LineBuffer, line: LineKey): Generator<Place> {
  const head = placeOfEntry(buffer, line);
  const headChunk = head && buffer.chunks[head.chunkIndex];
  if (head === undefined || headChunk === undefined || continuationsOf(headChunk)[head.offset] === 1) {
    return;
  }
  const source = sourceAt(headChunk, head.offset);
  let passedLines = 0;
  for (let {chunkIndex} = head; chunkIndex < buffer.chunks.length; chunkIndex++) {
    const chunk = buffer.chunks[chunkIndex];
    if (chunk === undefined) {
      return;
    }
    const continuations = continuationsOf(chunk);
    const first = chunkIndex === head.chunkIndex ? head.offset + 1 : 0;
    for (let offset = first; offset < chunk.entryCount; offset++) {
      const isOwn = sourceAt(chunk, offset) === source;
      passedLines += isOwn ? 0 : 1;
      if (isOwn && continuations[offset] === 1) {
        yield {chunkIndex, offset};
      } else if (
        passedLines > passedLinesMax ||
        (isOwn && !markersOf(chunk).some(placed => placed.offset === offset))
      ) {
        return;
      }
    }
  }
}

/** Checks whether a line that is held continues the one above it, so that it is no event of its own. */
export const isInTrace = (buffer: LineBuffer, line: LineKey): boolean => {
  const {chunkIndex = -1, offset = -1} = placeOfEntry(buffer, line) ?? {};
  const chunk = buffer.chunks[chunkIndex];
  return chunk !== undefined && continuationsOf(chunk)[offset] === 1;
};

/** Returns the lines that continue a line, at most `traceLinesMax`, and whether there are more. */
export const readTrace = (
  buffer: LineBuffer,
  line: LineKey,
): {readonly lines: readonly LineEntry[]; readonly hasMore: boolean} => {
  const lines: LineEntry[] = [];
  for (const {chunkIndex, offset} of placesOfTrace(buffer, line)) {
    if (lines.length === traceLinesMax) {
      return {lines, hasMore: true};
    }
    const chunk = buffer.chunks[chunkIndex];
    const entry = chunk && entriesOf(chunk)[offset];
    if (entry?.kind === 'line') {
      lines.push(entry);
    }
  }
  return {lines, hasMore: false};
};

/**
 * Counts the lines that continue a line and are not in the list; `traceLinesMax` + 1 if there are more than
 * `traceLinesMax`.
 */
export const countFolded = (list: EntryList, line: LineKey): number => {
  let count = 0;
  for (const {chunkIndex, offset} of placesOfTrace(list.buffer, line)) {
    const listed = list.offsetsIn(chunkIndex);
    count += listed === undefined || listed[countBelow(listed, offset)] === offset ? 0 : 1;
    if (count > traceLinesMax) {
      break;
    }
  }
  return count;
};

/**
 * The last lines of a trace that is printed below its head: the exception of Python, the message of Rust and of gin.
 */
const notIndented = /^[^\s]/;

/**
 * Returns the text of a chunk's line that says what it is about: of a line that only announces a trace that which the
 * trace says, if it is in the chunk; of any other line its own. Undefined if the trace does not say it.
 */
export const headlineAt = (
  chunk: Chunk,
  offset: number,
  texts: readonly (string | undefined)[],
): string | undefined => {
  const text = texts[offset] ?? '';
  const place = saysBelow(text);
  if (place === undefined) {
    return text;
  }
  const continuations = continuationsOf(chunk);
  const source = sourceAt(chunk, offset);
  let said: string | undefined;
  const end = Math.min(texts.length, offset + traceLinesMax);
  for (let next = offset + 1; next < end; next += 1) {
    const below = texts[next];
    if (below !== undefined && sourceAt(chunk, next) === source) {
      if (continuations[next] === 0) {
        return said;
      }
      if (notIndented.test(below)) {
        said = below;
      }
      if (place === 'next') {
        return below;
      }
    }
  }
  return said;
};
