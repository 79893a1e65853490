import {timeAtIndex} from '../buffer/buffer.ts';
import {type Chunk, sourceAt, timeAt} from '../buffer/chunk.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {createChunkCache, once} from '../buffer/weak-cache.ts';
import type {GapMarker} from '../line/entry.ts';
import {earliestOf, type Instant} from '../line/instant.ts';
import type {SourceName} from '../line/source-name.ts';
import {sourceWordsInFull, unsaidSource} from '../sources/source-words.ts';
import type {Work} from '../work/work.ts';
import type {IncidentSource} from './incident-source.ts';
import type {Asked, Basis, Span, Uncovered, UncoveredReason} from './verdict.ts';

/** A source is silent only after so long. */
const silenceNanosMin = 30_000_000_000n;
/** Who wrote fewer lines has no habit. */
const steadyLines = 10;
/** With so many lines the longest pause says what is usual; with fewer, a longer one may still be usual. */
const pausesKnown = 8n;

/** The silences of one log are as many as somebody reads; others are counted by nobody. */
const silencesMax = 20;

/**
 * Finds which parts of the time asked are held without a hole, of every branch and of every source that was alive.
 * `newest`: the time of the newest believed line.
 */
export function* findCover(
  sources: readonly IncidentSource[],
  {from, to, now}: Asked,
  newest: Instant | undefined,
): Work<Pick<Basis, 'asked' | 'covered' | 'uncovered'>> {
  const oldest = earliestOf(sources.map(({buffer}) => timeAtIndex(buffer, 0)));
  const end = to ?? now ?? newest ?? from ?? 0n;
  const asked: Span = {from: smaller(from ?? oldest ?? end, end), to: end};
  const uncovered: Uncovered[] = [];
  for (const [index, source] of sources.entries()) {
    uncovered.push(...holesOf(source, index, asked));
    uncovered.push(...(yield* silencesOf(source, index, asked)));
  }
  // What reaches up to now tells most of what nobody can tell.
  const ranked = uncovered.toSorted((a, b) => (a.to === b.to ? 0 : a.to > b.to ? -1 : 1));
  return {asked, covered: spansWithout(asked, ranked), uncovered: ranked};
}

const smaller = (a: Instant, b: Instant): Instant => (a < b ? a : b);
const larger = (a: Instant, b: Instant): Instant => (a > b ? a : b);

const holesOf = (
  {buffer, wholeSince, hasOlder, unreadable, failingSince, notLinesFrom}: IncidentSource,
  source: number,
  asked: Span,
): readonly Uncovered[] => {
  const oldest = timeAtIndex(buffer, 0);
  const hole = (why: UncoveredReason, from: Instant, to: Instant, more: Partial<Uncovered> = {}): Uncovered[] =>
    to < asked.from || from > asked.to
      ? []
      : [{why, source, from: larger(from, asked.from), to: smaller(to, asked.to), ...more}];
  if (oldest === undefined) {
    return [
      ...hole('noLines', asked.from, asked.to),
      ...(unreadable === undefined ? [] : hole('unreadable', asked.from, asked.to, {said: unreadable.why})),
    ];
  }
  const markers = buffer.chunks.flatMap(markersOf).map(({marker}) => marker);
  const firstWhole = larger(oldest, wholeSince ?? oldest);
  const lastHole = markers.findLast(marker => marker.kind === 'gap' || marker.kind === 'quiet');
  return [
    ...(asked.from < oldest ? hole(hasOlder === true ? 'unread' : 'older', asked.from, oldest) : []),
    ...markers.flatMap(marker =>
      marker.kind === 'gap'
        ? hole(gapReason(marker), marker.after, marker.before, {
            who: marker.source && sourceWordsInFull(marker.source),
            said: marker.why,
          })
        : marker.kind === 'quiet'
          ? hole('quiet', marker.since, marker.at)
          : [],
    ),
    // What is whole only since a later time than any marker tells was not read before.
    ...(lastHole === undefined && firstWhole > larger(oldest, asked.from) ? hole('older', oldest, firstWhole) : []),
    ...(unreadable === undefined
      ? []
      : hole('unreadable', unreadable.since ?? asked.from, asked.to, {said: unreadable.why})),
    ...(failingSince === undefined ? [] : hole('outage', failingSince, asked.to)),
    ...(notLinesFrom === undefined ? [] : hole('notLines', notLinesFrom, asked.to)),
  ];
};

const gapReason = ({reason}: GapMarker): UncoveredReason =>
  reason === 'told' ? 'loss' : reason === 'empty' ? 'quiet' : reason === 'not-lines' ? 'notLines' : 'gap';

/** How a source wrote: its lines, the first, the last, and the longest pause between two. */
type Habit = {readonly count: number; readonly first: Instant; readonly last: Instant; readonly longest: bigint};

const habitsIn = once(createChunkCache<ReadonlyMap<SourceName, Habit>>(), (chunk: Chunk) => {
  const habits = new Map<SourceName, Habit>();
  const markers = new Set(markersOf(chunk).map(({offset}) => offset));
  for (let offset = 0; offset < chunk.entryCount; offset++) {
    const at = timeAt(chunk, offset);
    if (at === undefined || markers.has(offset)) {
      continue;
    }
    const name = sourceAt(chunk, offset) ?? unsaidSource;
    habits.set(name, joined(habits.get(name), {count: 1, first: at, last: at, longest: 0n}));
  }
  return habits;
});

const joined = (before: Habit | undefined, after: Habit): Habit =>
  before === undefined
    ? after
    : {
        count: before.count + after.count,
        first: before.first,
        last: larger(before.last, after.last),
        longest: larger(larger(before.longest, after.longest), after.first - before.last),
      };

/** Finds who wrote steadily, is still there, and had written no more by the end of what is asked. */
function* silencesOf(
  {buffer, podNames, hasEnded}: IncidentSource,
  source: number,
  asked: Span,
): Work<readonly Uncovered[]> {
  const habits = new Map<SourceName, Habit>();
  for (const chunk of buffer.chunks) {
    if (chunk.firstAt > asked.to) {
      break;
    }
    for (const [name, habit] of habitsIn(chunk)) {
      habits.set(name, joined(habits.get(name), habit));
    }
    yield;
  }
  const isAlive = ({pod}: SourceName): boolean => pod === undefined || podNames.length === 0 || podNames.includes(pod);
  const silent = [...habits]
    .filter(([name]) => isAlive(name) && hasEnded?.(name) !== true)
    .flatMap(([name, {count, last, longest}]): readonly Uncovered[] => {
      const usual = longest + (longest * pausesKnown) / BigInt(count);
      const isSilent = count >= steadyLines && asked.to - last > larger(silenceNanosMin, usual);
      const words = sourceWordsInFull(name);
      return isSilent
        ? [
            {
              why: 'silence',
              source,
              from: larger(last, asked.from),
              to: asked.to,
              who: words === '' ? undefined : words,
            },
          ]
        : [];
    });
  return silent.slice(0, silencesMax);
}

/** Returns what is left of a time without some parts of it, ascending. */
const spansWithout = (all: Span, parts: readonly Span[]): readonly Span[] => {
  const left: Span[] = [];
  let {from} = all;
  for (const part of parts.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    if (part.from > from) {
      left.push({from, to: part.from});
    }
    from = larger(from, part.to);
  }
  return from < all.to || (left.length === 0 && parts.length === 0) ? [...left, {from, to: all.to}] : left;
};
