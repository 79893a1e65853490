import {entryAt, type LineBuffer} from '#log/buffer/buffer.ts';
import {timeAt} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import {textOf} from '#log/line/entry.ts';
import {instantFromMs, instantToMs} from '#log/line/instant.ts';
import {type Follow, followNothing} from '#log/reading/continuation.ts';
import {errorOffsetsOf, errorTimesOf, readError} from '#log/traits/line-traits.ts';
import type {Texts} from '#log/window/texts.ts';
import type {Numbering} from '#log/window/window-claims.ts';
import {readLine} from '#log/window/window-line.ts';
import {sourceKey} from '#log/words/source-words.ts';
import type {Work} from '#log/work.ts';

/** The minutes of a pulse: what a look at the list can compare. */
export const pulseMinutesMax = 5;

export const pulseMinuteMs = 60_000;

/** The counts of one minute of a log. */
export type PulseMinute = {
  /** Minutes since 1970. */
  readonly minute: number;
  /** How much of the minute was seen, milliseconds: nothing is known of the rest. */
  readonly seenMs: number;
  readonly lines: number;
  readonly errors: number;
};

/** An error line, as received. Untrusted text. */
type PulseError = {readonly atMs: number; readonly text: string};

/** The counts of one probe of a log, without its lines except the last error. Times are milliseconds since 1970. */
export type Pulse = {
  /** Until when the log was seen. */
  readonly toMs: number;
  /** How much of the last minute was seen, milliseconds; 0 if there are no lines, or none whose time can be read. */
  readonly spanMs: number;
  /** The lines of that time; if it is 0, those without a time. */
  readonly lines: number;
  readonly errors: number;
  /** The last minutes of which anything was seen, oldest first. */
  readonly minutes: readonly PulseMinute[];
  readonly lastError?: PulseError | undefined;
  /** The newest line's time. */
  readonly lastLineMs?: number | undefined;
};

/** Longer than a row of any terminal. */
export const errorCharsMax = 400;

/** Returns the first of the minutes that are kept at a time. */
export const firstMinuteAt = (toMs: number): number => Math.floor(toMs / pulseMinuteMs) - pulseMinutesMax + 1;

/**
 * Returns the later pulse, with what only the earlier one saw. Of a minute that both saw, the look that saw more of it
 * counts: nothing tells which lines they share.
 */
export const joinPulses = (before: Pulse | undefined, now: Pulse): Pulse => {
  if (before === undefined) {
    return now;
  }
  const minutes = new Map(now.minutes.map(each => [each.minute, each]));
  for (const each of before.minutes) {
    if (each.minute >= firstMinuteAt(now.toMs) && each.seenMs > (minutes.get(each.minute)?.seenMs ?? 0)) {
      minutes.set(each.minute, each);
    }
  }
  const isNewer = (before.lastError?.atMs ?? 0) > (now.lastError?.atMs ?? 0);
  return {
    ...now,
    minutes: [...minutes.values()].sort((a, b) => a.minute - b.minute),
    lastError: isNewer ? before.lastError : now.lastError,
  };
};

/** Errors a minute before the last one, as far as they were seen; undefined if less than a minute of it was. */
const rateBefore = ({toMs, minutes}: Pulse): number | undefined => {
  const before = minutes.filter(({minute}) => (minute + 1) * pulseMinuteMs <= toMs - pulseMinuteMs);
  const seenMs = before.reduce((sum, each) => sum + each.seenMs, 0);
  const errors = before.reduce((sum, each) => sum + each.errors, 0);
  return seenMs < pulseMinuteMs ? undefined : (errors * pulseMinuteMs) / seenMs;
};

/** Errors a minute, over what was seen of the last one. */
export const rateOf = ({errors, spanMs}: Pulse): number => (spanMs === 0 ? 0 : (errors * pulseMinuteMs) / spanMs);

/** Fewer are no trend. */
const trendErrorsMin = 3;
/** This many times the rate before is more than chance makes of a steady rate. */
const risingTimes = 3;

/** Says whether there were no errors in the minutes before, or far fewer; undefined if neither, or nobody looked. */
export const pulseTrendOf = (pulse: Pulse): 'new' | 'rising' | undefined => {
  const before = pulse.errors < trendErrorsMin ? undefined : rateBefore(pulse);
  if (before === undefined) {
    return undefined;
  }
  return before === 0 ? 'new' : rateOf(pulse) >= risingTimes * before ? 'rising' : undefined;
};

/** The lines that a pulse counts. Times are milliseconds since 1970, in any order. */
type PulseTimes = {
  /** Covers all lines whose time can be read. */
  readonly times: readonly number[];
  /** How many have none. */
  readonly untimedCount?: number | undefined;
  readonly errorTimes: readonly number[];
  readonly lastError?: PulseError | undefined;
  /** Since when every line is among them; the oldest one's time by default. */
  readonly fromMs?: number | undefined;
  /** Until when. A line may be a little newer: clocks differ. */
  readonly toMs?: number | undefined;
};

/** A line further ahead of the service's clock has a wrong time, and must not make all others old. */
const aheadMsMax = 10 * pulseMinuteMs;

/** Counts the lines of the last minutes. */
export const pulseOfTimes = ({times, errorTimes, lastError, untimedCount = 0, ...seen}: PulseTimes): Pulse => {
  let [oldestMs, lastLineMs] = [seen.fromMs ?? Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const atMs of times) {
    oldestMs = seen.fromMs === undefined && atMs < oldestMs ? atMs : oldestMs;
    lastLineMs = atMs > lastLineMs && atMs - (seen.toMs ?? atMs) <= aheadMsMax ? atMs : lastLineMs;
  }
  if (times.length === 0) {
    return {toMs: seen.toMs ?? 0, spanMs: 0, lines: untimedCount, errors: 0, minutes: [], lastError};
  }
  const toMs = Math.max(seen.toMs ?? Number.NEGATIVE_INFINITY, lastLineMs);
  const countFrom = (of: readonly number[], fromMs: number, beforeMs = Number.POSITIVE_INFINITY): number =>
    of.reduce((count, atMs) => (atMs >= fromMs && atMs < beforeMs ? count + 1 : count), 0);
  const fromMs = Math.max(oldestMs, toMs - pulseMinuteMs);
  const minutes = Array.from({length: pulseMinutesMax}, (_, index): PulseMinute => {
    const minute = firstMinuteAt(toMs) + index;
    const [startMs, endMs] = [minute * pulseMinuteMs, (minute + 1) * pulseMinuteMs];
    return {
      minute,
      seenMs: Math.min(endMs, toMs) - Math.max(startMs, oldestMs),
      lines: countFrom(times, startMs, endMs),
      errors: countFrom(errorTimes, startMs, endMs),
    };
  });
  return {
    toMs,
    // A single line spans no time, but was seen.
    spanMs: Math.max(1, toMs - fromMs),
    lines: countFrom(times, fromMs),
    errors: countFrom(errorTimes, fromMs),
    minutes: minutes
      .filter(({seenMs, lines}) => seenMs > 0 || lines > 0)
      .map(each => ({...each, seenMs: Math.max(1, each.seenMs)})),
    lastError,
    ...(Number.isFinite(lastLineMs) && {lastLineMs}),
  };
};

type RunsOfSources = Pick<Numbering, 'runs'> & Partial<Pick<Numbering, 'sources'>>;

/** Reading the levels of so many lines takes about a millisecond. */
const linesPerPause = 256;

/** Running counts of a log, to which the next lines can be added. Times are milliseconds since 1970. */
export type CountedLines = {
  times: number[];
  errorTimes: number[];
  lastError: PulseError | undefined;
  untimedCount: number;
  /** That of the last line. */
  atMs: number | undefined;
  /** For each source, the trace that its next line may continue. */
  readonly follows: Map<string | number, Follow>;
};

export const nothingCounted = (): CountedLines => ({
  times: [],
  errorTimes: [],
  lastError: undefined,
  untimedCount: 0,
  atMs: undefined,
  follows: new Map(),
});

/**
 * Adds lines to what was counted. Lines of a trace are part of their error, as everywhere; who wrote a line decides
 * what it continues, where the service says so. Lines before `firstIndex` are left out.
 */
export function* countLines(
  counted: CountedLines,
  lines: Texts,
  numbering: RunsOfSources | undefined,
  firstIndex = 0,
): Work<void> {
  const {times, errorTimes, follows} = counted;
  let [run, leftInRun] = [-1, 0];
  let source: string | number = 0;
  let index = -1;
  for (const raw of lines) {
    index += 1;
    while (leftInRun === 0 && numbering !== undefined && run + 1 < numbering.runs.length) {
      run += 1;
      const [place, count] = numbering.runs[run] ?? [0, 0];
      const name = numbering.sources?.[place];
      source = name === undefined ? place : sourceKey(name);
      leftInRun = count;
    }
    leftInRun -= 1;
    if (index < firstIndex) {
      continue;
    }
    const line = readLine(raw);
    // Without a time of its own a line has that of the line before.
    counted.atMs = line === undefined ? counted.atMs : instantToMs(line.at);
    const {atMs} = counted;
    const text = line === undefined ? raw : raw.slice(line.textIndex);
    const {follow, isError} = readError(follows.get(source) ?? followNothing, text);
    follows.set(source, follow);
    if (atMs === undefined) {
      counted.untimedCount += 1;
    } else {
      times.push(atMs);
      if (isError) {
        errorTimes.push(atMs);
        const isOlder = atMs < (counted.lastError?.atMs ?? atMs);
        counted.lastError = isOlder ? counted.lastError : {atMs, text: text.slice(0, errorCharsMax)};
      }
    }
    if (index % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
}

/**
 * Counts the lines and errors of a window. `toMs`: the service's clock at the answer, milliseconds since 1970; without
 * it the window ends with its newest line.
 */
export function* countWindow(
  lines: Texts,
  numbering: RunsOfSources | undefined,
  toMs: number | undefined,
): Work<Pulse> {
  const counted = nothingCounted();
  yield* countLines(counted, lines, numbering);
  return pulseOfTimes({...counted, toMs});
}

/**
 * Counts the newest lines of a log in memory, from its last gap on. `toMs`: when the log was last asked for, by the
 * service's clock, milliseconds since 1970.
 */
export const pulseOfBuffer = (buffer: LineBuffer, toMs: number): Pulse => {
  const fromAt = instantFromMs(toMs - pulseMinutesMax * pulseMinuteMs);
  const recent = buffer.chunks.filter(({lastAt}) => lastAt >= fromAt);
  const gap = recent
    .flatMap(markersOf)
    .map(({marker}) => marker)
    .findLast(marker => marker.kind === 'gap');
  const [oldest] = buffer.chunks;
  const times = recent.flatMap(chunk => {
    const markers = new Set(markersOf(chunk).map(({offset}) => offset));
    const all = Array.from({length: chunk.entryCount}, (_, offset) => timeAt(chunk, offset) ?? fromAt);
    return all.filter((_, offset) => !markers.has(offset));
  });
  return pulseOfTimes({
    // The newest line stands for all, if there is none in these minutes.
    times: times.length > 0 ? times.map(instantToMs) : buffer.newestLine ? [instantToMs(buffer.newestLine.at)] : [],
    errorTimes: recent.flatMap(errorTimesOf).map(instantToMs),
    lastError: lastErrorOf(buffer),
    fromMs: gap ? instantToMs(gap.before) : oldest && instantToMs(oldest.firstAt),
    toMs,
  });
};

const lastErrorOf = (buffer: LineBuffer): PulseError | undefined => {
  const index = buffer.chunks.findLastIndex(chunk => errorOffsetsOf(chunk).length > 0);
  const chunk = buffer.chunks[index];
  const offset = chunk && errorOffsetsOf(chunk).at(-1);
  const entry = offset === undefined ? undefined : entryAt(buffer, (buffer.starts[index] ?? 0) + offset);
  return entry?.kind === 'line'
    ? {atMs: instantToMs(entry.at), text: textOf(entry).slice(0, errorCharsMax)}
    : undefined;
};
