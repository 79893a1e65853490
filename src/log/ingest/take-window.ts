import type {Entry} from '#log/line/entry.ts';
import {latestOf} from '#log/line/instant.ts';
import {readLine} from '#log/window/window-line.ts';
import {finishWork, type Work} from '#log/work.ts';
import {asEntries} from './added.ts';
import {takeKept} from './answer/take-kept.ts';
import {ingestByText} from './answer/take-known-by-text.ts';
import {ignored, ingestByNumber} from './answer/take-numbered.ts';
import type {BranchLog, LogWindow} from './branch-log.ts';
import {lastAccounted} from './numbered/place-losses.ts';
import {numbersOf} from './numbered.ts';
import {ingestByOverlap, type WindowTaken} from './take-unnumbered.ts';

/** Takes a window into a branch's log: merges its lines, judges whether anything may be missing, and places markers. */
export const takeWindow = (
  log: BranchLog,
  window: LogWindow,
): Omit<WindowTaken, 'added'> & {readonly added: readonly Entry[]} => {
  const taken = finishWork(takingWindow(log, window));
  return {...taken, added: asEntries(taken.added)};
};

/**
 * `takeWindow` as work that may pause: a window of 60 MB takes a second. Numbers decide alone about an answer that has
 * some, and where those before it had.
 */
export function* takingWindow(log: BranchLog, given: LogWindow): Work<WindowTaken> {
  const {distrusted} = log;
  if (given.kept !== undefined) {
    return yield* takeKept(log, given.kept);
  }
  const isDistrusted = distrusted !== undefined && (given.numbering ?? given.arrivals)?.series === distrusted.series;
  const window = isDistrusted ? {...given, ...saidNothing} : given;
  const {numbering} = window;
  const {numbered} = log;
  if (isDistrusted && numbered === undefined) {
    const {last, hasHole} = readDistrusted(given, distrusted.last);
    const taken = yield* ingestByOverlap(log, window, hasHole);
    return taken.added.length === 0 && last < distrusted.last
      ? taken
      : {...taken, log: {...taken.log, distrusted: {...distrusted, last}}};
  }
  if (numbering === undefined && numbered === undefined) {
    return yield* ingestByOverlap(log, window);
  }
  const isFirst = log.before === undefined || (log.buffer.entryCount === 0 && (numbering?.first ?? 0) <= 1);
  if (numbering === undefined || (numbered === undefined && !isFirst)) {
    return yield* ingestByText(log, window);
  }
  const last = lastAccounted(numbering, window.lines.length);
  if (numbered !== undefined && numbering.series !== numbered.series) {
    return last <= (log.olderSeries.get(numbering.series) ?? -1) ? ignored(log) : yield* ingestByText(log, window);
  }
  if (numbered !== undefined && last < numbered.last && isNewer(log, window)) {
    // The service was reset, and gives numbers a second time.
    return yield* ingestByText(log, window, true);
  }
  return yield* ingestByNumber(log, window, numbering);
}

/** Reads numbers that prove nothing: those that no line has after the last one are of lines that are missing. */
const readDistrusted = (
  {numbering, arrivals, lines}: LogWindow,
  before: number,
): {readonly last: number; readonly hasHole: boolean} => {
  if (numbering === undefined) {
    const {last = before, dropped = 0} = arrivals ?? {};
    return {last, hasHole: dropped > before && dropped <= last};
  }
  const last = lastAccounted(numbering, lines.length);
  const came = numbersOf(numbering, lines.length).filter(number => number > before).length;
  return {last, hasHole: last - before > came};
};

/** Nothing is believed of a service whose numbers contradict each other. */
const saidNothing = {numbering: undefined, arrivals: undefined, cut: undefined, sources: undefined};

const isNewer = ({buffer}: BranchLog, {lines}: LogWindow): boolean => {
  const newest = latestOf(Array.from(lines, raw => readLine(raw)?.at));
  const held = buffer.chunks.at(-1)?.lastAt;
  return newest !== undefined && held !== undefined && newest > held;
};
