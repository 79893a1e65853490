import {indexAtOrAfter, type LineBuffer, pieceOf} from '../buffer/buffer.ts';
import {type Chunk, entriesAt, sourceAt, timeAt} from '../buffer/chunk.ts';
import {textsOf} from '../buffer/chunk-text.ts';
import type {Instant} from '../line/instant.ts';
import {isOfRequest} from '../reading/request.ts';
import {levelOfRank, levelRank} from '../reading/tokens/level-words.ts';
import {eventShapeOf} from '../shapes/event-shape.ts';
import {sourceWords} from '../sources/source-words.ts';
import {readLineParts} from '../summary/read-parts.ts';
import {headlineAt} from '../traits/headline.ts';
import {continuationsOf, levelsOf} from '../traits/line-traits.ts';
import type {Anchor} from '../view/log-view.ts';
import {beforeNanos, type Rise} from './find-rise.ts';

const shareKinds = ['status', 'path', 'shape', 'source', 'pod'] as const;

export type ShareKind = (typeof shareKinds)[number];

/**
 * How much of the log something carries: a status of 400 or more, of all lines with a status; a path, of all lines
 * with a path those that are errors; a shape, a source or a pod's name, of all lines those that are errors. From 0 to
 * 1.
 */
export type Carrier = {
  readonly kind: ShareKind;
  readonly key: string;
  readonly before: number;
  readonly during: number;
  /** The first such line of the rise. */
  readonly first: Anchor;
};

export type Shares = {
  readonly shares: readonly Carrier[];
  /** How many lines were read, of how many there are. */
  readonly before: Counted;
  readonly during: Counted;
};

export type Counted = {readonly read: number; readonly held: number};

/** Reading a line takes a few microseconds, and opening the pane must not be felt: 30 ms in all. */
const linesMax = 4096;

/** Nobody reads more. */
const sharesPerKind = 3;
const shareMin = 0.01;

const errorRank = levelRank('error');
const failedStatusMin = 400;

/** What was counted of one value. */
type Tally = {readonly kind: ShareKind; readonly key: string; before: number; during: number; first: Place | undefined};
type Place = {readonly source: number; readonly chunk: Chunk; readonly offset: number; readonly at: Instant};
type Phase = 'before' | 'during';

/**
 * Compares the lines of a rise with those of the fifteen minutes before it: which statuses, paths, shapes and sources
 * make up more of the log. Of a loud log the nearest lines on either side of its beginning are read. `podNames` are
 * those to look for in errors of which the service does not say who wrote them.
 */
export const findShares = (
  buffers: readonly LineBuffer[],
  {at, lastAt}: Pick<Rise, 'at' | 'lastAt'>,
  podNames: readonly string[],
): Shares => {
  const counter = createCounter(podNames);
  const perBuffer = Math.floor(linesMax / Math.max(1, buffers.length));
  const counted = {before: {read: 0, held: 0}, during: {read: 0, held: 0}};
  for (const [source, buffer] of buffers.entries()) {
    const first = indexAtOrAfter(buffer, at - beforeNanos);
    const middle = indexAtOrAfter(buffer, at);
    const last = indexAtOrAfter(buffer, lastAt + 1n);
    const ranges = {
      before: {from: Math.max(first, middle - perBuffer), to: middle},
      during: {from: middle, to: Math.min(last, middle + perBuffer)},
    };
    for (const phase of ['before', 'during'] as const) {
      const {from, to} = ranges[phase];
      counted[phase].read += to - from;
      readRange(buffer, from, to, (chunk, offset, text) => counter.add(phase, {source, chunk, offset}, text));
    }
    counted.before.held += middle - first;
    counted.during.held += last - middle;
  }
  return {shares: counter.shares(), ...counted};
};

type Take = (chunk: Chunk, offset: number, text: string) => void;

const readRange = (buffer: LineBuffer, from: number, to: number, take: Take): void => {
  const first = from < to ? pieceOf(buffer, from).chunkIndex : buffer.chunks.length;
  for (const [index, chunk] of buffer.chunks.slice(first).entries()) {
    const start = buffer.starts[first + index] ?? to;
    if (start >= to) {
      return;
    }
    const continuations = continuationsOf(chunk);
    const texts = textsOf(chunk);
    for (const [offset, text] of texts.entries()) {
      if (text !== undefined && continuations[offset] === 0 && start + offset >= from && start + offset < to) {
        take(chunk, offset, headlineAt(chunk, offset, texts) ?? text);
      }
    }
  }
};

const createCounter = (podNames: readonly string[]) => {
  const tallies = new Map<string, Tally>();
  const sourcesSeen = new Set<string>();
  const totals: Record<ShareKind, Record<Phase, number>> = {
    status: {before: 0, during: 0},
    path: {before: 0, during: 0},
    shape: {before: 0, during: 0},
    source: {before: 0, during: 0},
    pod: {before: 0, during: 0},
  };
  const count = (phase: Phase, kind: ShareKind, key: string, place: Omit<Place, 'at'>): void => {
    const id = `${kind} ${key}`;
    const tally = tallies.get(id) ?? {kind, key, before: 0, during: 0, first: undefined};
    tally[phase] += 1;
    const at = timeAt(place.chunk, place.offset) ?? 0n;
    if (phase === 'during' && (tally.first === undefined || at < tally.first.at)) {
      tally.first = {...place, at};
    }
    tallies.set(id, tally);
  };
  return {
    add: (phase: Phase, place: Omit<Place, 'at'>, text: string): void => {
      const rank = levelsOf(place.chunk)[place.offset] ?? 0;
      const isError = rank >= errorRank;
      const parts = readLineParts(text, levelOfRank(rank));
      const {status, path, shape} = parts;
      const source = whoWrote(place.chunk, place.offset);
      totals.status[phase] += status === undefined ? 0 : 1;
      totals.path[phase] += path === undefined ? 0 : 1;
      totals.shape[phase] += 1;
      totals.source[phase] += 1;
      totals.pod[phase] += 1;
      if (source !== undefined) {
        sourcesSeen.add(source);
      }
      if (status !== undefined && status.value >= failedStatusMin) {
        count(phase, 'status', String(status.value), place);
      }
      if (!isError) {
        return;
      }
      if (path !== undefined) {
        count(phase, 'path', path.value, place);
      }
      // The shape of a request says no more than its status and path.
      if (!isOfRequest(shape.source) && (status === undefined || path === undefined)) {
        count(phase, 'shape', eventShapeOf(parts), place);
      }
      if (source !== undefined) {
        count(phase, 'source', source, place);
        return;
      }
      for (const name of podNames.filter(each => text.includes(each))) {
        count(phase, 'pod', name, place);
      }
    },
    shares: (): readonly Carrier[] => {
      const all = [...tallies.values()].flatMap(({kind, key, first, ...counts}): readonly Carrier[] => {
        const shareOf = (phase: Phase): number => counts[phase] / Math.max(1, totals[kind][phase]);
        const anchor = first && anchorAt(first);
        return anchor === undefined
          ? []
          : [{kind, key, before: shareOf('before'), during: shareOf('during'), first: anchor}];
      });
      // The only source there is carries everything.
      const grown = all.filter(
        ({kind, before, during}) =>
          during >= shareMin && during > before && (kind !== 'source' || sourcesSeen.size > 1),
      );
      return shareKinds.flatMap(kind =>
        grown
          .filter(share => share.kind === kind)
          .toSorted((a, b) => b.during - b.before - (a.during - a.before))
          .slice(0, sharesPerKind),
      );
    },
  };
};

/** Returns the words for who wrote a line; undefined if the service does not say so. */
const whoWrote = (chunk: Chunk, offset: number): string | undefined => {
  const name = sourceAt(chunk, offset);
  return name === undefined ? undefined : sourceWords(name) || undefined;
};

const anchorAt = ({source, chunk, offset, at}: Place): Anchor | undefined => {
  const [entry] = entriesAt(chunk, Uint16Array.of(offset));
  return entry && {source, id: entry.id, at};
};
