import type {LineBuffer} from '../buffer/buffer.ts';
import type {Chunk} from '../buffer/chunk.ts';
import {textsOf} from '../buffer/chunk-text.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {type ChunkTable, createChunkTable, createSideTable, once} from '../buffer/side-table.ts';
import {isContinuation} from '../level/continuation.ts';
import {levelOf, levelRank} from '../level/level.ts';
import {type Entry, textOf} from '../line/entry.ts';

type Tables = {readonly levels: Uint8Array; readonly continuations: Uint8Array};
type Traits = Tables & {readonly lastHeadRank: number | undefined};

const known: ChunkTable<Traits> = createChunkTable();

/**
 * The last scanned open chunk, by its first entry: when lines are added to a chunk its first entry stays, and only the
 * added lines are scanned.
 */
const openBefore = createSideTable<Entry, {readonly entries: readonly Entry[]; readonly traits: Tables}>();

/**
 * Returns the rank of the level that each entry of a chunk states itself, see `levelRank`; 0 for one that states none,
 * and for a marker.
 */
export const levelsOf = (chunk: Chunk): Uint8Array => traitsOf(chunk).levels;

/** Returns, for each entry of a chunk, 1 if it continues the line above it and states no level of its own, else 0. */
export const continuationsOf = (chunk: Chunk): Uint8Array => traitsOf(chunk).continuations;

/** Returns the level rank of a chunk's last line that is not a continuation; undefined if it has none. */
export const lastHeadRankOf = (chunk: Chunk): number | undefined => traitsOf(chunk).lastHeadRank;

/**
 * Fills the side table for a buffer. Changes no result: scans lines as they arrive, so that no key press has to scan
 * everything held.
 */
export const readTraits = ({chunks}: LineBuffer): void => {
  for (const chunk of chunks) {
    traitsOf(chunk);
  }
};

/** Checks whether the chunk was scanned already, so that a lookup is free. */
export const areTraitsKnown = (chunk: Chunk): boolean => known.get(chunk) !== undefined;

const findTraits = (chunk: Chunk): Traits => {
  const tables = emptyTables(chunk.entryCount);
  if (chunk.kind === 'open') {
    readOpen(chunk.entries, tables);
  } else {
    for (const [offset, text] of textsOf(chunk).entries()) {
      readText(tables, offset, text);
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

const readText = ({levels, continuations}: Tables, offset: number, text: string | undefined): void => {
  if (text !== undefined) {
    const level = levelOf(text);
    levels[offset] = levelRank(level);
    continuations[offset] = isContinuation(text, level) ? 1 : 0;
  }
};

const readOpen = (entries: readonly Entry[], traits: Tables): void => {
  const [first] = entries;
  const before = first === undefined ? undefined : openBefore.get(first);
  let offsetBefore = 0;
  for (const [offset, entry] of entries.entries()) {
    if (before?.entries[offsetBefore] === entry) {
      traits.levels[offset] = before.traits.levels[offsetBefore] ?? 0;
      traits.continuations[offset] = before.traits.continuations[offsetBefore] ?? 0;
      offsetBefore += 1;
    } else {
      readText(traits, offset, entry.kind === 'line' ? textOf(entry) : undefined);
    }
  }
  if (first !== undefined) {
    openBefore.set(first, {entries, traits});
  }
};
