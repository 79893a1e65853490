import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type Chunk, entriesAt, sourceAt, timeAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import type {SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {continuationsOf, errorTimesOf, levelsOf} from '#log/traits/line-traits.ts';
import type {Anchor} from '#log/view/log-view.ts';
import {visitEach, type Work} from '#log/work.ts';
import type {HeldSpan} from '../statistics/find-levels.ts';
import {eventsMin} from '../statistics/find-runs.ts';
import type {Asked} from '../verdict.ts';
import {createFields, type Fields} from './fields.ts';
import {type LineReading, readChunk, seriesKeyOf, sourceOf} from './read-chunk.ts';

/**
 * The series counted over time. For errors: `kind` is their message, `failed` their request and status, `pod` who wrote
 * or is named in them. For all lines: `status`, `request`, `message` and `source`, who wrote them.
 */
export type SeriesKind = 'kind' | 'failed' | 'pod' | 'status' | 'request' | 'message' | 'source';

/** The lines read that have one thing in common, in order. */
export type Series = {
  readonly kind: SeriesKind;
  readonly key: string;
  /** Seconds since the log held begins. */
  readonly seconds: number[];
  /** Where each line is. */
  readonly places: number[];
  /** The duration of each request; NaN where its line has none. Empty for other kinds. */
  readonly durationsMs: number[];
  /** It is a warning. */
  readonly isWarning: boolean;
  /** For how many lines each one stands. */
  readonly weight: number;
};

/** The reading of a log so far. */
export type LogEvents = {
  readonly origin: Instant;
  /** Lines with later times are left out: their clocks are wrong. */
  readonly newest: Instant;
  readonly held: HeldSpan;
  /** The part of it that is asked for. */
  readonly asked: HeldSpan;
  readonly chunks: readonly PlacedChunk[];
  /** The times of the lines read of all kinds, alike in all of the log, each of which stands for `weight` lines. */
  readonly clock: readonly number[];
  readonly weight: number;
  /** The times of the requests among these. */
  readonly requests: readonly number[];
  /** The times of all errors. */
  readonly errors: readonly number[];
  readonly series: readonly Series[];
  /** The lines of which one is enough. */
  readonly fatals: readonly ReadAgain[];
  /** How many sources the service names. */
  readonly sourceCount: number;
  readonly fields: Fields;
};

type TimedReading = {readonly line: LineReading; readonly at: number; readonly place: number};

export type PlacedChunk = {readonly source: number; readonly chunk: Chunk};

/** How much is read: some microseconds a line. */
export type ReadBounds = {readonly linesMax: number; readonly errorsMax: number; readonly chunksMax: number};

/** All of it is read within a second. */
export const allBounds: ReadBounds = {linesMax: 50_000, errorsMax: 20_000, chunksMax: Number.POSITIVE_INFINITY};
/** Enough for what is wrong now, in a tenth of that. */
export const quickBounds: ReadBounds = {linesMax: 3000, errorsMax: 3000, chunksMax: 64};

/** More different things are not kept apart: 2,000 series of a hundred lines are some megabytes. */
const seriesMax = 3000;

/** The lines whose fields are read. */
const fieldLinesMax = 15_000;

/** If there are more lines of which one is enough, the newest are kept. */
const fatalsMax = 10_000;

/** The times of the errors of so many chunks are read at once. */
const chunksPerPause = 8;

/** Looking at this many parts of a long time is enough. */
const chunksLookedAtMax = 64;

/**
 * Returns of so many lines every how many are read: 1, 2, 3, 5, 9, 13, 19, 27 … All is read again when that changes,
 * which it does only once a log has become much longer. Of lines that come by turns, an even one would miss some.
 */
const stepFor = (count: number, max: number): number => {
  const least = Math.max(1, Math.ceil(count / max));
  let step = Math.min(3, least);
  while (step < least) {
    step = 2 * Math.round(0.7 * step) + 1;
  }
  return step;
};

const placeFactor = 65_536;
const errorRank = levelRank('error');
const warnRank = levelRank('warn');
const nanosPerSecond = 1e9;

/**
 * Reads what buffers hold: all errors or, of very many, every nth, and every nth of the lines. `podNames` are looked
 * for in errors of which the service does not say who wrote them. What is newer than what is asked is left out.
 */
export function* readEvents(
  buffers: readonly LineBuffer[],
  podNames: readonly string[],
  {linesMax, errorsMax, chunksMax}: ReadBounds,
  asked: Asked = {},
): Work<LogEvents> {
  const all = buffers
    .flatMap(({chunks}, source) => chunks.map((chunk): PlacedChunk => ({source, chunk})))
    .toSorted((a, b) => (a.chunk.firstAt < b.chunk.firstAt ? -1 : a.chunk.firstAt > b.chunk.firstAt ? 1 : 0));
  const origin = earliestOf(all.map(({chunk}) => chunk.firstAt)) ?? 0n;
  const newest = earliestOf([newestOf(buffers, all) ?? origin, asked.to]) ?? origin;
  const toSeconds = (at: Instant): number => secondsOf({origin}, at);
  const errors: number[] = [];
  for (const [index, {chunk}] of all.entries()) {
    for (const at of errorTimesOf(chunk)) {
      if (at <= newest) {
        errors.push(toSeconds(at));
      }
    }
    if (index % chunksPerPause === 0) {
      yield;
    }
  }
  const chunkStep = Math.max(1, Math.ceil(all.length / chunksMax));
  const lineCount = all.reduce((sum, {chunk}) => sum + chunk.lineCount, 0) / chunkStep;
  const lineStep = stepFor(lineCount, linesMax);
  const errorStep = stepFor(errors.length / chunkStep, errorsMax);
  const fieldStep = stepFor(lineCount / lineStep, fieldLinesMax);
  const steps = {lines: lineStep, errors: errorStep, fields: fieldStep};
  const table = new Map<SeriesKind, Map<string, Series>>();
  const list: Series[] = [];
  const add = (kind: SeriesKind, key: string, at: number, place: number, isWarning = false): Series | undefined => {
    const ofKind = table.get(kind) ?? new Map<string, Series>();
    table.set(kind, ofKind);
    let series = ofKind.get(key);
    if (series === undefined && list.length < seriesMax) {
      const isOfErrors = kind === 'kind' || kind === 'failed' || kind === 'pod';
      const weight = chunkStep * (isOfErrors ? errorStep : lineStep);
      series = {kind, key, seconds: [], places: [], durationsMs: [], isWarning, weight};
      list.push(series);
      ofKind.set(key, series);
    }
    series?.seconds.push(at);
    series?.places.push(place);
    return series;
  };
  const read: TimedReading[] = [];
  const fatals: ReadAgain[] = [];
  for (let index = 0; index < all.length; index += chunkStep) {
    const {chunk} = all[index] ?? {};
    if (chunk === undefined) {
      break;
    }
    const reading = readChunk(chunk, steps);
    for (const {offset, text, rank} of reading.fatals) {
      fatals.push({at: toSeconds(timeAt(chunk, offset) ?? origin), place: placeOf(index, offset), text, rank});
    }
    if (fatals.length > fatalsMax) {
      fatals.splice(0, fatalsMax / 2);
    }
    for (const line of reading.lines) {
      const time = timeAt(chunk, line.offset) ?? origin;
      if (time <= newest) {
        read.push({line, at: toSeconds(time), place: placeOf(index, line.offset)});
      }
    }
    yield;
  }
  // Chunks of several branches overlap.
  if (buffers.length > 1) {
    read.sort((a, b) => a.at - b.at);
    yield;
  }
  const fields = createFields();
  const clock: number[] = [];
  const requests: number[] = [];
  yield* visitEach(read, ({line, at, place}) => {
    const {message, request, status, durationMs, source, rank} = line;
    if (line.isErrorRead) {
      if (message !== undefined) {
        add('kind', message, at, place);
      }
      if (request !== undefined) {
        add('failed', seriesKeyOf(`${request} ${status}`), at, place);
      }
      const {text = ''} = line;
      for (const name of source === undefined ? podNames.filter(each => text.includes(each)) : [source]) {
        add('pod', name, at, place);
      }
    }
    if (!line.isRead) {
      return;
    }
    clock.push(at);
    fields.add(line.settings, at, place);
    if (status !== undefined) {
      add('status', String(status), at, place);
      requests.push(at);
    }
    if (request !== undefined) {
      // How long a failure took says nothing of those that are served.
      const servedMs = (status ?? 0) < 500 ? durationMs : undefined;
      add('request', request, at, place)?.durationsMs.push(servedMs ?? Number.NaN);
    }
    if (message !== undefined && rank < errorRank && request === undefined) {
      add('message', message, at, place, rank === warnRank);
    }
    if (source !== undefined) {
      add('source', source, at, place);
    }
  });
  return {
    origin,
    newest,
    held: {from: 0, to: toSeconds(newest)},
    asked: {from: Math.max(0, toSeconds(asked.from ?? origin)), to: toSeconds(newest)},
    chunks: all,
    clock,
    weight: lineStep * chunkStep,
    requests,
    errors: buffers.length > 1 ? errors.sort((a, b) => a - b) : errors,
    series: list,
    fatals,
    sourceCount: table.get('source')?.size ?? 0,
    fields,
  };
}

/** With a larger share of lines after it, the newest believed time is too early: a long log came at once. */
const laterShareMax = 0.01;

/** Returns the newest time that is believed, or that many lines reach. */
const newestOf = (buffers: readonly LineBuffer[], all: readonly PlacedChunk[]): Instant | undefined => {
  const newest = latestOf(buffers.map(({newestLine}) => newestLine?.at));
  const later = all
    .map(({chunk}) => chunk)
    .filter(({lastAt}) => newest !== undefined && lastAt > newest)
    .toSorted((a, b) => (a.lastAt > b.lastAt ? -1 : a.lastAt < b.lastAt ? 1 : 0));
  const laterIn = (chunk: Chunk): readonly Instant[] =>
    Array.from({length: chunk.entryCount}, (_, offset) => timeAt(chunk, offset) ?? chunk.firstAt).filter(
      at => newest !== undefined && at > newest,
    );
  const laterCount = later.reduce(
    (sum, chunk) => sum + (newest !== undefined && chunk.firstAt > newest ? chunk.entryCount : laterIn(chunk).length),
    0,
  );
  const lineCount = buffers.reduce((sum, buffer) => sum + buffer.lineCount, 0);
  if (laterCount < Math.max(eventsMin, laterShareMax * lineCount)) {
    return newest;
  }
  // A few of the last chunks hold the last hundredth of a million lines.
  const wanted = Math.floor(laterShareMax * laterCount);
  let last: Instant[] = [];
  for (const [index, chunk] of later.entries()) {
    last = [...last, ...laterIn(chunk)].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)).slice(0, wanted + 1);
    const lowest = last[wanted];
    if (lowest !== undefined && lowest >= (later[index + 1]?.lastAt ?? lowest)) {
      break;
    }
  }
  return last[wanted] ?? last.at(-1);
};

/** Returns the place of a line: its chunk, by its index, and where it is in it. */
export const placeOf = (index: number, offset: number): number => index * placeFactor + offset;

/** Returns a time in seconds since the log held begins. */
export const secondsOf = ({origin}: Pick<LogEvents, 'origin'>, at: Instant | undefined): number =>
  at === undefined ? 0 : Number(at - origin) / nanosPerSecond;

/** Yields the lines at ascending places; `undefined` before those of another chunk, as a pause. */
export function* linesAt(
  {chunks}: LogEvents,
  places: readonly number[],
): Generator<{readonly text: string; readonly source: SourceName | undefined; readonly rank: number} | undefined> {
  let before = -1;
  let chunk: Chunk | undefined;
  let texts: ReturnType<typeof textsOf> = [];
  for (const place of places) {
    const index = Math.floor(place / placeFactor);
    if (index !== before) {
      before = index;
      chunk = chunks[index]?.chunk;
      // Reading one text of a packed chunk costs as much as reading all.
      texts = chunk === undefined ? [] : textsOf(chunk);
      yield;
    }
    const offset = place % placeFactor;
    const text = texts[offset];
    if (chunk !== undefined && text !== undefined) {
      yield {text, source: sourceAt(chunk, offset), rank: levelsOf(chunk)[offset] ?? 0};
    }
  }
}

/** Returns so many places of lines or a few less, alike in all of a time; those that continue others left out. */
export const placesBetween = (
  {chunks, origin}: LogEvents,
  [from, to]: readonly [from: number, to: number],
  countMax: number,
): readonly number[] => {
  const instantOf = (seconds: number): Instant => origin + BigInt(Math.round(seconds * nanosPerSecond));
  const [fromAt, toAt] = [instantOf(from), instantOf(to)];
  const inside = [...chunks.entries()].filter(([, {chunk}]) => chunk.lastAt >= fromAt && chunk.firstAt <= toAt);
  const chunkStep = Math.max(1, Math.ceil(inside.length / chunksLookedAtMax));
  const looked = inside.filter((_, index) => index % chunkStep === 0);
  const lineCount = looked.reduce((sum, [, {chunk}]) => sum + chunk.lineCount, 0);
  const step = Math.max(1, Math.ceil(lineCount / countMax));
  let count = 0;
  return looked.flatMap(([index, {chunk}]) => {
    const continuations = continuationsOf(chunk);
    const places: number[] = [];
    for (let offset = 0; offset < chunk.entryCount; offset++) {
      const at = timeAt(chunk, offset) ?? 0n;
      if (count++ % step === 0 && continuations[offset] !== 1 && at >= fromAt && at <= toAt) {
        places.push(index * placeFactor + offset);
      }
    }
    return places;
  });
};

const chunkAt = ({chunks}: LogEvents, place: number): PlacedChunk | undefined =>
  chunks[Math.floor(place / placeFactor)];

/** Returns the entry at a place. */
export const anchorAt = (events: LogEvents, place: number): Anchor | undefined => {
  const placed = chunkAt(events, place);
  const [entry] = placed ? entriesAt(placed.chunk, Uint16Array.of(place % placeFactor)) : [];
  return placed && entry && {source: placed.source, id: entry.id, at: entry.at};
};

/** Returns who wrote the line at a place. */
export const sourceOfPlace = (events: LogEvents, place: number): string | undefined => {
  const placed = chunkAt(events, place);
  return placed && sourceOf(placed.chunk, place % placeFactor);
};

/** A line that was read again, whole. */
export type ReadAgain = {readonly at: number; readonly place: number; readonly text: string; readonly rank: number};

/**
 * Yields the lines from a time to a later one (both included) that are wanted by their text, those that continue others
 * left out; `undefined` after each chunk, as a pause.
 */
export function* linesBetween(
  {chunks, origin}: LogEvents,
  [from, to]: readonly [from: number, to: number],
  isWanted: (text: string) => boolean = () => true,
): Generator<ReadAgain | undefined> {
  const instantOf = (seconds: number): Instant => origin + BigInt(Math.round(seconds * nanosPerSecond));
  const [fromAt, toAt] = [instantOf(from), instantOf(to)];
  for (const [index, {chunk}] of chunks.entries()) {
    if (chunk.lastAt < fromAt || chunk.firstAt > toAt) {
      continue;
    }
    const isInside = chunk.firstAt >= fromAt && chunk.lastAt <= toAt;
    const continuations = continuationsOf(chunk);
    for (const [offset, text] of textsOf(chunk).entries()) {
      if (text === undefined || continuations[offset] === 1 || !isWanted(text)) {
        continue;
      }
      const at = timeAt(chunk, offset) ?? origin;
      if (isInside || (at >= fromAt && at <= toAt)) {
        yield {at: secondsOf({origin}, at), place: placeOf(index, offset), text, rank: levelsOf(chunk)[offset] ?? 0};
      }
    }
    yield;
  }
}
