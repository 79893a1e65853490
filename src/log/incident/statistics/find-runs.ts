import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {type CountLevel, findLevels, type HeldSpan} from './find-levels.ts';

/** A time in which something came clearly more often than in a quieter part of the time. Times are seconds. */
export type Run = {
  /** Index of its first time, and of the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly from: number;
  /** Its last time, or now if it goes on. */
  readonly to: number;
  readonly isOver: boolean;
  /** A second, in it and in the quietest part before it; undefined if none is held. */
  readonly during: number;
  readonly before: number | undefined;
  /** How badly chance explains it, by the time and by the lines in it: a log-likelihood ratio. */
  readonly evidence: number;
  /** How many times more often it came, by the time or by the lines, whichever is less. */
  readonly factor: number;
};

/** The causes of a change are looked for in this time before it. */
export const beforeSeconds = 900;

/** Chance brings fewer together. */
export const eventsMin = 4;
/** A smaller rise is what any day brings. */
const factorMin = 2;
/** A log-likelihood ratio that chance alone seldom reaches. */
export const evidenceMin = 8;
/** It goes on for so long without an event, or for three times what passed between two of them on average. */
export const silenceMin = 30;
/** A shorter pause does not end it. */
const pauseMin = 60;
/** A series that lasted less than this at the beginning of the held log is a burst. */
const firstMin = 30;
/** In less time one event fewer would be another rate. */
const lengthMin = 60;

/** How many lines of all kinds came from one second up to another, both included. */
export type CountLines = (from: number, to: number) => number;

/** A level with what its events are compared by: how long it took, in seconds, and the other lines in it. */
type Part = CountLevel & {readonly count: number; readonly length: number; readonly lines: number};

/**
 * `isBad`: one quieter part is enough to compare with; of what is no error, all others before have to be quieter, for
 * it may only have come back. `isFirst`: what came more often from the first second held on than later is found, too.
 */
export type RunsWanted = {readonly isBad: boolean; readonly isFirst?: boolean};

/** Finds the times in which more came than in the quietest part before them, ascending. */
export const findRuns = (
  times: readonly number[],
  held: HeldSpan,
  countLines: CountLines,
  {isBad, isFirst = false}: RunsWanted,
): readonly Run[] => {
  const parts =
    times.length < eventsMin ? [] : findLevels(times, held).map(level => partOf(ended(times, level, held), countLines));
  const quieter = (part: Part): Part | undefined => {
    const earlier = parts.slice(
      0,
      Math.max(
        0,
        parts.findIndex(({from}) => from >= part.from),
      ),
    );
    const isBack = !isBad && earlier.some(other => other.length >= lengthMin && factorOf(other, part) < factorMin);
    return isBack
      ? undefined
      : quietest(part, isFirst && part.start === 0 && part.length >= firstMin ? parts : earlier);
  };
  return joined(parts.filter(part => quieter(part) !== undefined)).flatMap((level): readonly Run[] => {
    const part = partOf(level, countLines);
    const other = quieter(part);
    return other === undefined || part.count < eventsMin
      ? []
      : [
          {
            ...extentOf(times, part, held),
            before: other.from < part.from ? other.count / Math.max(lengthMin, other.length) : undefined,
            evidence: evidenceOf(other, part),
            factor: factorOf(other, part),
          },
        ];
  });
};

/** Cuts a level off where nothing of it has come for so long that it is over. */
const ended = (times: readonly number[], level: CountLevel, held: HeldSpan): CountLevel => {
  const {start, end, from, to} = level;
  const {isOver, to: last} = extentOf(times, level, held);
  const isCut = to >= held.to && end - start >= eventsMin && isOver;
  return isCut ? {...level, to: last + (last - from) / (end - start)} : level;
};

const partOf = (level: CountLevel, countLines: CountLines): Part => {
  const {start, end, from, to} = level;
  const count = end - start;
  return {...level, count, length: Math.max(1, to - from), lines: Math.max(1, countLines(from, to) - count)};
};

/** Returns the part by which another one is the least to be explained by chance. */
const quietest = (part: Part, others: readonly Part[]): Part | undefined =>
  others
    .filter(other => factorOf(other, part) >= factorMin && evidenceOf(other, part) >= evidenceMin)
    .reduce<Part | undefined>(
      (best, other) => (best === undefined || evidenceOf(other, part) > evidenceOf(best, part) ? other : best),
      undefined,
    );

const factorOf = (before: Part, part: Part): number =>
  Math.min(
    part.count / part.length / (before.count / before.length),
    part.count / part.lines / (before.count / before.lines),
  );

const evidenceOf = (before: Part, part: Part): number =>
  Math.min(
    ratioOf(part.count, before.count, part.length / (part.length + before.length)),
    ratioOf(part.count, before.count, part.lines / (part.lines + before.lines)),
  );

/** Returns the log-likelihood ratio of so many events in a share of the time, from 0 to 1, and so many in the rest. */
export const ratioOf = (inside: number, outside: number, share: number): number => {
  const all = inside + outside;
  const term = (events: number, expected: number): number => (events <= 0 ? 0 : events * Math.log(events / expected));
  return inside <= all * share ? 0 : term(inside, all * share) + term(outside, all * (1 - share));
};

/** Takes levels with hardly a pause between them together. */
const joined = (levels: readonly CountLevel[]): readonly CountLevel[] => {
  const runs: CountLevel[] = [];
  for (const level of levels) {
    const before = runs.at(-1);
    if (before !== undefined && level.from - before.to < pauseMin) {
      runs[runs.length - 1] = {...before, end: level.end, to: level.to};
    } else {
      runs.push(level);
    }
  }
  return runs;
};

const extentOf = (
  times: readonly number[],
  {start, end}: CountLevel,
  held: HeldSpan,
): Pick<Run, 'start' | 'end' | 'from' | 'to' | 'isOver' | 'during'> => {
  const [first = 0, last = 0] = [times[start], times[end - 1]];
  const isOver = held.to - last > Math.max(silenceMin, (3 * (last - first)) / (end - start));
  const to = isOver ? last : held.to;
  // A shorter one counts as a minute.
  return {start, end, from: first, to, isOver, during: (end - start) / Math.max(lengthMin, to - first)};
};

/** Returns all of the times as one run, with nothing before it. */
export const wholeRun = (times: readonly number[], held: HeldSpan): Run => ({
  ...extentOf(times, {start: 0, end: times.length, ...held}, held),
  ...{before: undefined, evidence: times.length, factor: Number.POSITIVE_INFINITY},
});

/** Counts ascending times from one up to before another. */
export const countBetween = (times: readonly number[], from: number, to: number): number =>
  firstIndexWhere(times.length, index => (times[index] ?? 0) >= to) -
  firstIndexWhere(times.length, index => (times[index] ?? 0) >= from);
