import type {Entry} from '#log/line/entry.ts';
import {latestOf} from '#log/line/instant.ts';
import {readLine} from '#log/window/window-line.ts';
import {finishWork, type Work} from '#log/work.ts';
import {asEntries} from './added.ts';
import {takeKept} from './answer/take-kept.ts';
import {ingestByText} from './answer/take-known-by-text.ts';
import {ignored, ingestByNumber} from './answer/take-numbered.ts';
import type {BranchLog, LogWindow} from './branch-log.ts';
import {lastTold} from './numbered/place-losses.ts';
import {lastNumberOf} from './numbered.ts';
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
  const isDistrusted =
    distrusted !== undefined && (given.numbering?.series === distrusted || given.arrivals?.series === distrusted);
  const window = isDistrusted ? {...given, ...saidNothing} : given;
  const {numbering} = window;
  const {numbered} = log;
  if (numbering === undefined && numbered === undefined) {
    return yield* ingestByOverlap(log, window);
  }
  const isFirst = log.before === undefined || (log.buffer.entryCount === 0 && (numbering?.first ?? 0) <= 1);
  if (numbering === undefined || (numbered === undefined && !isFirst)) {
    return yield* ingestByText(log, window);
  }
  const shown = Math.max(numbering.last ?? numbering.first - 1, lastNumberOf(numbering, window.lines.length));
  const last = Math.max(shown, lastTold(numbering, shown));
  if (numbered !== undefined && numbering.series !== numbered.series) {
    return last <= (log.olderSeries.get(numbering.series) ?? -1) ? ignored(log) : yield* ingestByText(log, window);
  }
  if (numbered !== undefined && last < numbered.last && isNewer(log, window)) {
    // The service was reset, and gives numbers a second time.
    return yield* ingestByText(log, window, true);
  }
  return yield* ingestByNumber(log, window, numbering);
}

/** Nothing is believed of a service whose numbers contradict each other. */
const saidNothing = {numbering: undefined, arrivals: undefined, cut: undefined, sources: undefined};

const isNewer = ({buffer}: BranchLog, {lines}: LogWindow): boolean => {
  const newest = latestOf(Array.from(lines, raw => readLine(raw)?.at));
  const held = buffer.chunks.at(-1)?.lastAt;
  return newest !== undefined && held !== undefined && newest > held;
};
