import {mayBeOutsideRange} from './excuses.ts';
import type {Faults} from './find-faults.ts';
import {findSilentlyLost, stepWritten} from './judge-log.ts';
import {findMovedItems} from './moved-items.ts';
import type {ClusterLine} from './simulated-cluster.ts';
import type {Watched, WatchedLook} from './watch-looks.ts';
import type {Known} from './what-was-known.ts';

/** What the numbers of an answer tell, and what there is to tell. */
type Told = {
  readonly known: Known;
  /** Lines that were dropped unseen since the last numbers: a gap is due in this very answer. */
  readonly dropped: readonly ClusterLine[];
  /** A gap may stand though nothing is missing: nobody can tell whether the answers join. */
  readonly isUnclear: boolean;
};

/**
 * Judges the log of a service that numbers its lines, from what the service dropped: a gap stands in the answer whose
 * numbers tell a loss, whether a line came or not, its range has the lines, and where nothing was dropped unseen there
 * is none.
 */
export const judgeCounted = (watched: Watched, known: readonly Known[]): Faults => {
  const told = followNumbers(watched, known);
  return [
    ...told.flatMap(each => findInexact(each)),
    ...findOutsideRange(watched, told),
    ...findWholeTooEarly(watched, told),
  ];
};

const followNumbers = ({arrived, looks}: Watched, known: readonly Known[]): readonly Told[] => {
  const firstIndex = looks.findIndex(({shown, window}) => shown.length > 0 || window.numbering !== undefined);
  const seen = new Set<ClusterLine>();
  const asNoString = new Set<ClusterLine>();
  let countedTo = looks[firstIndex]?.arrivedCount ?? arrived.length;
  let last: WatchedLook | undefined;
  let lastSeries: string | undefined;
  let isAfterUnnumbered = false;
  /** Lines that came since the last numbers. */
  let cameCount = 0;
  /** Lines of whose loss a gap told before numbers did. */
  const toldEarly = new Set<ClusterLine>();
  const haveItemsMoved = findMovedItems(looks);
  return known.slice(Math.max(0, firstIndex)).map(each => {
    const {look} = each;
    const {arrivals} = look.window;
    cameCount += each.came.length;
    const isUnclear =
      last === undefined ||
      look.noStrings.some(line => !asNoString.has(line)) ||
      (arrivals !== undefined && arrivals.series !== lastSeries);
    const mayBeUncounted =
      last !== undefined &&
      (isAfterUnnumbered || haveItemsMoved[each.index] === true) &&
      !isCounted(last, look, cameCount);
    for (const line of look.shown) {
      seen.add(line);
    }
    for (const line of look.noStrings) {
      asNoString.add(line);
    }
    const dropped = arrived
      .slice(countedTo, Math.max(countedTo, look.arrivedCount))
      .filter(line => !seen.has(line) && !asNoString.has(line) && !toldEarly.has(line));
    const isNumbered = arrivals !== undefined && !look.isLagging;
    last = isNumbered ? look : last;
    lastSeries = arrivals?.series ?? lastSeries;
    isAfterUnnumbered = arrivals === undefined || (isAfterUnnumbered && !isNumbered);
    cameCount = isNumbered ? 0 : cameCount;
    countedTo = isNumbered ? Math.max(countedTo, look.arrivedCount) : countedTo;
    if (isNumbered) {
      toldEarly.clear();
    }
    for (const line of !isNumbered && look.gap !== undefined ? dropped : []) {
      toldEarly.add(line);
    }
    // Without numbers a gap may be told early, but need not be.
    return isNumbered
      ? {known: each, dropped, isUnclear: isUnclear || mayBeUncounted}
      : {known: each, dropped: [], isUnclear: isUnclear || mayBeUncounted || dropped.length > 0};
  });
};

/**
 * Are the lines that came as many as the numbers that were taken? Then all are there, though an answer in between had
 * no numbers.
 */
const isCounted = (
  {window: {arrivals: before}}: WatchedLook,
  {window: {arrivals: now}}: WatchedLook,
  cameCount: number,
): boolean => before !== undefined && now !== undefined && now.last - before.last === cameCount;

const findInexact = ({known: {index, look}, dropped, isUnclear}: Told): Faults => {
  if (dropped.some(({isResent}) => !isResent) && look.gap === undefined && !arePodsToldGone(look, dropped)) {
    return [
      `no gap at answer ${index}, whose numbers tell that ${dropped.length} lines are missing: ${dropped[0]?.raw}`,
    ];
  }
  if (dropped.length === 0 && look.gap !== undefined && !isUnclear) {
    return [`a gap at answer ${index} though no line was dropped unseen, ${look.gap.reason}`];
  }
  return [];
};

const arePodsToldGone = ({added}: WatchedLook, lines: readonly ClusterLine[]): boolean =>
  lines.every(({pod}) =>
    added.some(
      entry => entry.kind === 'pod' && entry.change === 'gone' && entry.isWhole !== true && entry.name === pod,
    ),
  );

const findOutsideRange = (watched: Watched, told: readonly Told[]): Faults =>
  findSilentlyLost(watched).flatMap(line => {
    const known = told.find(({dropped}) => dropped.includes(line))?.known;
    return known === undefined || mayBeOutsideRange(line, known, watched)
      ? []
      : [`lost outside the range of the marker at answer ${known.index}: ${line.source}, ${line.raw}`];
  });

/** “Whole since” a time before that of a line that is missing. */
const findWholeTooEarly = (watched: Watched, told: readonly Told[]): Faults => {
  const wholeSince = watched.looks.at(-1)?.wholeSince;
  const missing = told.flatMap(({known, dropped}) => dropped.map(line => ({line, known})));
  const shown = new Set(watched.looks.flatMap(look => look.shown.map(({identity}) => identity)));
  return missing
    .filter(
      ({line, known}) =>
        wholeSince !== undefined &&
        line.at - (line.at % stepWritten([known.look])) > wholeSince &&
        !shown.has(line.identity) &&
        !mayBeOutsideRange(line, known, watched),
    )
    .map(({line}) => `whole since ${wholeSince}, and yet a line is missing: ${line.raw}`);
};
