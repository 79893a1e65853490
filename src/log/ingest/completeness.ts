import type {GapReason, LineEntry} from '#log/line/entry.ts';
import {type Instant, laterOf, nanosPerSecond} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {eachLine} from '#log/window/window-lines.ts';
import {type Added, measureAdded} from './added.ts';
import type {Count} from './completeness/counted.ts';
import type {Departure} from './completeness/departure.ts';
import {bannerLinesMax, type WindowFront} from './completeness/find-front.ts';
import {gapRange, type WindowChange} from './completeness/gap-range.ts';
import {decimalsLost, isCutByLines, type Learned, latenessBesideOf, mostOf} from './completeness/learned.ts';
import {
  type Extent,
  isCutAsOne,
  isLessThanShare,
  type KnownCut,
  shareLinesMin,
  shareOf,
  showsClearlyLess,
  usualShareOf,
} from './completeness/share.ts';

/** The verdict of a window about the log between it and the previous one. */
export type WindowVerdict =
  | {readonly kind: 'whole'}
  /**
   * The service drops lines by age, and the windows do not join: what came and went from `after` to `before` is
   * unknowable.
   */
  | {readonly kind: 'quiet'; readonly after: Instant; readonly before: Instant}
  /** Lines from `after` to `before` may be missing, both ends included, since several lines may share one time. */
  | {readonly kind: 'gap'; readonly after: Instant; readonly before: Instant; readonly reason: GapReason};

export type JudgeInput = WindowChange & {
  /** Windows have been empty since `before`. */
  readonly wasEmpty: boolean;
  /** The known way in which the service cuts its windows. */
  readonly said: KnownCut;
  /** The verdict of the service's own numbers. */
  readonly count: Count;
  readonly front: WindowFront;
  readonly departure: Departure;
  /** A pod that went explains that its lines left. */
  readonly podsExplain: boolean;
  /** Numbers of a series that is not believed tell it. */
  readonly showsLoss: boolean;
  /** The lines that were never held because they came too late for the buffer. */
  readonly tooLate: readonly LineEntry[];
  /** The largest that windows have been, before this one. */
  readonly capacityBefore: Extent;
  /** The facts learned from the polls, except for the lateness of this window's lines. */
  readonly learned: Learned;
};

/** At most this many new lines of late: a nearly silent log, whose lines may be dropped by age. */
const quietLinesMax = 2;

export const whole = {kind: 'whole'} as const satisfies WindowVerdict;

/** Decides whether anything may be missing. Never uses the client's clock. The rules are in `docs/design.md`. */
export const judgeWindow = (input: JudgeInput): WindowVerdict => {
  const reason = reasonToDoubt(input);
  return reason === undefined ? whole : verdictOf(input, reason);
};

/** Returns the gap, or what may be one of a quiet log, where there is a reason to doubt. */
export const verdictOf = (input: JudgeInput, reason: GapReason): Exclude<WindowVerdict, typeof whole> => {
  const range = gapRange({
    ...input,
    podCount: input.said.podCount,
    isOne: isCutAsOne(input.said),
    lateness: input.learned.lateness,
    reason,
  });
  const {after, wentBack} = range;
  // The loss may be one of a source of which no line has come since.
  // A clock in the `date` header has whole seconds.
  const isCounted = input.count.kind !== 'uncounted' && input.serviceAt !== undefined;
  const before = isCounted ? laterOf(range.before, input.serviceAt + nanosPerSecond) : range.before;
  return mayBeQuiet(input)
    ? {kind: 'quiet', after, before}
    : {kind: 'gap', after, before, reason: wentBack && reason !== 'short-window' ? 'clock-back' : reason};
};

/** Returns why something may be missing, or undefined. Numbers decide alone; without them, rules guess. */
const reasonToDoubt = (input: JudgeInput): GapReason | undefined => {
  const {count, before} = input;
  switch (count.kind) {
    case 'joins':
    case 'stale':
      return undefined;
    case 'lost':
      return 'moved-on';
    case 'renumbered':
      return 'renumbered';
    case 'uncounted':
      return (
        (before === undefined ? firstReason(input) : guessReason(input, before)) ??
        (input.showsLoss ? 'moved-on' : undefined)
      );
    default:
      return count satisfies never;
  }
};

/**
 * Checks whether what came and went may have left by age: the window holds clearly less than others did, although a
 * full one always holds the same amount, and nothing shows that the log was busy.
 */
const mayBeQuiet = (input: JudgeInput): boolean => {
  const {departure, added, tooLate} = input;
  return (
    input.count.kind === 'uncounted' &&
    !input.showsLoss &&
    input.front.kind !== 'held' &&
    (input.wasEmpty || (departure.keptNone && added.length + tooLate.length <= quietLinesMax)) &&
    input.learned.cameLately <= quietLinesMax &&
    showsClearlyLess(input.capacityBefore, input.now)
  );
};

/**
 * Before the first answer nothing can be missing. After one that was empty, a window may be full unless no part of it
 * can be.
 */
const firstReason = (input: JudgeInput): GapReason | undefined =>
  input.wasEmpty && extentOfCame(input).lines >= shareLinesMin ? 'empty' : undefined;

const guessReason = (input: JudgeInput, before: ReadWindow): GapReason | undefined => {
  const {said, front, learned, departure, wasEmpty} = input;
  const came = extentOfCame(input);
  if (came.lines === 0) {
    return undefined;
  }
  const isOne = isCutAsOne(said);
  const capacity = mostOf(learned);
  const isBelowShare = isLessThanShare(shareOf(capacity, said), came, isCutByLines(learned));
  const oldestBefore = before.lines.timeAt(0);
  const oldestNew = input.added.at(0)?.at;
  const reachesBack = oldestBefore !== undefined && oldestNew !== undefined && oldestNew < oldestBefore;
  const isAllThere = departure.leftCount === 0 && !(isOne && departure.copiesInDoubt > 0) && !reachesBack && !wasEmpty;
  if (isAllThere && (isOne || !learned.sawLeave || isBelowShare)) {
    return undefined;
  }
  if (isTaken(input, came, usualShareOf(input.capacityBefore, said))) {
    return 'source-gone';
  }
  if (said.cut !== undefined && !isOne) {
    // A part that lost lines shows a whole share of new ones. Lines that left prove nothing: a quiet part may burst
    // past its share.
    // If nothing stayed, those that left left by age, and others may have come and left.
    const keptNone = departure.leftCount >= before.received.length && !input.podsExplain;
    return keptNone ? (wasEmpty ? 'empty' : 'moved-on') : isBelowShare ? hiddenLate(input) : 'share';
  }
  // If the branch is cut as one, nothing newer than the front can have left. A few lines that stayed all the same, or
  // that were held of before, were sent a second time.
  const wasSentAgain =
    departure.keptNone ||
    (isOne && departure.hasHole && before.received.length - departure.leftCount <= bannerLinesMax);
  const isPassed =
    front.kind === 'held' && wasSentAgain && !input.podsExplain && (departure.newestLeft ?? 0n) > front.line.at;
  if (front.kind !== 'held' || isPassed) {
    return wasEmpty ? 'empty' : 'moved-on';
  }
  return !isOne && !isBelowShare ? 'unproven' : hiddenLate(input);
};

/**
 * Checks whether lines left that no count can have pushed out: by count, a line leaves only after a share of lines has
 * followed it. Late lines may have followed without being newer, and lines without a timestamp may be others.
 */
const isTaken = (
  {said, departure, podsExplain, learned, now, added}: JudgeInput,
  came: Extent,
  share: Extent,
): boolean => {
  const {taken} = departure;
  if (taken === undefined || podsExplain) {
    return false;
  }
  const {last, after, olderCount} = taken;
  // The beginning of a new line did not leave: it may have been a piece of it.
  if (added.some(({raw}) => raw.startsWith(last))) {
    return false;
  }
  if (olderCount === 0 && learned.sawMixed && isCutAsOne(said)) {
    return false;
  }
  const lateCount = learned.lateness.ever === 0n ? 0 : olderCount;
  return (
    after.lines + came.lines + lateCount + unstampedIn(now) < Math.floor(share.lines) &&
    (isCutByLines(learned) || after.characters + came.characters < share.characters)
  );
};

/** Counts the lines of a window that have no timestamp. */
export const unstampedIn = ({received}: ReadWindow): number =>
  received.areStamped() ? 0 : [...eachLine(received)].filter(([, {textIndex}]) => textIndex === 0).length;

/** Returns `short-window` if lines later than the window is long may have come, which no window shows. */
const hiddenLate = ({before, now, newestNow, newestBefore, learned, added}: JudgeInput): GapReason | undefined => {
  const frontAt = now.lines.timeAt(0);
  if (!now.cameSorted || frontAt === undefined || newestBefore === undefined || newestNow === undefined) {
    return undefined;
  }
  const span = newestNow - frontAt;
  if (learned.lateness.isShown && span < latenessBesideOf(learned.lateness)) {
    return 'short-window';
  }
  // Late lines that reach down to the front came with others that are cut off.
  const late = stampedBefore(added, newestBefore);
  const [first, last] = [late[0], late.at(-1)];
  if (first === undefined || last === undefined || late.length < lateLinesMin || first.at < frontAt) {
    return undefined;
  }
  // If stamps have lost decimals, lines may have been later than their stamps.
  if (decimalsLost(before, added) > 0n) {
    return undefined;
  }
  // A slow clock yields no more lines than time has passed; several slow clocks leave much room between them.
  const lateSpan = last.at - first.at;
  const hasRoom = late.some(({at}, index) => 2n * (at - (late[index - 1]?.at ?? at)) > lateSpan);
  const isBatch = lateSpan >= 2n * (newestNow - newestBefore) && !hasRoom;
  return isBatch && first.at - frontAt <= (2n * lateSpan) / BigInt(late.length - 1) ? 'short-window' : undefined;
};

/** They are ordered by time. */
const stampedBefore = (lines: Added<LineEntry>, end: Instant): readonly LineEntry[] => {
  const found: LineEntry[] = [];
  for (const line of lines) {
    if (line.at >= end) {
      break;
    }
    if (line.textIndex !== 0) {
      found.push(line);
    }
  }
  return found;
};

/** This many late lines at once are a batch that something collected. */
const lateLinesMin = 3;

const extentOfCame = ({added, tooLate, now}: JudgeInput): Extent & {readonly longest: number} => {
  const count = added.length + tooLate.length;
  const [came, late] = [measureAdded(added), measureAdded(tooLate)];
  return {
    lines: count === 0 ? 0 : count + now.guessedCount,
    characters: came.characters + late.characters,
    longest: Math.max(came.longest, late.longest),
  };
};
