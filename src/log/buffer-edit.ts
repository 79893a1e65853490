import {type Chunk, entryBytes, firstIndexWhere, type LineBuffer} from './buffer.ts';
import type {Entry} from './entry.ts';
import type {Instant} from './instant.ts';

/** Entries a chunk holds when it is filled at the end; one that late lines went into may grow to twice that. */
export const chunkEntriesMax = 512;

/** A place in the chunks: before the entry at `offset`. */
type Place = {chunkIndex: number; offset: number};

type OpenChunk = {entries: Entry[]; isOwn: boolean};

/** A buffer being changed. The buffer it was made from stays as it is. */
export type BufferEdit = {
  /** Every entry at exactly this time, in order. */
  entriesAt(at: Instant): readonly Entry[];
  /** Puts an entry in: before the `nth` of the entries at its time, or behind them all. */
  insert(entry: Entry, nth?: number): void;
  takeId(): number;
  addTooLate(lineCount: number): void;
  /** The changed buffer, with the oldest entries gone as far as its bound asks for it. */
  finish(): LineBuffer;
};

/** Opens a buffer for changes. Only the chunks that are touched are copied. */
export const editBuffer = (buffer: LineBuffer): BufferEdit => {
  const chunks: OpenChunk[] = buffer.chunks.map(chunk => ({entries: chunk.entries as Entry[], isOwn: false}));
  const unchanged = new Map<readonly Entry[], Chunk>(buffer.chunks.map(chunk => [chunk.entries, chunk]));
  let nextId = buffer.nextId;
  let tooLateLines = buffer.tooLateLines;
  let newestLine = buffer.newestLine;

  const own = (chunkIndex: number): Entry[] => {
    const chunk = chunks[chunkIndex];
    if (chunk === undefined) {
      const entries: Entry[] = [];
      chunks.push({entries, isOwn: true});
      return entries;
    }
    if (!chunk.isOwn) {
      chunk.entries = [...chunk.entries];
      chunk.isOwn = true;
    }
    return chunk.entries;
  };

  const firstPlaceAt = (at: Instant): Place => {
    const chunkIndex = firstIndexWhere(chunks.length, index => (chunks[index]?.entries.at(-1)?.at ?? at) >= at);
    const entries = chunks[chunkIndex]?.entries ?? [];
    return {chunkIndex, offset: firstIndexWhere(entries.length, index => (entries[index]?.at ?? at) >= at)};
  };

  const entriesAt = (at: Instant): readonly Entry[] => {
    const found: Entry[] = [];
    let {chunkIndex, offset} = firstPlaceAt(at);
    for (;;) {
      const entries = chunks[chunkIndex]?.entries;
      if (entries === undefined) {
        return found;
      }
      const entry = entries[offset];
      if (entry === undefined) {
        chunkIndex += 1;
        offset = 0;
      } else if (entry.at === at) {
        found.push(entry);
        offset += 1;
      } else {
        return found;
      }
    }
  };

  const append = (entry: Entry): void => {
    const lastIndex = Math.max(0, chunks.length - 1);
    const isFull = (chunks[lastIndex]?.entries.length ?? 0) >= chunkEntriesMax;
    own(isFull ? lastIndex + 1 : lastIndex).push(entry);
  };

  const splitIfLarge = (chunkIndex: number): void => {
    const entries = chunks[chunkIndex]?.entries ?? [];
    if (entries.length > 2 * chunkEntriesMax) {
      chunks.splice(
        chunkIndex,
        1,
        {entries: entries.slice(0, chunkEntriesMax), isOwn: true},
        {entries: entries.slice(chunkEntriesMax), isOwn: true},
      );
    }
  };

  const insert = (entry: Entry, nth = Number.POSITIVE_INFINITY): void => {
    if (entry.kind === 'line' && (newestLine === undefined || entry.at >= newestLine.at)) {
      newestLine = entry;
    }
    const lastAt = chunks.at(-1)?.entries.at(-1)?.at;
    if (lastAt === undefined || lastAt < entry.at || (lastAt === entry.at && nth === Number.POSITIVE_INFINITY)) {
      append(entry);
      return;
    }
    let {chunkIndex, offset} = firstPlaceAt(entry.at);
    for (let passed = 0; passed < nth; ) {
      const entries = chunks[chunkIndex]?.entries;
      const at = entries?.[offset]?.at;
      if (at === entry.at) {
        passed += 1;
        offset += 1;
      } else if (
        entries !== undefined &&
        offset === entries.length &&
        chunks[chunkIndex + 1]?.entries[0]?.at === entry.at
      ) {
        chunkIndex += 1;
        offset = 0;
      } else {
        break;
      }
    }
    own(chunkIndex).splice(offset, 0, entry);
    splitIfLarge(chunkIndex);
  };

  const finish = (): LineBuffer => {
    const kept = evict(
      chunks.map(chunk => unchanged.get(chunk.entries) ?? sealChunk(chunk.entries)),
      buffer.bytesMax,
    );
    const starts: number[] = [];
    let entryCount = 0;
    let lineCount = 0;
    let bytes = 0;
    for (const chunk of kept.chunks) {
      starts.push(entryCount);
      entryCount += chunk.entries.length;
      lineCount += chunk.lineCount;
      bytes += chunk.bytes;
    }
    return {
      chunks: kept.chunks,
      starts,
      entryCount,
      lineCount,
      bytes,
      bytesMax: buffer.bytesMax,
      nextId,
      newestLine,
      evictedLines: buffer.evictedLines + kept.evictedLines,
      evictedThrough: kept.evictedThrough ?? buffer.evictedThrough,
      tooLateLines,
    };
  };

  return {
    entriesAt,
    insert,
    takeId: () => nextId++,
    addTooLate: lineCount => {
      tooLateLines += lineCount;
    },
    finish,
  };
};

type Kept = {chunks: readonly Chunk[]; evictedLines: number; evictedThrough: Instant | undefined};

/**
 * Lets the oldest entries go until the bound holds. All entries of one time leave together, so that a line at or below
 * the newest time that left is known to have been held; the newest time always stays.
 */
const evict = (chunks: readonly Chunk[], bytesMax: number): Kept => {
  let bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  const newestAt = chunks.at(-1)?.entries.at(-1)?.at;
  let leavingAt: Instant | undefined;
  let evictedLines = 0;
  let evictedThrough: Instant | undefined;
  for (const [chunkIndex, chunk] of chunks.entries()) {
    for (const [offset, entry] of chunk.entries.entries()) {
      const isLeaving = (bytes > bytesMax || entry.at === leavingAt) && entry.at !== newestAt;
      if (!isLeaving) {
        const rest = offset === 0 ? chunk : sealChunk(chunk.entries.slice(offset));
        return {chunks: [rest, ...chunks.slice(chunkIndex + 1)], evictedLines, evictedThrough};
      }
      bytes -= entryBytes(entry);
      leavingAt = entry.at;
      if (entry.kind === 'line') {
        evictedLines += 1;
        evictedThrough = entry.at;
      }
    }
  }
  return {chunks, evictedLines, evictedThrough};
};

const sealChunk = (entries: readonly Entry[]): Chunk => {
  let lineCount = 0;
  let bytes = 0;
  for (const entry of entries) {
    lineCount += entry.kind === 'line' ? 1 : 0;
    bytes += entryBytes(entry);
  }
  return {entries, lineCount, bytes};
};
