import type {LineBuffer} from '../buffer/buffer.ts';
import type {Chunk} from '../buffer/chunk.ts';
import {textsOf} from '../buffer/chunk-text.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {type ChunkTable, createChunkTable, createSideTable, once} from '../buffer/side-table.ts';
import {type Follow, followLine, followNothing} from '../level/continuation.ts';
import {levelOf, levelRank} from '../level/level.ts';
import {type Entry, textOf} from '../line/entry.ts';
import type {Work} from '../work/work.ts';

type Tables = {readonly levels: Uint8Array; readonly continuations: Uint8Array};
type Traits = Tables & {readonly lastHeadRank: number | undefined};

const known: ChunkTable<Traits> = createChunkTable();

/** What was read of an open chunk: its levels, and where reading stood after each entry. */
type OpenRead = {
  readonly entries: readonly Entry[];
  readonly levels: Uint8Array;
  readonly follows: readonly Follow[];
};

/**
 * The last scanned open chunk, by its first entry: when lines are added to a chunk its first entry stays, and only the
 * added lines are scanned.
 */
const openBefore = createSideTable<Entry, OpenRead>();

/**
 * Returns the rank of the level that each entry of a chunk states itself, see `levelRank`; 0 for one that states none,
 * for a continuation, and for a marker.
 */
export const levelsOf = (chunk: Chunk): Uint8Array => traitsOf(chunk).levels;

/**
 * Returns, for each entry of a chunk, 1 if it continues the line above it, else 0. What is above the chunk is not
 * known: a first line that only its place makes a continuation (an exception below its error) counts as a line of its
 * own.
 */
export const continuationsOf = (chunk: Chunk): Uint8Array => traitsOf(chunk).continuations;

/** Returns the level rank of a chunk's last line that is not a continuation; undefined if it has none. */
export const lastHeadRankOf = (chunk: Chunk): number | undefined => traitsOf(chunk).lastHeadRank;

/**
 * Fills the side table for a buffer. Changes no result: scans lines as they arrive, so that no key press has to scan
 * everything held.
 */
export function* readTraits({chunks}: LineBuffer): Work<void> {
  for (const chunk of chunks) {
    if (!areTraitsKnown(chunk)) {
      traitsOf(chunk);
      yield;
    }
  }
}

/** Checks whether the chunk was scanned already, so that a lookup is free. */
export const areTraitsKnown = (chunk: Chunk): boolean => known.get(chunk) !== undefined;

const findTraits = (chunk: Chunk): Traits => {
  const tables = emptyTables(chunk.entryCount);
  if (chunk.kind === 'open') {
    readOpen(chunk.entries, tables);
  } else {
    let follow = followNothing;
    for (const [offset, text] of textsOf(chunk).entries()) {
      follow = text === undefined ? follow : readText(tables, offset, text, follow);
    }
  }
  return {...tables, lastHeadRank: findLastHeadRank(chunk, tables)};
};

const traitsOf = once(known, findTraits);

const findLastHeadRank = (chunk: Chunk, {levels, continuations}: Tables): number | undefined => {
  const markers = new Set(markersOf(chunk).map(({offset}) => offset));
  return levels[continuations.findLastIndex((each, offset) => each === 0 && !markers.has(offset))];
};

const emptyTables = (entryCount: number): Tables => ({
  levels: new Uint8Array(entryCount),
  continuations: new Uint8Array(entryCount),
});

const readText = ({levels, continuations}: Tables, offset: number, text: string, before: Follow): Follow => {
  const level = levelOf(text);
  const follow = followLine(before, text, level);
  continuations[offset] = follow.isContinuation ? 1 : 0;
  levels[offset] = follow.isContinuation ? 0 : levelRank(level);
  return follow;
};

const readOpen = (entries: readonly Entry[], {levels, continuations}: Tables): void => {
  const [first] = entries;
  const known = first === undefined ? undefined : openBefore.get(first);
  const follows: Follow[] = [];
  let before = followNothing;
  let offsetBefore = 0;
  for (const [offset, entry] of entries.entries()) {
    const isKnown = known?.entries[offsetBefore] === entry;
    const follow = isKnown ? known.follows[offsetBefore] : undefined;
    if (follow !== undefined && (known?.follows[offsetBefore - 1] ?? followNothing) === before) {
      levels[offset] = known?.levels[offsetBefore] ?? 0;
      continuations[offset] = entry.kind === 'line' && follow.isContinuation ? 1 : 0;
      before = follow;
    } else if (entry.kind === 'line') {
      before = readText({levels, continuations}, offset, textOf(entry), before);
    }
    offsetBefore += isKnown ? 1 : 0;
    follows.push(before);
  }
  if (first !== undefined) {
    openBefore.set(first, {entries, levels, follows});
  }
};
