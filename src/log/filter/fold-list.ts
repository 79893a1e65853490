import {type LineBuffer, placeOfEntry} from '#log/buffer/buffer.ts';
import {countBelow} from '#log/buffer/offset-search.ts';
import type {Entry} from '#log/line/entry.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {areRepeatsKnown, type FoldedChunk, foldRepeats} from '../view/filter/repeats.ts';

type EntryKey = Pick<Entry, 'id' | 'at'>;

/** What is shown of a buffer with its repeated lines folded. */
export type FoldedList = {
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
