import {type Chunk, timeAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {levelOfRank} from '#log/tokens/level-words.ts';
import {headlineAt} from '#log/traits/headline.ts';
import {continuationsOf, levelsOf} from '#log/traits/line-traits.ts';
import {saidSourceAt} from '#log/view/chunk-sources.ts';
import type {LogView} from '#log/view/log-view.ts';
import {addTo, type Summary} from './summary.ts';

/** The unit of summarising: entries of one chunk. */
export type SummaryPart = {
  readonly chunk: Chunk;
  /** The ascending offsets of those entries; undefined for all. */
  readonly offsets: Uint16Array | undefined;
};

/** Indices of a view, both included. */
export type ViewRange = {readonly first: number; readonly last: number};

/** Splits a view, or a range of it, into parts, newest first. O(chunks). */
export const partsOf = (view: LogView, range?: ViewRange): readonly SummaryPart[] => {
  const from = range && view.offsetsAt(range.first);
  const to = range && view.offsetsAt(range.last + 1);
  const parts = view.lists.map(({buffer, offsetsIn}, source) =>
    buffer.chunks.flatMap((chunk, index): readonly SummaryPart[] => {
      const start = buffer.starts[index] ?? 0;
      const low = Math.max(0, (from?.[source] ?? 0) - start);
      const high = Math.min(chunk.entryCount, (to?.[source] ?? buffer.entryCount) - start);
      const offsets = low === 0 && high === chunk.entryCount ? offsetsIn(index) : cut(offsetsIn(index), low, high);
      return offsets?.length === 0 ? [] : [{chunk, offsets}];
    }),
  );
  return parts
    .flat()
    .toSorted((a, b) => (a.chunk.lastAt < b.chunk.lastAt ? 1 : a.chunk.lastAt > b.chunk.lastAt ? -1 : 0));
};

const cut = (offsets: Uint16Array | undefined, low: number, high: number): Uint16Array =>
  offsets?.filter(offset => offset >= low && offset < high) ??
  Uint16Array.from({length: Math.max(0, high - low)}, (_, index) => low + index);

export const countEntries = ({chunk, offsets}: SummaryPart): number => offsets?.length ?? chunk.entryCount;

/** Counts the lines of a part; markers are not counted. */
export const addPart = (summary: Summary, {chunk, offsets}: SummaryPart): void => {
  const levels = levelsOf(chunk);
  const continuations = continuationsOf(chunk);
  let next = 0;
  const texts = textsOf(chunk);
  for (const [offset, text] of texts.entries()) {
    const isWanted = offsets === undefined || offsets[next] === offset;
    next += isWanted ? 1 : 0;
    const at = timeAt(chunk, offset);
    if (isWanted && text !== undefined && at !== undefined) {
      addTo(summary, text, at, {
        level: levelOfRank(levels[offset] ?? 0),
        isContinuation: continuations[offset] === 1,
        headline: headlineAt(chunk, offset, texts),
        source: saidSourceAt(chunk, offset),
      });
    }
  }
};
