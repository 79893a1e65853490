import {setImmediate as nextTurn} from 'node:timers/promises';
import {waitAtMost} from '#base/bounds.ts';
import {lastNumberOf} from '#log/ingest/numbered.ts';
import {instantToMs} from '#log/line/instant.ts';
import {
  type CountedLines,
  countLines,
  nothingCounted,
  type Pulse,
  pulseMinuteMs,
  pulseMinutesMax,
  pulseOfTimes,
} from '#log/overview/pulse.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import {readLine} from '#log/window/window-line.ts';
import type {ServedWindow} from './backend.ts';

const formatTime = (ms: number): string => new Date(ms).toISOString();

/** Offers the operation, in an answer with branches. */
export const pulsesHeaderName = 'branchlog-pulses';

/** Returns the answer of the pulses operation (docs/serve.md, "Errors of all branches"). */
export const pulseRecords = (pulses: ReadonlyMap<string, Pulse>) =>
  [...pulses].map(([_id, {toMs, spanMs, lines, errors, minutes, lastError, lastLineMs}]) => ({
    _id,
    seenUntil: formatTime(toMs),
    seenMs: spanMs,
    lines,
    errors,
    minutes: minutes.map(({minute, seenMs, ...counts}) => ({
      from: formatTime(minute * pulseMinuteMs),
      seenMs,
      ...counts,
    })),
    lastLine: lastLineMs === undefined ? null : formatTime(lastLineMs),
    lastError: lastError ? {time: formatTime(lastError.atMs), text: lastError.text} : null,
  }));

/** An older count is not continued, so that nothing is counted of a log that nobody asked for. */
const countedMsMax = pulseMinutesMax * pulseMinuteMs;
/** When a window is counted for the first time, at least so many lines are read for its last error. */
const firstLinesMin = 256;
/** Times that are kept of a branch, 8 bytes each: of a log that writes more in five minutes, the last ones. */
const timesMax = 50_000;
/** Sources whose traces are kept apart in a branch; more have come and gone. */
const followsMax = 1_000;
/** An answer waits so long, milliseconds; branches whose turn has not come by then are as they were. */
const answerMsMax = 250;
/** Counting gives way to other work after this time, milliseconds. */
const turnMsMax = 5;
/** An answer is good for all who ask within this time, milliseconds. */
const sharedMs = 1_000;

/** A branch whose lines are in memory. */
type CountedBranch = {
  readonly id: string;
  /** Returns its window, or what arrived after a place. `isPartial`: some of it cannot be read. */
  read(after?: ReadUpTo): Promise<Pick<ServedWindow, 'lines' | 'numbering' | 'next'> & {readonly isPartial?: boolean}>;
  /** Until when the log was read, milliseconds since 1970. */
  readToMs(): number;
};

type BranchCount = {
  readonly place: ReadUpTo;
  readonly counted: CountedLines;
  readonly fromMs: number | undefined;
  readonly pulse: Pulse;
};

type CountedSite = {
  readonly counts: Map<string, BranchCount>;
  readonly beganMs: number;
  /** Undefined once all are counted. */
  counting: Promise<void> | undefined;
};

/** Creates the counter of a backend. `monotonicMs`: milliseconds. */
export const createPulseCounter = (monotonicMs: () => number) => {
  const sites = new Map<string, CountedSite>();
  let turnBeganMs = Number.NEGATIVE_INFINITY;

  const giveWay = async (): Promise<void> => {
    if (monotonicMs() - turnBeganMs > turnMsMax) {
      await nextTurn();
      turnBeganMs = monotonicMs();
    }
  };

  const countBranch = async (
    {read, readToMs}: CountedBranch,
    before: BranchCount | undefined,
  ): Promise<BranchCount | undefined> => {
    const toMs = readToMs();
    let known = before !== undefined && toMs - before.pulse.toMs <= countedMsMax ? before : undefined;
    for (let hasMore = true; hasMore; ) {
      const {lines, numbering, isPartial, ...window} = await read(known?.place);
      if (numbering === undefined || isPartial) {
        return undefined;
      }
      hasMore = window.next === 'there';
      const joins =
        known !== undefined && numbering.series === known.place.series && numbering.first <= known.place.last + 1;
      const counted = joins && known ? known.counted : nothingCounted();
      const first = joins ? 0 : firstToCount(lines, toMs);
      for (const work = countLines(counted, lines, numbering, first); !work.next().done; ) {
        await giveWay();
      }
      const place = {
        series: numbering.series,
        last: Math.max(
          lastNumberOf(numbering, lines.length),
          numbering.first - 1,
          joins ? (known?.place.last ?? 0) : 0,
        ),
      };
      // Nothing is known of the time before the end of a loss.
      const begins = [
        joins ? known?.fromMs : timeOf(lines[first]),
        prune(counted, toMs),
        ...numbering.losses.map(({after, before = after}) => before && instantToMs(before)),
      ].filter(ms => typeof ms === 'number');
      const fromMs = begins.length > 0 ? Math.max(...begins) : undefined;
      known = {place, counted, fromMs, pulse: pulseOfTimes({...counted, fromMs, toMs})};
    }
    return known;
  };

  const countAll = async (counts: CountedSite['counts'], branches: readonly CountedBranch[]): Promise<void> => {
    const ids = new Set(branches.map(({id}) => id));
    for (const id of [...counts.keys()].filter(each => !ids.has(each))) {
      counts.delete(id);
    }
    for (const branch of branches) {
      await giveWay();
      const count = await countBranch(branch, counts.get(branch.id)).catch(() => undefined);
      if (count === undefined) {
        counts.delete(branch.id);
      } else {
        counts.set(branch.id, count);
      }
    }
  };

  const begin = (siteId: string, branches: readonly CountedBranch[]): CountedSite => {
    const counts = sites.get(siteId)?.counts ?? new Map<string, BranchCount>();
    const site: CountedSite = {
      counts,
      beganMs: monotonicMs(),
      counting: countAll(counts, branches).finally(() => {
        site.counting = undefined;
      }),
    };
    sites.set(siteId, site);
    return site;
  };

  return {
    /**
     * Counts what arrived in these branches since the last time. A branch is left out if its lines have no numbers, if
     * not all of it can be read, or if its turn has not come yet.
     */
    count: async (siteId: string, branches: readonly CountedBranch[]): Promise<ReadonlyMap<string, Pulse>> => {
      const known = sites.get(siteId);
      const isShared = known && (known.counting !== undefined || monotonicMs() - known.beganMs < sharedMs);
      const site = isShared ? known : begin(siteId, branches);
      await waitAtMost(Promise.resolve(site.counting), answerMsMax);
      return new Map([...site.counts].map(([id, {pulse}]) => [id, pulse]));
    },
  };
};

/** Returns the index of the first line of a window to count; its lines are in order of time. */
const firstToCount = (lines: readonly string[], toMs: number): number => {
  let [low, high] = [0, Math.max(0, lines.length - firstLinesMin)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timeOf(lines[middle]) ?? 0) < toMs - countedMsMax) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

const timeOf = (raw: string | undefined): number | undefined => {
  const line = raw === undefined ? undefined : readLine(raw);
  return line && instantToMs(line.at);
};

/**
 * Lets go of times that no pulse tells; the newest line's stands for all, if there is no other. Returns the time before
 * which lines are not all counted any more, if it has changed.
 */
const prune = (counted: CountedLines, toMs: number): number | undefined => {
  const {times, errorTimes, follows} = counted;
  const isKept = (atMs: number): boolean => atMs >= toMs - countedMsMax;
  const kept = times.filter(isKept);
  const newestMs = times.reduce((newest, atMs) => Math.max(newest, atMs), Number.NEGATIVE_INFINITY);
  counted.times = kept.length > 0 ? kept.slice(-timesMax) : times.length > 0 ? [newestMs] : [];
  counted.errorTimes = errorTimes.filter(isKept).slice(-timesMax);
  if (follows.size > followsMax) {
    follows.clear();
  }
  return kept.length > timesMax ? counted.times[0] : undefined;
};
