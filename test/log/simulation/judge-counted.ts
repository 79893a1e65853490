import type {Arrivals, Numbering} from '#log/window/window-claims.ts';
import {type JudgedAs, mayBeOutsideRange} from './excuses.ts';
import type {Faults} from './find-faults.ts';
import {countOf, findSilentlyLost, nameOf, stepWritten} from './judge-log.ts';
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
export const judgeCounted = (
  watched: Watched,
  known: readonly Known[],
  family: 'numbered' | 'counted',
): {readonly faults: Faults; readonly falseGaps: Faults} => {
  const told = followNumbers(watched, known);
  return {
    faults: [
      ...told.flatMap(findUntold),
      ...findOutsideRange(watched, told, family),
      ...findWholeTooEarly(watched, told, family),
      ...findUncounted(watched, told, family),
      ...findUnfolded(watched, told),
    ],
    falseGaps: told.flatMap(findFalse),
  };
};

const followNumbers = ({arrived, looks}: Watched, known: readonly Known[]): readonly Told[] => {
  const firstIndex = looks.findIndex(
    ({shown, window}) => shown.length > 0 || window.numbering !== undefined || window.arrivals !== undefined,
  );
  const seen = new Set<ClusterLine>();
  const asNoString = new Set<ClusterLine>();
  let countedTo = looks[firstIndex]?.arrivedCount ?? arrived.length;
  /** Lines that access rules hide, and after which no line was shown yet: nothing tells them. */
  let hidden: readonly ClusterLine[] = hiddenAfter(arrived.slice(0, countedTo), looks[firstIndex]);
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
    // A line that comes again while it leaves looks like a number that no line has.
    const isHidden = look.shown.some(
      line => line.isResent && !seen.has(line) && last?.shown.some(({identity}) => identity === line.identity),
    );
    const isUnclear =
      last === undefined ||
      isHidden ||
      look.noStrings.some(line => !asNoString.has(line)) ||
      (arrivals !== undefined && arrivals.series !== lastSeries && !look.isLagging);
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
    const unseen = [...hidden, ...arrived.slice(countedTo, Math.max(countedTo, look.arrivedCount))].filter(
      line => !seen.has(line) && !asNoString.has(line) && !toldEarly.has(line),
    );
    const pending = new Set(hiddenAfter(unseen, look));
    const dropped = unseen.filter(line => !pending.has(line));
    const isNumbered = arrivals !== undefined && !look.isLagging;
    hidden = isNumbered ? [...pending] : hidden;
    last = isNumbered ? look : last;
    lastSeries = (look.isLagging ? undefined : arrivals?.series) ?? lastSeries;
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

/** Lines that access rules hide, after the last one that an answer shows. */
const hiddenAfter = (lines: readonly ClusterLine[], look: WatchedLook | undefined): readonly ClusterLine[] =>
  look?.window.numbering === undefined ||
  look.shown.length === 0 ||
  isEndTold(look.window.numbering, look.window.arrivals)
    ? []
    : lines.filter(({isHidden, seq}) => isHidden && seq > lastShownIn(look));

const lastShownIn = ({shown}: WatchedLook): number => shown.reduce((most, {seq}) => Math.max(most, seq), -1);

/** Does the service tell that what came after the last line of the answer is gone? What it hides is among that. */
const isEndTold = ({losses}: Numbering, arrivals: Arrivals | undefined): boolean =>
  losses.some(({number, lines}) => lines !== undefined && number > (arrivals?.last ?? number));

/**
 * Are the lines that came as many as the numbers that were taken? Then all are there, though an answer in between had
 * no numbers.
 */
const isCounted = (
  {window: {arrivals: before}}: WatchedLook,
  {window: {arrivals: now}}: WatchedLook,
  cameCount: number,
): boolean => before !== undefined && now !== undefined && now.last - before.last === cameCount;

const findUntold = ({known: {index, look}, dropped}: Told): Faults =>
  dropped.some(({isResent}) => !isResent) && look.gap === undefined && !arePodsToldGone(look, dropped)
    ? [`no gap at answer ${index}, whose numbers tell that ${dropped.length} lines are missing: ${dropped[0]?.raw}`]
    : [];

/** What an answer told may be known better at the next one: a gap that grows is no other one. */
const findFalse = ({known: {index, look}, dropped, isUnclear}: Told): Faults =>
  dropped.length === 0 && look.gap !== undefined && look.gap.grows !== true && !isUnclear
    ? [`a gap at answer ${index} though no line was dropped unseen, ${look.gap.reason}`]
    : [];

/**
 * Lines that numbers prove to be there, copies of others too, and that are not held: where nothing was dropped since the numbers before, as many came
 * as numbers were taken; where all of those before were dropped, as many are in the window as it has numbers.
 */
const findUncounted = (
  {arrived, held, sent, floor}: Watched,
  told: readonly Told[],
  family: 'numbered' | 'counted',
): Faults => {
  if (floor !== undefined) {
    return [];
  }
  const copies = countOf(arrived.map(({identity}) => identity));
  const seen = new Set<ClusterLine>();
  const proven = new Set<ClusterLine>();
  let lastNumber: number | undefined;
  let lastSeries: string | undefined;
  for (const {known, dropped, isUnclear} of told) {
    const {look} = known;
    const {arrivals, numbering} = look.window;
    const came = look.shown.filter(line => !seen.has(line));
    const isAllThere =
      arrivals !== undefined && dropped.length === 0 && arrivals.last - (lastNumber ?? 0) === came.length;
    const isAllOfWindow =
      arrivals !== undefined &&
      arrivals.dropped >= (lastNumber ?? 0) &&
      arrivals.last - arrivals.dropped === look.shown.length;
    // In a new series lines are the same as those before by their text alone.
    const isSameSeries = numbering !== undefined && numbering.series === (lastSeries ?? numbering.series);
    const isProven =
      !look.isLagging &&
      (family === 'numbered' ? isSameSeries : !isUnclear && (isAllThere || isAllOfWindow) && look.torn.size === 0);
    for (const line of came) {
      seen.add(line);
      if (sent.whole.has(line) && (copies.get(line.identity) === 1 || (isProven && !line.isResent))) {
        proven.add(line);
      }
    }
    lastSeries = look.isLagging ? lastSeries : (arrivals?.series ?? lastSeries);
    lastNumber = look.isLagging ? lastNumber : arrivals?.last;
  }
  const names = new Set(arrived.map(({identity}) => identity));
  const heldCount = held.filter(line => names.has(nameOf(line, sent))).length;
  return heldCount < proven.size
    ? [`shown and not held: numbers tell ${proven.size} lines, ${heldCount} are held`]
    : [];
};

/** Holes of a kind are one marker, which grows; a few stand until it is clear that they are left out on purpose. */
const gapsUntilClear = 6;
const findUnfolded = ({marks, options}: Watched, told: readonly Told[]): Faults => {
  const gaps = marks.filter(({kind}) => kind === 'gap').length;
  const others = told.filter(({dropped, isUnclear}) => isUnclear || dropped.some(({isHidden}) => !isHidden)).length;
  return options.hides !== undefined && gaps > 2 * others + gapsUntilClear
    ? [`unfolded: ${gaps} gaps, and only ${others} answers after which more is missing than what access rules hide`]
    : [];
};

const arePodsToldGone = ({added}: WatchedLook, lines: readonly ClusterLine[]): boolean =>
  lines.every(({pod}) =>
    added.some(
      entry => entry.kind === 'pod' && entry.change === 'gone' && entry.isWhole !== true && entry.name === pod,
    ),
  );

const findOutsideRange = (watched: Watched, told: readonly Told[], family: JudgedAs): Faults => {
  const mayBeOutside = mayBeOutsideRange(family);
  const knownOf = new Map(told.flatMap(({known, dropped}) => dropped.map(line => [line, known] as const)));
  // A marker of another loss, which comes later, does not stand for this one.
  return findSilentlyLost(watched, line => knownOf.get(line)?.index ?? -1).flatMap(line => {
    const known = knownOf.get(line);
    return known === undefined || mayBeOutside(line, known, watched)
      ? []
      : [`lost outside the range of the marker at answer ${known.index}: ${line.source}, ${line.raw}`];
  });
};

/** “Whole since” a time before that of a line that is missing. */
const findWholeTooEarly = (watched: Watched, told: readonly Told[], family: JudgedAs): Faults => {
  const mayBeOutside = mayBeOutsideRange(family);
  const missing = told.flatMap(({known, dropped}) => dropped.map(line => ({line, known})));
  const shown = new Set(watched.looks.flatMap(look => look.shown.map(({identity}) => identity)));
  // At the answer that tells the loss, and at the last.
  return missing.flatMap(({line, known}) =>
    [known.look.wholeSince, watched.looks.at(-1)?.wholeSince]
      .filter(
        wholeSince =>
          wholeSince !== undefined &&
          line.at - (line.at % stepWritten([known.look])) > wholeSince &&
          !shown.has(line.identity) &&
          !mayBeOutside(line, known, watched),
      )
      .slice(0, 1)
      .map(wholeSince => `whole since ${wholeSince}, and yet a line is missing: ${line.raw}`),
  );
};
