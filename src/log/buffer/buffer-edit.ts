import type {Entry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {finishWork, type Work} from '#log/work.ts';
import {firstIndexWhere, type LineBuffer} from './buffer.ts';
import {type Chunk, entriesOf, entryBytes, openChunk, packChunk, timeAt} from './chunk.ts';

/** Number of entries in a chunk filled at the end; one that late lines went into may grow to twice that. */
export const chunkEntriesMax = 512;

/** A place in the chunks: before the entry at `offset`. */
type Place = {pieceIndex: number; offset: number};

/**
 * The newest chunks stay ordinary objects: windows overlap there, late lines go there, and that is what is on the
 * screen. Packing one of them would only mean unpacking it again.
 */
const openChunksMax = 8;
/** Packing what leaves again with the next answer takes longer than anything else that is done with it. */
const openChunksOfSmallMax = 64;
const smallBytesMax = 1024 * 1024;

/** An unchanged chunk of the buffer, or the entries of one that is being changed. */
type Piece = {readonly chunk: Chunk} | {readonly entries: Entry[]};

const entriesIn = (piece: Piece | undefined): readonly Entry[] =>
  piece === undefined ? [] : 'chunk' in piece ? entriesOf(piece.chunk) : piece.entries;
const countOf = (piece: Piece): number => ('chunk' in piece ? piece.chunk.entryCount : piece.entries.length);
const firstAtOf = (piece: Piece): Instant | undefined =>
  'chunk' in piece ? piece.chunk.firstAt : piece.entries[0]?.at;
const lastAtOf = (piece: Piece): Instant | undefined =>
  'chunk' in piece ? piece.chunk.lastAt : piece.entries.at(-1)?.at;
const atOf = (piece: Piece, offset: number): Instant | undefined =>
  'chunk' in piece ? timeAt(piece.chunk, offset) : piece.entries[offset]?.at;

/** A buffer being changed. The buffer it was made from stays as it is. */
export type BufferEdit = {
  /** Returns the entries at exactly this time, in order. */
  entriesAt(at: Instant): readonly Entry[];
  /** Inserts an entry before the `nth` of the entries at its time, or after all of them. */
  insert(entry: Entry, nth?: number): void;
  /** Replaces the entry with this id and the same time. Returns false if that entry is not held. */
  replace(entry: Entry, id?: number): boolean;
  /** Removes the entry with this id and time. */
  remove(entry: Entry): void;
  takeId(): number;
  addTooLate(lineCount: number): void;
  /** Returns the changed buffer, after evicting the oldest entries as far as its bound requires. */
  finish(): LineBuffer;
  /** `finish` as work that may pause. */
  finishing(): Work<LineBuffer>;
};

/**
 * Opens a buffer for changes. Copies only the chunks that are touched. A line later than `believedThrough` keeps its
 * place but does not count as the newest line.
 */
export const editBuffer = (buffer: LineBuffer, believedThrough?: Instant): BufferEdit => {
  const pieces: Piece[] = buffer.chunks.map(chunk => ({chunk}));
  let nextId = buffer.nextId;
  let tooLateLines = buffer.tooLateLines;
  let newestLine = buffer.newestLine;
  let hasChanged = false;
  const openMax = buffer.bytesMax > smallBytesMax ? openChunksMax : openChunksOfSmallMax;

  const own = (index: number): Entry[] => {
    const piece = pieces[index];
    if (piece !== undefined && 'entries' in piece) {
      return piece.entries;
    }
    hasChanged = true;
    const entries = [...entriesIn(piece)];
    pieces[index] = {entries};
    return entries;
  };

  const firstPlaceAt = (at: Instant): Place => {
    const pieceIndex = firstIndexWhere(pieces.length, index => {
      const piece = pieces[index];
      return piece !== undefined && (lastAtOf(piece) ?? at) >= at;
    });
    const piece = pieces[pieceIndex];
    const offset = piece === undefined ? 0 : firstIndexWhere(countOf(piece), index => (atOf(piece, index) ?? at) >= at);
    return {pieceIndex, offset};
  };

  /** Returns the place after the entries at this time. */
  const endPlaceAt = (at: Instant): Place => {
    const pieceIndex = firstIndexWhere(pieces.length, index => {
      const piece = pieces[index];
      return piece !== undefined && (lastAtOf(piece) ?? at) > at;
    });
    const [above, piece] = [pieces[pieceIndex - 1], pieces[pieceIndex]];
    const offset = piece === undefined ? 0 : firstIndexWhere(countOf(piece), index => (atOf(piece, index) ?? at) > at);
    return offset === 0 && above !== undefined && lastAtOf(above) === at
      ? {pieceIndex: pieceIndex - 1, offset: countOf(above)}
      : {pieceIndex, offset};
  };

  const entriesAt = (at: Instant): readonly Entry[] => {
    const found: Entry[] = [];
    const place = firstPlaceAt(at);
    let {offset} = place;
    for (let index = place.pieceIndex; ; index++) {
      const piece = pieces[index];
      if (piece === undefined || atOf(piece, offset) !== at) {
        return found;
      }
      const entries = entriesIn(piece);
      for (let entry = entries[offset]; entry?.at === at; entry = entries[offset]) {
        found.push(entry);
        offset += 1;
      }
      if (offset < entries.length) {
        return found;
      }
      offset = 0;
    }
  };

  const append = (entry: Entry): void => {
    const last = pieces.at(-1);
    const isFull = last !== undefined && countOf(last) >= chunkEntriesMax;
    if (isFull) {
      pack(pieces.length - openMax);
    }
    own(Math.max(0, pieces.length - (isFull ? 0 : 1))).push(entry);
  };

  /** Hardly any of a million new lines need to be objects at the same time. */
  const pack = (index: number): void => {
    const piece = pieces[index];
    if (piece !== undefined && 'entries' in piece) {
      pieces[index] = {chunk: packChunk(openChunk(piece.entries), buffer.slabs)};
    }
  };

  const splitIfLarge = (index: number): void => {
    const entries = own(index);
    if (entries.length > 2 * chunkEntriesMax) {
      pieces.splice(index, 1, {entries: entries.slice(0, chunkEntriesMax)}, {entries: entries.slice(chunkEntriesMax)});
    }
  };

  const insert = (entry: Entry, nth = Number.POSITIVE_INFINITY): void => {
    const isBelieved = believedThrough === undefined || entry.at <= believedThrough;
    if (entry.kind === 'line' && isBelieved && (newestLine === undefined || entry.at >= newestLine.at)) {
      newestLine = entry;
    }
    const last = pieces.at(-1);
    const lastAt = last === undefined ? undefined : lastAtOf(last);
    if (lastAt === undefined || lastAt < entry.at || (lastAt === entry.at && nth === Number.POSITIVE_INFINITY)) {
      append(entry);
      return;
    }
    let {pieceIndex, offset} = nth === Number.POSITIVE_INFINITY ? endPlaceAt(entry.at) : firstPlaceAt(entry.at);
    for (let passed = 0; passed < nth; ) {
      const piece = pieces[pieceIndex];
      const next = pieces[pieceIndex + 1];
      if (piece === undefined) {
        break;
      }
      if (offset < countOf(piece) && atOf(piece, offset) === entry.at) {
        passed += 1;
        offset += 1;
      } else if (offset === countOf(piece) && next !== undefined && firstAtOf(next) === entry.at) {
        pieceIndex += 1;
        offset = 0;
      } else {
        break;
      }
    }
    own(pieceIndex).splice(offset, 0, entry);
    splitIfLarge(pieceIndex);
  };

  const find = (at: Instant, id: number): Place | undefined => {
    let {pieceIndex, offset} = firstPlaceAt(at);
    for (let piece = pieces[pieceIndex]; piece !== undefined; piece = pieces[pieceIndex]) {
      const entries = entriesIn(piece);
      for (; entries[offset]?.at === at; offset++) {
        if (entries[offset]?.id === id) {
          return {pieceIndex, offset};
        }
      }
      if (offset < entries.length) {
        return undefined;
      }
      pieceIndex += 1;
      offset = 0;
    }
    return undefined;
  };

  const replace = (entry: Entry, id = entry.id): boolean => {
    const place = find(entry.at, id);
    if (place !== undefined) {
      own(place.pieceIndex)[place.offset] = entry;
    }
    return place !== undefined;
  };

  const remove = (entry: Entry): void => {
    const place = find(entry.at, entry.id);
    if (place === undefined) {
      return;
    }
    const entries = own(place.pieceIndex);
    entries.splice(place.offset, 1);
    if (entries.length === 0) {
      pieces.splice(place.pieceIndex, 1);
    }
  };

  function* finishing(): Work<LineBuffer> {
    if (!hasChanged && tooLateLines === buffer.tooLateLines && buffer.bytes <= buffer.bytesMax) {
      return buffer;
    }
    const sealed: Chunk[] = [];
    for (const [index, piece] of pieces.entries()) {
      const chunk = 'chunk' in piece ? piece.chunk : openChunk(piece.entries);
      if (chunk.kind === 'packed' || index >= pieces.length - openMax) {
        sealed.push(chunk);
      } else {
        sealed.push(packChunk(chunk, buffer.slabs));
        yield;
      }
    }
    const kept = evict(sealed, buffer.bytesMax);
    const starts: number[] = [];
    let entryCount = 0;
    let lineCount = 0;
    let bytes = 0;
    for (const chunk of kept.chunks) {
      starts.push(entryCount);
      entryCount += chunk.entryCount;
      lineCount += chunk.lineCount;
      bytes += chunk.bytes;
    }
    return {
      chunks: kept.chunks,
      slabs: buffer.slabs,
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
  }

  return {
    entriesAt,
    insert,
    replace,
    remove,
    takeId: () => nextId++,
    addTooLate: lineCount => {
      tooLateLines += lineCount;
    },
    finish: () => finishWork(finishing()),
    finishing,
  };
};

type Eviction = {chunks: readonly Chunk[]; evictedLines: number; evictedThrough: Instant | undefined};

/**
 * Evicts the oldest entries until the bound holds. All entries of one time leave together, so that a single time
 * separates what has left from what is held; the newest time always stays. Packed chunks leave whole where possible:
 * this evicts a few more lines than the bound requires, but avoids rewriting the rest of one at every poll.
 */
const evict = (chunks: readonly Chunk[], bytesMax: number): Eviction => {
  let bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  const newestAt = chunks.at(-1)?.lastAt;
  let leavingAt: Instant | undefined;
  let evictedLines = 0;
  let evictedThrough: Instant | undefined;
  for (const [chunkIndex, chunk] of chunks.entries()) {
    if (bytes <= bytesMax && chunk.firstAt !== leavingAt) {
      return {chunks: chunks.slice(chunkIndex), evictedLines, evictedThrough};
    }
    const leavesWhole =
      bytes > bytesMax && chunk.kind === 'packed' && chunk.lineCount === chunk.entryCount && chunk.lastAt !== newestAt;
    if (leavesWhole) {
      bytes -= chunk.bytes;
      leavingAt = chunk.lastAt;
      evictedLines += chunk.lineCount;
      evictedThrough = chunk.lastAt;
      continue;
    }
    const entries = entriesOf(chunk);
    // The rest of a packed chunk is held unpacked.
    bytes += entries.reduce((sum, entry) => sum + entryBytes(entry), 0) - chunk.bytes;
    for (const [offset, entry] of entries.entries()) {
      const isLeaving = (bytes > bytesMax || entry.at === leavingAt) && entry.at !== newestAt;
      if (!isLeaving) {
        const rest = offset === 0 ? chunk : openChunk(entries.slice(offset));
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
