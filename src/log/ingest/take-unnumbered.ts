import {firstIndexWhere} from '#log/buffer/buffer.ts';
import type {Entry, LineEntry} from '#log/line/entry.ts';
import {type Instant, latestOf} from '#log/line/instant.ts';
import {proofOf} from '#log/window/window-claims.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {WindowLine} from '#log/window/window-lines.ts';
import type {Work} from '#log/work.ts';
import {type Added, insertAdded, lineEntryOf} from './added.ts';
import {type BranchLog, compareNotLines, type LogWindow, rememberSeries, rememberWindow} from './branch-log.ts';
import {believableThrough, newestBelieved, oldestOfClock} from './completeness/believe.ts';
import {areAllNew, compareCounts, isAllCounted} from './completeness/counted.ts';
import {bannerLinesMax, createSeenCounter, findBanners} from './completeness/find-front.ts';
import {type Learned, learnFromWindow, learnLateness, learnTicks, mostOf, turnLearned} from './completeness/learned.ts';
import {extentOf, isCutAsOne, type KnownCut, shareOf} from './completeness/share.ts';
import {type JudgeInput, judgeWindow, unstampedIn, verdictOf, type WindowVerdict, whole} from './completeness.ts';
import {accountFor, countFirst} from './merge/account.ts';
import {compareFronts, showsNewer} from './merge/compare-fronts.ts';
import {countBanners, countGrown, countLeft, countWhole} from './merge/count-lines.ts';
import {noneCounted} from './merge/counts.ts';
import {type LineMerge, mergeLines} from './merge/merge.ts';
import {settle} from './merge/settle.ts';
import {placeMarkers} from './place-markers.ts';
import {comparePods, followPods, noPodChanges} from './pods.ts';
import {growLines} from './window/grow-lines.ts';
import {orderLines, readNext} from './window/read-next.ts';

export type WindowTaken = {
  readonly log: BranchLog;
  /** The entries that this window added, in buffer order: late lines, then markers, then newer lines. */
  readonly added: Added;
  /** Late lines older than anything still buffered; they are not stored. */
  readonly tooLate: readonly LineEntry[];
  readonly verdict: WindowVerdict;
  /** The share of the previous window that is still in this one, 0 to 1; 1 if there was none. */
  readonly overlapShare: number;
  /** Lines of the previous window that left. */
  readonly leftCount: number;
  /** Each source is assumed to be cut on its own: the service says so, or a hole was seen. */
  readonly cutsEachPod: boolean;
  /** This many lines may come in one poll without doubt. */
  readonly shareLines: number;
};

/**
 * Takes a window whose lines have no numbers into a branch's log. `showsLoss`: numbers that prove nothing else tell
 * that lines are missing.
 */
export function* ingestByOverlap(given: BranchLog, window: LogWindow, showsLoss = false): Work<WindowTaken> {
  const ordered = yield* orderLines(given, window.lines);
  const {raws, isReversed} = ordered;
  const next = yield* readNext(ordered.log, raws, window.serviceAt);
  const {now, overlap, heldStamps} = next;
  const believedThrough = believableThrough(now.lines, window.serviceAt);
  const newestNow = newestBelieved(now.lines, believedThrough);
  // Empty answers are skipped: compares with the last window that was not empty.
  const [last] = next.log.recent;
  const newestBefore = last === undefined ? undefined : newestBelieved(last.lines, believedThrough);
  const isFirst = given.before === undefined;
  const pods = isFirst ? noPodChanges : comparePods(given.pods, window.pods);
  const count = compareCounts(given.arrivals, window.arrivals, {
    didPodsGo: pods.gone.length > 0,
    isOfOlderSeries: (given.olderSeries.get(window.arrivals?.series ?? '') ?? -1) >= (window.arrivals?.last ?? 0),
    isNoNewer:
      newestNow === undefined ||
      (newestBefore !== undefined && (newestNow <= newestBefore || !showsNewer(next.log, now, window, newestBefore))),
    cameSince: given.unsettled?.cameCount,
  });
  const numbersTaken = countNumbers(given, window);
  const growth =
    given.unsettled === undefined && given.arrivals?.series === window.arrivals?.series ? numbersTaken : undefined;
  const joining = count.kind === 'joins' ? growth : undefined;
  const banners = yield* findBanners(last, now);
  const numberedCount = now.received.length - countBanners(now, banners.now) + (window.notLines?.length ?? 0);
  const areNew = growth !== undefined && areAllNew(given.arrivals, window.arrivals, numberedCount);
  const {log, grown} =
    areNew || (overlap > 0 && now.received.length - overlap <= (joining ?? Number.POSITIVE_INFINITY))
      ? {log: next.log, grown: []}
      : yield* growLines(next.log, now, joining);
  const before = log.recent[0];
  const wasEmpty = log.before !== undefined && log.before.received.length <= log.learned.bannerLines;
  const newestHeld = log.buffer.newestLine?.at;
  const isGuessed = count.kind === 'uncounted';
  const podsWent = followPods(log.podsWent, pods, log.pods.length, window.pods.length);
  const podsExplain = podsWent.mayExplain;
  const {departure, isOlder, stayedCount, front} = yield* compareFronts(log, now, {
    overlap,
    podsExplain,
    isGuessed,
    banners,
  });
  const isAligned = before?.cameSorted === true && now.cameSorted;
  const joinsBefore = count.kind === 'joins' || front.kind === 'held' || (isGuessed && departure.leftCount === 0);
  const merged = yield* mergeLines({
    buffer: log.buffer,
    lines: now.lines,
    isNew: ({raw}) => areNew && !banners.now.has(raw),
    knownCount: isAligned && !areNew ? overlap : 0,
    countSeen: createSeenCounter(log.recent, podsExplain),
    believedThrough,
    anchoredCount: isAligned && overlap > 0 ? overlap : joinsBefore ? now.lines.length : 0,
  });

  yield;
  const {edit, tooLate} = merged;
  const counted = window.arrivals;
  const {notLines, newCount: notLinesCount} = compareNotLines(
    log.notLines,
    now.raws,
    (window.notLines ?? []).map(place => (isReversed ? raws.length - place : place) - (raws.length - now.raws.length)),
  );
  const told = areNew
    ? undefined
    : accountFor(log, window, {
        ...{before: wasEmpty ? undefined : before, now, banners, merged, kind: count.kind},
        ...{itemCount: numberedCount, notLines: notLinesCount, isSettled: growth !== undefined},
      });
  const added = addLines(withoutKnown(merged, told?.known), told?.hidden ?? [], newestHeld);
  const cameCount = added.length + tooLate.length;
  const bannerCount = banners.now.size === 0 ? 0 : added.filter(({raw}) => banners.now.has(raw)).length;
  const isSameSeries = log.arrivals !== undefined && (counted?.series ?? log.arrivals.series) === log.arrivals.series;
  // Lines without a timestamp may be held elsewhere, unless there are no others.
  const hasStamp = now.received.hasStamp();
  const stamped = isSameSeries
    ? added.filter(({raw, textIndex}) => (textIndex !== 0) === hasStamp && !banners.now.has(raw))
    : [];
  const takenAtMost = isSameSeries
    ? log.taken + stamped.length
    : counted === undefined
      ? 0
      : Math.min(now.received.length - (hasStamp ? unstampedIn(now) : 0), counted.last);
  const numbersGiven = Math.max(counted?.last ?? 0, log.arrivals?.last ?? 0);
  // What was read while it was being written is no other line.
  const taken = takenAtMost > numbersGiven ? takenAtMost - countGrown(before, stamped) : takenAtMost;
  const newerCount = stamped.filter(({at}) => newestHeld === undefined || at > newestHeld).length;
  const lies =
    growth !== undefined &&
    // Each line has a number of its own.
    (taken > numbersGiven ||
      (count.kind === 'joins' && (told?.surplus ?? 0) > 0) ||
      count.kind === 'renumbered' ||
      (growth >= 0 &&
        (newerCount > growth ||
          // Nothing was dropped before or since, all lines had numbers, and yet one left.
          (hasStamp &&
            counted?.dropped === 0 &&
            log.arrivals?.dropped === 0 &&
            log.arrivals.last + banners.before.size === before?.received.length &&
            countLeft(before, now, cameCount - banners.now.size) > 0))));
  // An older answer brings nothing newer, and nothing follows from what it lacks.
  const isStale =
    (count.kind === 'stale' && !lies) ||
    (isGuessed &&
      departure.leftCount > 0 &&
      pods.gone.length === 0 &&
      notLinesCount === 0 &&
      (isOlder ||
        (cameCount === 0 && newestNow !== undefined && newestBefore !== undefined && newestNow < newestBefore)));
  if (isStale) {
    return staleTaken(
      {...log, taken: isSameSeries ? taken : log.taken, buffer: yield* edit.finishing()},
      insertAdded<Entry>(added, 0, grown),
      tooLate,
    );
  }
  const {newestLeft} = departure;
  const leftCount = isGuessed ? departure.leftCount : countLeft(before, now, cameCount);
  const cameNewer = newestLeft !== undefined && added.some(({at}) => at >= newestLeft);
  const learned = learnFromWindow(log.learned, {
    before,
    now,
    // A clock that moves is one, however far ahead.
    extent: extentOf(now, latestOf([believedThrough, added.at(-1)?.at])),
    podCount: window.pods.length,
    leftCount,
    cameCount,
    // When a pod goes away, lines may stay ahead of the lines of that pod: that does not make them a banner.
    bannerLines: leftCount > 0 && !podsExplain && stayedCount <= bannerLinesMax ? stayedCount : log.learned.bannerLines,
    // If nothing came that is newer than what left, this answer is older than the previous one.
    isMixed: departure.isMixed && !now.cameSorted,
    hasHole: departure.hasHole && cameNewer && !podsExplain,
    span: (newestNow ?? 0n) - (now.lines.timeAt(0) ?? newestNow ?? 0n),
    youngestLeft: wasEmpty || newestLeft === undefined || newestNow === undefined ? undefined : newestNow - newestLeft,
  });
  const {cut, sources} = lies ? {} : window.cut === undefined ? log.said : window;
  const said: KnownCut = {cut, sources, podCount: window.pods.length, sawHole: learned.sawHole};
  const input: JudgeInput = {
    before,
    earlier: log.recent.slice(1),
    wasEmpty,
    serviceBefore: log.serviceAt,
    serviceAt: window.serviceAt,
    now,
    said,
    count,
    front,
    departure,
    podsExplain,
    showsLoss,
    added,
    tooLate,
    newestBefore,
    newestNow,
    capacityBefore: mostOf(log.learned),
    learned: {...learned, cameLately: log.learned.cameLately},
  };
  // No one asks for the step of the first lines that come: they are all of their window.
  yield* learnTicks(now, before === undefined ? [] : added);
  const proof = proofOf({cut, sources, arrivals: lies ? undefined : window.arrivals});
  const shownCount = cameCount - bannerCount + notLinesCount;
  const judged = lies
    ? inDoubtSince(log.wholeSince, verdictOf(input, 'contradicted'))
    : // Each number is of a line, and the window has all that were taken.
      count.kind === 'joins' && numbersTaken > shownCount
      ? verdictOf(input, 'moved-on')
      : judgeWindow(input);
  const settled = lies
    ? {verdict: judged, proof, unsettled: undefined}
    : settle(log, window, {
        judged,
        count: count.kind,
        cameCount:
          log.arrivals === undefined ? cameCount : tooLate.length + countWhole(before, now, added) - bannerCount,
        shownCount,
        lostAfter: () => verdictOf(input, 'moved-on').after,
        proof,
      });
  const {unsettled} = settled;
  const hasUntold = notLinesCount > 0 && !isAllCounted(log.arrivals, window.arrivals, cameCount - bannerCount);
  const verdict = settled.verdict.kind === 'whole' && hasUntold ? verdictOf(input, 'not-lines') : settled.verdict;
  const podsAreRead = count.kind === 'joins' && count.podsAreRead;
  // Up to the first line after it a gap may go on, unless all that is missing was there.
  const mayGoOn = log.standingGap?.newLines === 0 && log.standingGap.reason !== 'not-lines';
  const open = mayGoOn && verdict.kind === 'whole' ? log.standingGap : undefined;
  const ended = added.some(({textIndex}) => textIndex !== 0) ? open : undefined;
  const followed =
    ended === undefined
      ? verdict
      : verdictOf({...input, serviceBefore: log.gapFrom ?? log.serviceAt}, ended.reason ?? 'moved-on');

  yield;
  const {placed, gap} = placeMarkers(edit, log, {
    verdict: followed.kind === 'gap' ? followed : verdict,
    pods,
    podsAreRead,
    added,
    areNew,
    newestHeld,
    newLines: cameCount,
    missingLines: ended
      ? 0
      : lies || numbersTaken <= shownCount - notLinesCount
        ? undefined
        : numbersTaken + notLinesCount - shownCount,
    lateness: learned.lateness.ever,
    newestLeft,
    proof: ended?.proof ?? proof,
  });
  const buffer = yield* edit.finishing();
  // A window that holds only its banner counts as empty.
  const isEmpty = now.received.length <= learned.bannerLines;
  const arrivals = lies ? undefined : (window.arrivals ?? log.arrivals);
  const countedBefore = isSameSeries ? log.counted : noneCounted;
  return {
    log: {
      buffer,
      recent: isEmpty ? log.recent : rememberWindow(log.recent, now, buffer),
      possiblyNewerWindow: isEmpty ? log.possiblyNewerWindow : doubted(log, cameCount, departure.leftCount),
      before: now,
      serviceAt: window.serviceAt ?? log.serviceAt,
      arrivals,
      // Where nothing was dropped all numbers are those of lines that are there.
      taken: counted?.dropped === 0 ? counted.last : taken,
      counted: arrivals === undefined ? noneCounted : (isSameSeries && told?.counted) || countFirst(now, countedBefore),
      numbered: undefined,
      olderSeries: rememberSeries(log, log.arrivals, window.arrivals?.series),
      distrusted: lies ? window.arrivals : log.distrusted,
      said: {cut, sources},
      isReversed,
      heldStamps,
      pieces: log.pieces,
      notLines,
      unsettled,
      pods: window.pods,
      // The lines of the pods that went away have left: what leaves at the next poll belongs to other pods.
      podsWent: departure.hasHole ? {...podsWent, inARow: 0} : podsWent,
      horizon: log.horizon ?? now.lines.timeAt(0),
      heldFrom: log.heldFrom,
      heldTo: log.heldTo,
      wholeSince: latestOf([
        log.wholeSince ?? firstWholeSince(now, window, learned),
        verdict.kind === 'whole' ? gap?.before : verdict.before,
        // The last lines of a pod that went away may be missing, up to now.
        pods.gone.length > 0 && !podsAreRead ? newestHeld : undefined,
      ]),
      proof: verdict.kind === 'gap' ? proof : settled.proof,
      gapCount: log.gapCount + (gap !== undefined && gap.grows !== true ? 1 : 0),
      standingGap: ended ? undefined : (gap ?? (isEmpty ? log.standingGap : open)),
      gapFrom: gap?.grows === true || verdict.kind !== 'gap' ? log.gapFrom : log.serviceAt,
      learned: isEmpty
        ? {...log.learned, bannerLines: learned.bannerLines}
        : turnLearned({
            ...learned,
            lateness: learnLateness(learned.lateness, {
              before,
              added,
              newestBefore,
              newestNow,
              sawLeave: learned.sawLeave,
              isBanner: ({raw}) => banners.now.has(raw),
            }),
          }),
    },
    added: insertAdded<Entry>(placed, 0, grown),
    tooLate,
    verdict,
    overlapShare: before === undefined || wasEmpty ? 1 : 1 - leftCount / before.lines.length,
    // Lines dropped by an empty answer are not reported again at each following one.
    leftCount: wasEmpty ? 0 : leftCount,
    cutsEachPod: cut === undefined ? learned.sawHole : cut !== 'branch',
    shareLines:
      window.arrivals === undefined && !isCutAsOne(said) ? shareOf(mostOf(learned), said).lines : now.lines.length,
  };
}

/** Counts the numbers taken since the last ones of the same series, but for the lines that were shown without any. */
const countNumbers = ({arrivals, unsettled}: BranchLog, window: LogWindow): number =>
  arrivals !== undefined && window.arrivals?.series === arrivals.series
    ? window.arrivals.last - arrivals.last - (unsettled?.shownCount ?? 0)
    : 0;

/** A time called whole by numbers that are no longer believed is in doubt. */
const inDoubtSince = (wholeSince: Instant | undefined, verdict: WindowVerdict): WindowVerdict =>
  verdict.kind === 'gap' && wholeSince !== undefined && wholeSince < verdict.after
    ? {...verdict, after: wholeSince}
    : verdict;

/** Leaves out lines that are known. */
const withoutKnown = (merged: LineMerge, known: ReadonlySet<LineEntry> = new Set()): LineMerge => {
  for (const entry of known) {
    merged.edit.remove(entry);
  }
  return known.size === 0 ? merged : {...merged, added: merged.added.filter(entry => !known.has(entry))};
};

/** Adds lines that are equal to others, after those. */
const addLines = (
  {edit, added}: LineMerge,
  lines: readonly WindowLine[],
  newestHeld: Instant | undefined,
): Added<LineEntry> =>
  lines.reduce<Added<LineEntry>>((all, line) => {
    const entry = lineEntryOf(line, edit.takeId(), newestHeld !== undefined && line.at < newestHeld, undefined);
    edit.insert(entry);
    const index = firstIndexWhere(all.length, each => (all.at(each)?.at ?? line.at) > line.at);
    return insertAdded<LineEntry>(all, index, [entry]);
  }, added);

/** Returns the window that this one may be older than, or undefined: an older one brings nothing and lacks lines. */
const doubted = (
  {possiblyNewerWindow, recent}: BranchLog,
  cameCount: number,
  leftCount: number,
): BranchLog['possiblyNewerWindow'] =>
  cameCount > 0 ? undefined : (possiblyNewerWindow ?? (leftCount > 0 ? recent[0] : undefined));

/** The state after an answer of which nothing is believed. */
export const nothingTaken = (log: BranchLog, shareLines: number): WindowTaken => ({
  log,
  added: [],
  tooLate: [],
  verdict: whole,
  overlapShare: 1,
  leftCount: 0,
  cutsEachPod: false,
  shareLines,
});

/** An answer that is older than the one before: its lines are taken, and nothing else of it is believed. */
const staleTaken = (log: BranchLog, added: Added, tooLate: readonly LineEntry[]): WindowTaken => ({
  ...nothingTaken(log, log.before?.lines.length ?? 0),
  ...{added, tooLate, cutsEachPod: log.said.cut === undefined ? log.learned.sawHole : log.said.cut !== 'branch'},
});

/**
 * Returns the time since which the first window is whole. If cut as one: since its first line. Otherwise: since the
 * newest of the sources' first lines, where a source that was cut shows at least a share.
 */
const firstWholeSince = (now: ReadWindow, window: LogWindow, learned: Learned): Instant | undefined => {
  const {cut, sources, pods, arrivals} = window;
  const said: KnownCut = {cut, sources, podCount: pods.length, sawHole: cut === undefined};
  if (isCutAsOne({...said, sawHole: false}) || arrivals?.dropped === 0) {
    return oldestOfClock(now.lines, window.serviceAt);
  }
  const share = shareOf(mostOf(learned), said).lines;
  const first = Math.max(0, now.lines.length - Math.max(1, Math.floor(share)));
  return oldestOfClock(now.lines, window.serviceAt, first);
};
