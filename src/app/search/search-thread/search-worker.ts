/** The search thread, started by search-host.ts. It may be ended at any time. */

import {readSync} from 'node:fs';
import {parentPort} from 'node:worker_threads';
import {createMatcher, type Matcher} from '#log/pattern/matcher.ts';
import type {Pattern} from '#log/pattern/parse-pattern.ts';
import type {FileBlock, SearchAnswer, SearchRequest} from './search-queue.ts';

/** A line that begins in a block is read this far beyond it, in bytes; longer ones are cut, as where they are shown. */
const lineBytesMax = 64 * 1024;
/** Characters are made of so many bytes at a time: they stay in the processor's cache. */
const pieceBytes = 64 * 1024;
const newline = 0x0a;

/** Reads the bytes from one offset to another into memory; fewer if the file has become shorter. */
const readBlock = (space: Buffer, descriptor: number, from: number, to: number): Buffer => {
  let filled = 0;
  while (filled < to - from) {
    const count = readSync(descriptor, space, filled, to - from - filled, from + filled);
    if (count === 0) {
      break;
    }
    filled += count;
  }
  return space.subarray(0, filled);
};

/** Finds the first or the last place of a text in bytes, before an end. */
const findText = (bytes: Buffer, end: number, {query, isCaseSensitive}: Pattern, isLast: boolean): number => {
  const text = Buffer.from(query);
  if (isCaseSensitive) {
    const found = isLast ? bytes.lastIndexOf(text, end - 1) : bytes.indexOf(text);
    return found < end ? found : -1;
  }
  const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
  const pieceCount = Math.ceil(end / pieceBytes);
  for (let count = 0; count < pieceCount; count += 1) {
    const from = pieceBytes * (isLast ? pieceCount - 1 - count : count);
    // As many characters as bytes: all of the query's are ASCII. A match may end in the next piece.
    const characters = bytes.toString('latin1', from, Math.min(end, from + pieceBytes) + text.length - 1);
    let found = -1;
    for (let match = pattern.exec(characters); match !== null; match = pattern.exec(characters)) {
      found = from + match.index;
      if (!isLast) {
        return found;
      }
    }
    if (found !== -1) {
      return found;
    }
  }
  return -1;
};

/** Finds the first or the last line that matches, of those that begin before an end. */
const findLine = (
  bytes: Buffer,
  start: number,
  end: number,
  matches: (line: string) => boolean,
  isLast: boolean,
): number => {
  let last = -1;
  for (let offset = start; offset < end; ) {
    const found = bytes.indexOf(newline, offset);
    const lineEnd = Math.min(found === -1 ? bytes.length : found, offset + lineBytesMax);
    if (matches(bytes.toString('utf8', offset, bytes[lineEnd - 1] === 0x0d ? lineEnd - 1 : lineEnd))) {
      last = offset;
      if (!isLast) {
        break;
      }
    }
    offset = found === lineEnd ? lineEnd + 1 : lineEnd;
  }
  return last;
};

/**
 * Creates a function that finds the first or the last match in a block of a file, and returns an offset in the file
 * within the matching line. A text is found as bytes, which are decoded for nothing else; any other pattern is tried on
 * each line. The memory for a block is kept for the next.
 */
export const createBlockScanner = () => {
  let space = Buffer.alloc(0);
  return (
    {descriptor, from, to, isLast}: FileBlock,
    pattern: Pattern,
    matches: (line: string) => boolean,
  ): number | undefined => {
    const isText = pattern.kind === 'literal' && (pattern.isCaseSensitive || /^[\x20-\x7e]*$/.test(pattern.query));
    const begin = isText ? from : Math.max(0, from - 1);
    const end = to + lineBytesMax;
    space = space.length < end - begin ? Buffer.allocUnsafeSlow(end - begin) : space;
    const bytes = readBlock(space, descriptor, begin, end);
    // A line that began before belongs to the block before, unless it is longer than one.
    const start = begin === from ? 0 : bytes.indexOf(newline) + 1;
    const found = isText
      ? findText(bytes, to - begin, pattern, isLast)
      : findLine(bytes, start, Math.min(bytes.length, to - begin), matches, isLast);
    return found === -1 ? undefined : begin + found;
  };
};

/** Maximum cached matchers: enough for a search and some filters. */
const matchersMax = 16;
const matchers = new Map<string, Matcher>();

const scanBlock = createBlockScanner();

const openMatcher = async ({pattern, engine}: SearchRequest): Promise<Matcher> => {
  const key = `${engine} ${pattern.query}`;
  const known = matchers.get(key);
  if (known !== undefined) {
    return known;
  }
  // Loaded on demand: few patterns need it.
  const matcher =
    engine === 'fast' ? createMatcher(pattern) : (await import('../re2-matcher.ts')).createRe2Matcher(pattern);
  if (matchers.size >= matchersMax) {
    matchers.clear();
  }
  matchers.set(key, matcher);
  return matcher;
};

const answer = async (request: SearchRequest): Promise<SearchAnswer> => {
  try {
    const matcher = await openMatcher(request);
    switch (request.kind) {
      case 'match':
        return {kind: 'matched', offsetsOfChunks: request.chunks.map(matcher.matchChunk)};
      case 'findSpans':
        return {kind: 'foundSpans', spansOfTexts: request.texts.map(matcher.findSpans)};
      case 'scan':
        return {kind: 'scanned', offset: scanBlock(request.block, request.pattern, matcher.matchesLine)};
      default:
        return request satisfies never;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {kind: 'refused', reason: reason.replace(/^error parsing regexp: /, '')};
  }
};

const send = (message: SearchAnswer): void => {
  parentPort?.postMessage(message);
};

/** Answers requests one after another, although one may wait for an engine to load. */
let answered: Promise<void> = Promise.resolve();

parentPort?.on('message', (request: SearchRequest) => {
  answered = answered.then(async () => {
    send(await answer(request));
  });
});
send({kind: 'ready'});
