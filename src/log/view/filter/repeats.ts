import {type LineBuffer, placeOfEntry} from '#log/buffer/buffer.ts';
import {type Chunk, sourceAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {countBelow} from '#log/buffer/offset-search.ts';
import {type ChunkCache, createChunkCache, createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {Entry} from '#log/line/entry.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {foldText} from '#log/traits/fold-text.ts';
import {continuationsOf, type LineWriter, levelsOf} from '#log/traits/line-traits.ts';

/** Lines of one shape, level and source that follow each other in what is shown. */
type Run = {readonly shape: number; readonly source: LineWriter; readonly isOpen: boolean};

/** The entries of a chunk that are shown when each run is folded to its first line. */
type FoldedChunk = {
  readonly offsets: Uint16Array;
  /** For each of them, how many lines of the chunk are folded into it. */
  readonly counts: Uint16Array;
  /** How many lines are folded into the last one shown before the chunk. */
  readonly leading: number;
  /** The run that its last line belongs to, which the next chunk may continue. */
  readonly run: Run | undefined;
};

/** Inputs that decide about a chunk, besides its shown entries. */
export type RepeatWishes = {
  readonly before: Run | undefined;
  /** Lines that are never folded, such as hits of a search. */
  readonly kept: readonly (Iterable<number> | undefined)[];
  /** First lines of runs that are shown whole. */
  readonly opened: readonly number[];
};

/** Stands for what is never folded, and ends a run: a marker, or a line of a trace. */
const noShape = 0;

const known: ChunkCache<Uint32Array> = createChunkCache();

/** Checks whether the shapes of a chunk were read already, so that folding it is cheap. */
export const areRepeatsKnown = (chunk: Chunk): boolean => known.get(chunk) !== undefined;

/** FNV-1a. Only neighbours are compared, so that no two different lines meet by chance. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  }
  return sum >>> 0 || 1;
};

/** Reads the shapes of a chunk's lines. Cached, because it costs several times what filtering does. */
export const readRepeats = once(known, chunk => {
  const levels = levelsOf(chunk);
  const continuations = continuationsOf(chunk);
  return Uint32Array.from(textsOf(chunk), (text, offset) =>
    text === undefined || continuations[offset] === 1 ? noShape : hash(`${levels[offset]} ${foldText(text)}`),
  );
});

type Folded = RepeatWishes & {readonly chunk: Chunk; readonly folded: FoldedChunk};
const folds = createWeakCache<Uint16Array, Folded>();

const areSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

const isSameRun = (one: Run | undefined, other: Run | undefined): boolean =>
  one?.shape === other?.shape && one?.source === other?.source && one?.isOpen === other?.isOpen;

/** Folds what is shown of a chunk. Returns the same for the same. */
export const foldRepeats = (chunk: Chunk, shown: Uint16Array, wishes: RepeatWishes): FoldedChunk => {
  const found = folds.get(shown);
  if (
    found?.chunk.key === chunk.key &&
    isSameRun(found.before, wishes.before) &&
    areSame(found.kept, wishes.kept) &&
    areSame(found.opened, wishes.opened)
  ) {
    return found.folded;
  }
  const shapes = readRepeats(chunk);
  const kept = new Set(wishes.kept.flatMap(offsets => [...(offsets ?? [])]));
  const offsets: number[] = [];
  const counts: number[] = [];
  let leading = 0;
  let run = wishes.before;
  for (const offset of shown) {
    const shape = shapes[offset] ?? noShape;
    const source = sourceAt(chunk, offset);
    const isSame = shape !== noShape && run?.shape === shape && run.source === source;
    if (isSame && run?.isOpen === false && !kept.has(offset)) {
      if (counts.length === 0) {
        leading += 1;
      } else {
        counts.push((counts.pop() ?? 0) + 1);
      }
    } else {
      offsets.push(offset);
      counts.push(0);
      run = {shape, source, isOpen: (isSame && run?.isOpen === true) || wishes.opened.includes(offset)};
    }
  }
  const folded = {offsets: Uint16Array.from(offsets), counts: Uint16Array.from(counts), leading, run};
  folds.set(shown, {...wishes, chunk, folded});
  return folded;
};

type EntryKey = Pick<Entry, 'id' | 'at'>;

/** The shown entries of a buffer with repeated lines folded. */
type FoldedList = {
  readonly offsetsOfChunks: readonly Uint16Array[];
  /** Returns how many lines are folded into one that is shown. */
  readonly countInto: (entry: EntryKey) => number;
};

/** Folds what is shown of each chunk; a chunk whose shapes are not known yet is shown as it is. */
export const foldList = (
  buffer: LineBuffer,
  shown: readonly Uint16Array[],
  kept: readonly Matches[],
  opened: readonly EntryKey[],
): FoldedList => {
  const places = opened.flatMap(entry => placeOfEntry(buffer, entry) ?? []);
  const folded: FoldedChunk[] = [];
  for (const [chunkIndex, chunk] of buffer.chunks.entries()) {
    const offsets = shown[chunkIndex] ?? new Uint16Array(0);
    const before = folded.at(-1)?.run;
    folded.push(
      offsets.length === 0
        ? {offsets, counts: offsets, leading: 0, run: before}
        : !areRepeatsKnown(chunk)
          ? {offsets, counts: new Uint16Array(offsets.length), leading: 0, run: undefined}
          : foldRepeats(chunk, offsets, {
              before,
              kept: kept.map(matches => matches.of(chunk)?.offsets),
              opened: places.flatMap(place => (place.chunkIndex === chunkIndex ? [place.offset] : [])),
            }),
    );
  }
  return {
    offsetsOfChunks: folded.map(({offsets}) => offsets),
    countInto: entry => {
      const place = placeOfEntry(buffer, entry);
      const own = place && folded[place.chunkIndex];
      if (place === undefined || own === undefined) {
        return 0;
      }
      const at = countBelow(own.offsets, place.offset);
      let count = own.offsets[at] === place.offset ? (own.counts[at] ?? 0) : 0;
      if (at === own.offsets.length - 1) {
        for (const {leading, offsets} of folded.slice(place.chunkIndex + 1)) {
          count += leading;
          if (offsets.length > 0) {
            break;
          }
        }
      }
      return count;
    },
  };
};
