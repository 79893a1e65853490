import {indexAtOrAfter, type LineBuffer, timeAtIndex} from '#log/buffer/buffer.ts';
import {type Chunk, sourceAt, sourcesIn, timeAt} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import {createChunkCache, once} from '#log/buffer/weak-cache.ts';
import type {GapMarker, Marker, SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {sourceKey, sourceWordsInFull, unsaidSource} from '#log/words/source-words.ts';
import type {Work} from '#log/work.ts';
import type {Asked, Basis, IncidentSource, TimeSpan, Uncovered, UncoveredReason} from '../verdict.ts';

/** A source is silent only after so long. */
const silenceNanosMin = 30_000_000_000n;
/** Who wrote fewer lines, or for less time, has no habit. */
const steadyLines = 10;
const steadyNanosMin = 60_000_000_000n;
/** Where fewer lines than these would have come, none tells nothing. */
const expectedMin = 10;
/** A clock may be so far ahead. */
const slackNanos = 30_000_000_000n;
/** Chance brings no silence so improbable: the negative logarithm of one in a thousand. */
const evidenceMin = 7;
/** With so many lines the longest pause says what is usual; with fewer, a longer one may still be usual. */
const pausesKnown = 8n;

/** Pauses within so short a time are shorter than any silence: how long the longest was is of no matter. */
const loudNanosMax = 10_000_000_000n;

/** The silences of one log that are listed: more would not be read. */
const silencesMax = 20;

/** The covered part of the time asked, and of all that is held up to its end. */
export type Cover = Pick<Basis, 'asked' | 'covered' | 'uncovered'> & {readonly held: readonly TimeSpan[]};

/**
 * Finds which parts of the time asked are held without a hole, of every branch and of every source that was alive.
 * `newest`: the time of the newest believed line.
 */
export function* findCover(
  sources: readonly IncidentSource[],
  {from, to, now}: Asked,
  newest: Instant | undefined,
): Work<Cover> {
  const oldest = earliestOf(sources.map(({buffer}) => timeAtIndex(buffer, 0)));
  // Whoever serves the log may be behind those who write it.
  const end = to ?? latestOf([now, newest]) ?? from ?? 0n;
  const asked: TimeSpan = {from: smaller(from ?? oldest ?? end, end), to: end};
  const all: TimeSpan = {from: smaller(oldest ?? asked.from, asked.from), to: end};
  const holes: Uncovered[] = [];
  const isEmpty = sources.every(({buffer}) => !hasLinesIn(buffer, asked));
  for (const [index, source] of sources.entries()) {
    holes.push(...holesOf(source, {source: index, asked, all, isEmpty}));
    holes.push(...(yield* silencesOf(source, index, all, {now, newest})));
  }
  const uncovered = holes
    .filter(hole => hole.to >= asked.from && hole.from <= asked.to)
    .map(hole => ({...hole, from: larger(hole.from, asked.from), to: smaller(hole.to, asked.to)}))
    // A doubt that reaches up to now matters most.
    .toSorted((a, b) => (a.to === b.to ? rankOf(a) - rankOf(b) : a.to > b.to ? -1 : 1));
  return {asked, covered: spansWithout(asked, uncovered), uncovered, held: spansWithout(all, holes)};
}

/** Pods that cannot be read are the cause of what else is missing; that there is no line says the least. */
const rankOf = ({why}: Uncovered): number => (why === 'unreadable' ? 0 : why === 'noLines' ? 2 : 1);

const smaller = (a: Instant, b: Instant): Instant => (a < b ? a : b);
const larger = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** `isEmpty`: no branch has any line of the time asked. */
type HolesWanted = {
  readonly source: number;
  readonly asked: TimeSpan;
  readonly all: TimeSpan;
  readonly isEmpty: boolean;
};

const holesOf = (
  {buffer, wholeSince, hasOlder, unreadable, failingSince, notLinesFrom}: IncidentSource,
  {source, asked, all, isEmpty}: HolesWanted,
): readonly Uncovered[] => {
  const oldest = timeAtIndex(buffer, 0);
  const hole = (why: UncoveredReason, from: Instant, to: Instant, more: Partial<Uncovered> = {}): Uncovered[] => [
    {why, source, from: smaller(from, to), to, ...more},
  ];
  const isUnreadable =
    unreadable === undefined ? [] : hole('unreadable', unreadable.since ?? all.from, all.to, {said: unreadable.why});
  if (oldest === undefined || buffer.lineCount === 0) {
    return [...hole('noLines', all.from, all.to), ...isUnreadable];
  }
  const ofMarker = (marker: Marker): readonly Uncovered[] => {
    switch (marker.kind) {
      case 'gap': {
        const who = marker.source && sourceWordsInFull(marker.source);
        return hole(gapReason(marker), marker.after, marker.before, {who, said: marker.why});
      }
      case 'quiet':
        return hole('quiet', marker.since, marker.at);
      case 'pod':
      case 'change':
      case 'horizon':
        return [];
      default:
        return marker satisfies never;
    }
  };
  const ofMarkers = buffer.chunks.flatMap(markersOf).flatMap(({marker}) => ofMarker(marker));
  const firstWhole = larger(oldest, wholeSince ?? oldest);
  return [
    ...(isEmpty || isMissedIn(buffer, oldest, asked) ? hole('noLines', asked.from, asked.to) : []),
    ...(all.from < oldest ? hole(hasOlder === true ? 'unread' : 'older', all.from, oldest) : []),
    ...ofMarkers,
    // A log that is whole only since a later time than any marker tells was not read before.
    ...(ofMarkers.length === 0 && firstWhole > oldest ? hole('older', oldest, firstWhole) : []),
    ...isUnreadable,
    ...(failingSince === undefined ? [] : hole('outage', failingSince, all.to)),
    ...(notLinesFrom === undefined ? [] : hole('notLines', notLinesFrom, all.to)),
  ];
};

const hasLinesIn = (buffer: LineBuffer, asked: TimeSpan): boolean => {
  const next = timeAtIndex(buffer, indexAtOrAfter(buffer, asked.from));
  return next !== undefined && next <= asked.to;
};

/** Checks whether no line is of the time asked, in which many would have been expected. */
const isMissedIn = (buffer: LineBuffer, oldest: Instant, asked: TimeSpan): boolean => {
  const held = (buffer.chunks.at(-1)?.lastAt ?? oldest) - oldest;
  const isLong = (asked.to - asked.from) * BigInt(buffer.lineCount) >= BigInt(expectedMin) * held;
  return isLong && !hasLinesIn(buffer, asked);
};

const gapReason = ({reason}: GapMarker): UncoveredReason =>
  reason === 'told' ? 'loss' : reason === 'empty' ? 'quiet' : reason === 'not-lines' ? 'notLines' : 'gap';

/** How a source wrote: its lines, the first, the last, the longest pause between two, and the sum of all squared. */
type Habit = {
  readonly name: SourceName;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
  readonly longest: bigint;
  readonly squares: number;
};

/** Reads how sources wrote in a chunk, up to a time. */
const readHabits = (chunk: Chunk, upTo?: Instant): ReadonlyMap<string, Habit> => {
  const habits = new Map<string, Habit>();
  const {firstAt: first, lastAt: last, lineCount: count} = chunk;
  const [name = unsaidSource, ...others] = sourcesIn(chunk);
  const isLoud = others.length === 0 && last - first <= loudNanosMax && count === chunk.entryCount;
  if (isLoud && (upTo === undefined || last <= upTo)) {
    // As of lines that come by chance.
    const squares = (2 * Number(last - first) ** 2) / count;
    return habits.set(sourceKey(name), {name, count, first, last, longest: last - first, squares});
  }
  const markers = new Set(markersOf(chunk).map(({offset}) => offset));
  for (let offset = 0; offset < chunk.entryCount; offset++) {
    const at = timeAt(chunk, offset);
    if (at === undefined || markers.has(offset) || (upTo !== undefined && at > upTo)) {
      continue;
    }
    const name = sourceAt(chunk, offset) ?? unsaidSource;
    const key = sourceKey(name);
    habits.set(key, joined(habits.get(key), {name, count: 1, first: at, last: at, longest: 0n, squares: 0}));
  }
  return habits;
};

const habitsIn = once(createChunkCache<ReadonlyMap<string, Habit>>(), (chunk: Chunk) => readHabits(chunk));

const joined = (before: Habit | undefined, after: Habit): Habit =>
  before === undefined
    ? after
    : {
        name: before.name,
        count: before.count + after.count,
        first: before.first,
        last: larger(before.last, after.last),
        longest: larger(larger(before.longest, after.longest), after.first - before.last),
        squares: before.squares + after.squares + Number(after.first - before.last) ** 2,
      };

/**
 * Finds who wrote steadily, is still there, and writes no more; and of a branch of which no line is of the time asked,
 * all of it. Lines later than the newest believed one don't count: a clock that is ahead hides no silence.
 */
function* silencesOf(
  {buffer, podNames, hasEnded}: IncidentSource,
  source: number,
  asked: TimeSpan,
  {now, newest}: {readonly now: Instant | undefined; readonly newest: Instant | undefined},
): Work<readonly Uncovered[]> {
  const end = now ?? newest ?? asked.to;
  const believed = larger(newest ?? end, end) + slackNanos;
  const habits = new Map<string, Habit>();
  for (const chunk of buffer.chunks) {
    for (const [key, habit] of chunk.lastAt > believed ? readHabits(chunk, believed) : habitsIn(chunk)) {
      habits.set(key, joined(habits.get(key), habit));
    }
    yield;
  }
  const isAlive = ({pod}: SourceName): boolean => pod === undefined || podNames.length === 0 || podNames.includes(pod);
  const newestOfAll = [...habits.values()].reduce<Instant>((last, habit) => larger(last, habit.last), 0n);
  const silent = [...habits.values()]
    .filter(({name}) => isAlive(name) && hasEnded?.(name) !== true)
    .flatMap((habit): readonly Uncovered[] => {
      const {name, count, first, last, longest} = habit;
      const usual = longest + (longest * pausesKnown) / BigInt(count);
      // Who said something when it began, and no more, has no habit, unless nobody else has written since.
      const isSteady = count >= steadyLines && (last - first >= steadyNanosMin || last === newestOfAll);
      const silence = end - last;
      const isLong = silence > larger(silenceNanosMin, usual) && evidenceOf(habit, silence) >= evidenceMin;
      const isSilent = isSteady && isLong && last < asked.to;
      const words = sourceWordsInFull(name);
      return isSilent
        ? [{why: 'silence', source, from: last, to: asked.to, who: words === '' ? undefined : words}]
        : [];
    });
  return silent.slice(0, silencesMax);
}

/** Returns how badly chance explains a silence; what comes evenly is missed sooner. */
const evidenceOf = ({count, first, last, squares}: Habit, silence: bigint): number => {
  const [pauses, span] = [count - 1, Math.max(1, Number(last - first))];
  const variation = (squares * pauses) / span ** 2 - 1;
  return (pauses * Math.log1p(Number(silence) / span)) / Math.min(1, Math.max(0.01, variation));
};

/** Returns what is left of a time without some parts of it, ascending. */
const spansWithout = (all: TimeSpan, parts: readonly TimeSpan[]): readonly TimeSpan[] => {
  const left: TimeSpan[] = [];
  let {from} = all;
  for (const part of parts.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    if (part.from > from) {
      left.push({from, to: part.from});
    }
    from = larger(from, part.to);
  }
  return from < all.to || (left.length === 0 && parts.length === 0) ? [...left, {from, to: all.to}] : left;
};
