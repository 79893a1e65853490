import {createBuffer, entryAt, firstIndexWhere, indexAtOrAfter, type LineBuffer} from '../buffer/buffer.ts';
import type {BufferEdit} from '../buffer/buffer-edit.ts';
import type {Entry, GapMarker, LineEntry} from '../line/entry.ts';
import {earliestOf, type Instant, latestOf} from '../line/instant.ts';
import type {Arrivals, WindowCut} from '../line/window-cut.ts';
import {type ReadWindow, readWindow} from '../line/window-line.ts';
import {eachLine} from '../line/window-lines.ts';
import {believableThrough, newestBelieved} from '../wholeness/believe.ts';
import {createCopyCounter, createSeenCounter} from '../wholeness/copy-counter.ts';
import {compareWindows, type Departure} from '../wholeness/departure.ts';
import {countStayed, type FrontInput, findBanners, findFront, type WindowFront} from '../wholeness/find-front.ts';
import {latenessOf, learnLateness} from '../wholeness/lateness.ts';
import {type Learned, learnedNothing, learnFromWindow, mostOf, turnLearned} from '../wholeness/learned.ts';
import {isCutAsOne, shareOf} from '../wholeness/share.ts';
import {judgeArrivals, judgeWindow, type Verdict} from '../wholeness/wholeness.ts';
import {finishWork, type Work} from '../work/work.ts';
import {beginsInsideLine} from './begins-inside-line.ts';
import {matchRunsIn} from './match-runs.ts';
import {identityWithin, mergeLines} from './merge.ts';
import {findOverlap} from './overlap.ts';
import {placeFrontAmong} from './place-front.ts';
import {comparePods, type Pod, type PodChanges} from './pods.ts';
import {followPods, noPodsWent, type PodsWent} from './pods-went.ts';
import {rememberWindow} from './recent-windows.ts';

/** The log of one branch, assembled from its windows. An immutable value: taking a window makes a new one. */
export type BranchLog = {
  readonly buffer: LineBuffer;
  /** The last windows that were not empty, newest first: lagging replicas may show their lines again. */
  readonly recent: readonly ReadWindow[];
  /** The window of the last answer, empty or not; undefined before the first. */
  readonly before: ReadWindow | undefined;
  /** The service's clock, if it gives one, when it first answered with an empty window while nothing was held. */
  readonly emptyAt: Instant | undefined;
  /** What the service had counted at the last answer, if it counts. */
  readonly arrivals: Arrivals | undefined;
  readonly pods: readonly Pod[];
  readonly podsWent: PodsWent;
  /** The oldest line of the first window: the service held nothing older. */
  readonly horizon: Instant | undefined;
  /**
   * The time since which nothing is known to be missing; never earlier than a marker that says lines may be missing.
   */
  readonly wholeSince: Instant | undefined;
  readonly gapCount: number;
  /** The gap that grows while consecutive polls bring no proof. */
  readonly standingGap: GapMarker | undefined;
  readonly learned: Learned;
};

/** Creates an empty log whose buffer holds at most about `bufferBytesMax` bytes. */
export const createBranchLog = (bufferBytesMax: number): BranchLog => ({
  buffer: createBuffer(bufferBytesMax),
  recent: [],
  before: undefined,
  emptyAt: undefined,
  arrivals: undefined,
  pods: [],
  podsWent: noPodsWent,
  horizon: undefined,
  wholeSince: undefined,
  gapCount: 0,
  standingGap: undefined,
  learned: learnedNothing,
});

/** One answer of the logs endpoint, as the engine needs it. */
export type LogWindow = {
  readonly lines: readonly string[];
  readonly pods: readonly Pod[];
  /** How the service cuts its windows, if it or the user says so. */
  readonly cut?: WindowCut | undefined;
  /** Set if the service numbers its lines. */
  readonly arrivals?: Arrivals | undefined;
  /** The service's own clock at this answer, if it gives one. */
  readonly serviceAt?: Instant | undefined;
};

export type WindowTaken = {
  readonly log: BranchLog;
  /** What this window added, in buffer order: late lines, then markers, then newer lines. */
  readonly added: readonly Entry[];
  /** Late lines older than anything still buffered; they are not stored. */
  readonly tooLate: readonly LineEntry[];
  readonly verdict: Verdict;
  /** The share of the previous window that is still in this one, 0 to 1; 1 if there was none. */
  readonly overlapShare: number;
  /** Lines of the previous window that left. */
  readonly leftCount: number;
  /** Each source is assumed to be cut on its own: the service says so, or a hole was seen. */
  readonly cutsEachPod: boolean;
  /** This many lines may come in one poll without doubt. */
  readonly shareLines: number;
};

/** `full` merges every line of a window, as if nothing were known of it; both paths give the same buffer. */
export type MergePath = 'fast' | 'full';

/** Takes a window into a branch's log: merges its lines, judges whether anything may be missing, and places markers. */
export const takeWindow = (log: BranchLog, window: LogWindow, path: MergePath = 'fast'): WindowTaken =>
  finishWork(takingWindow(log, window, path));

/** `takeWindow` as work that may pause: a window of 60 MB takes a second. */
export function* takingWindow(log: BranchLog, window: LogWindow, path: MergePath = 'fast'): Work<WindowTaken> {
  // Empty answers are skipped: compares with the last window that was not empty.
  const before = log.recent[0];
  const wasEmpty = log.before !== undefined && log.before.received.length <= log.learned.bannerLines;
  const {now, overlap} = yield* readNext(log, before, window.lines);
  const isFirst = log.before === undefined;
  const pods = isFirst ? {appeared: [], gone: []} : comparePods(log.pods, window.pods);
  const podsWent = followPods(log.podsWent, pods, log.pods.length, window.pods.length);
  const podsExplain = podsWent.mayExplain;
  const believedThrough = believableThrough(now.lines, window.serviceAt);
  const newestNow = newestBelieved(now.lines, believedThrough);
  const newestBefore = before === undefined ? undefined : newestBelieved(before.lines, believedThrough);
  const newestHeld = log.buffer.newestLine?.at;

  const departure = before === undefined ? nothingLeft : yield* compareWindows(before, now, overlap);
  const stayedCount = before === undefined || departure.leftCount === 0 ? 0 : yield* countStayed(before, now);
  const front: WindowFront =
    before === undefined
      ? {kind: 'none'}
      : yield* findFront({
          before,
          now,
          stayedCount: podsExplain ? Math.min(stayedCount, log.learned.bannerLines) : stayedCount,
          countHeld: createHeldCounter(log),
        });
  const isAligned = before?.cameSorted === true && now.cameSorted;
  const joinsBefore = front.kind === 'held' || departure.leftCount === 0;
  const {edit, added, tooLate} = yield* mergeLines({
    buffer: log.buffer,
    lines: now.lines,
    knownCount: isAligned && path === 'fast' ? overlap : 0,
    countSeen: createSeenCounter(log.recent, podsExplain),
    believedThrough,
    anchoredCount: isAligned && overlap > 0 ? overlap : joinsBefore ? now.lines.length : 0,
  });

  yield;
  const {newestLeft} = departure;
  const cameNewer = newestLeft !== undefined && added.some(({at}) => at > newestLeft);
  const learned = learnFromWindow(log.learned, {
    now,
    podCount: window.pods.length,
    believedThrough,
    didLeave: departure.leftCount > 0,
    // When a pod goes away, lines may stay ahead of the lines of that pod: that does not make them a banner.
    bannerLines: departure.leftCount > 0 && !podsExplain ? stayedCount : log.learned.bannerLines,
    // If nothing came that is newer than what left, this answer is older than the previous one.
    hasHole: departure.hasHole && cameNewer && !podsExplain,
  });
  const share = shareOf(mostOf(learned), window.cut, {sawHole: learned.sawHole, podCount: window.pods.length});
  const {joins, podsAreRead} = judgeArrivals(log.arrivals, window.arrivals, pods.gone.length > 0);
  const verdict = judgeWindow({
    before,
    wasEmpty,
    emptyAt: log.emptyAt,
    now,
    cut: window.cut,
    joins,
    front,
    departure,
    added,
    tooLate,
    newestBefore,
    newestNow,
    share,
    learned,
  });

  yield;
  const {placed, gap} = placeMarkers(edit, log, {
    verdict,
    pods,
    podsAreRead,
    added,
    newestHeld,
    newLines: added.length + tooLate.length,
    lateness: latenessOf(learned.lateness),
    newestLeft,
  });
  const buffer = yield* edit.finishing();
  const banners = yield* findBanners(before, now);
  // A window that holds only its banner counts as empty.
  const isEmpty = now.received.length <= learned.bannerLines;
  return {
    log: {
      buffer,
      recent: isEmpty ? log.recent : rememberWindow(log.recent, now, buffer),
      before: now,
      emptyAt: log.emptyAt ?? (isFirst && isEmpty ? window.serviceAt : undefined),
      // A loss that no line has shown yet is kept until the first line that does.
      arrivals:
        window.arrivals === undefined || (joins === false && added.length === 0) ? log.arrivals : window.arrivals,
      pods: window.pods,
      // The lines of the pods that went away have left: what leaves at the next poll belongs to other pods.
      podsWent: departure.hasHole ? {...podsWent, inARow: 0} : podsWent,
      horizon: log.horizon ?? now.lines.timeAt(0),
      wholeSince: latestOf([
        log.wholeSince ?? firstWholeSince(now, window, learned),
        verdict.kind === 'whole' ? undefined : verdict.before,
        // The last lines of a pod that went away may be missing, up to now.
        pods.gone.length > 0 && !podsAreRead ? newestHeld : undefined,
      ]),
      gapCount: log.gapCount + (gap !== undefined && gap.grows !== true ? 1 : 0),
      standingGap: gap ?? (isEmpty ? log.standingGap : undefined),
      learned: isEmpty
        ? {...log.learned, bannerLines: learned.bannerLines}
        : turnLearned({
            ...learned,
            lateness: learnLateness(learned.lateness, {
              before,
              added,
              newestBefore,
              newestNow,
              isBanner: ({raw}) => banners.has(raw),
            }),
          }),
    },
    added: placed,
    tooLate,
    verdict,
    overlapShare: before === undefined || wasEmpty ? 1 : 1 - departure.leftCount / before.lines.length,
    // What an empty answer dropped is not reported again at each following one.
    leftCount: wasEmpty ? 0 : departure.leftCount,
    cutsEachPod: window.cut === undefined ? learned.sawHole : window.cut !== 'branch',
    shareLines: window.arrivals === undefined && !isCutAsOne(window.cut, share) ? share.lines : now.lines.length,
  };
}

/** Parses a window using the previous one: what both share is already known. */
function* readNext(
  log: BranchLog,
  before: ReadWindow | undefined,
  lines: readonly string[],
): Work<{readonly now: ReadWindow; readonly overlap: number}> {
  const placeFront = placeFrontAmong(log.buffer);
  if (before === undefined) {
    return {now: yield* readWindow(lines, placeFront), overlap: 0};
  }
  const fragment = beginsInsideLine(log.recent, lines) ? lines[0] : undefined;
  const raws = fragment === undefined ? lines : lines.slice(1);
  const found = yield* findOverlap(before.raws, raws);
  // Lines without a timestamp can be equal by chance: an overlap of only such lines does not count.
  const known = {lines: before.received, from: before.received.length - found};
  return eachLine(known.lines, known.from).some(([, {textIndex}]) => textIndex !== 0)
    ? {now: yield* readWindow(raws, placeFront, {known, fragment}), overlap: found}
    : {now: yield* readWindow(raws, placeFront, {matchRun: matchRunsIn(log.recent, raws), fragment}), overlap: 0};
}

const nothingLeft: Departure = {leftCount: 0, newestLeft: undefined, keptNone: false, hasHole: false, copiesInDoubt: 0};

/** Creates a function that counts the copies of a line that are held or were recently; it stops at `enough`. */
const createHeldCounter = ({buffer, recent}: BranchLog): FrontInput['countHeld'] => {
  const counters = recent.map(createCopyCounter);
  return (line, enough) => {
    let most = 0;
    for (const countCopies of counters) {
      most = Math.max(most, countCopies(line));
      if (most >= enough) {
        return most;
      }
    }
    const identity = identityWithin(line);
    let held = 0;
    for (let index = indexAtOrAfter(buffer, line.at); ; index++) {
      const entry = entryAt(buffer, index);
      if (entry?.at !== line.at) {
        return Math.max(most, held);
      }
      held += entry.kind === 'line' && identityWithin(entry) === identity ? 1 : 0;
    }
  };
};

/**
 * Returns the time since which the first window is whole. If cut as one: since its first line. Otherwise: since the
 * newest of the sources' first lines, where a source that was cut shows at least a share.
 */
const firstWholeSince = (now: ReadWindow, {cut, pods, arrivals}: LogWindow, learned: Learned): Instant | undefined => {
  const share = shareOf(mostOf(learned), cut, {sawHole: cut === undefined, podCount: pods.length});
  if (isCutAsOne(cut, share) || arrivals?.dropped === 0) {
    return now.lines.timeAt(0);
  }
  return now.lines.timeAt(Math.max(0, now.lines.length - Math.max(1, Math.floor(share.lines))));
};

/** Markers before they get an id. */
type NewMarker = Exclude<Entry, LineEntry> extends infer M ? (M extends {id: number} ? Omit<M, 'id'> : never) : never;

type MarkersInput = {
  readonly verdict: Verdict;
  readonly pods: PodChanges;
  /** No line of a pod that went away is missing. */
  readonly podsAreRead: boolean;
  readonly added: readonly LineEntry[];
  readonly newestHeld: Instant | undefined;
  readonly newLines: number;
  readonly lateness: Instant;
  /** The newest time of the lines that left. */
  readonly newestLeft: Instant | undefined;
};

/**
 * Inserts the markers of a window, after everything that was held and before everything newer; a gap that continues
 * replaces the standing one.
 */
const placeMarkers = (
  edit: BufferEdit,
  log: BranchLog,
  {verdict, pods, podsAreRead, added, newestHeld, newLines, lateness, newestLeft}: MarkersInput,
): {readonly placed: readonly Entry[]; readonly gap: GapMarker | undefined} => {
  // `added` is ordered by time: late lines first, then those later than everything that was held.
  const newerIndex =
    newestHeld === undefined
      ? 0
      : firstIndexWhere(added.length, index => (added[index]?.at ?? newestHeld) > newestHeld);
  const newer = newerIndex === 0 ? added : added.slice(newerIndex);
  const boundary = newestHeld ?? newer[0]?.at ?? 0n;
  const markAt = newer[0]?.at ?? added[0]?.at ?? boundary;
  const grown = growGap(edit, log.standingGap, verdict, newLines);
  // The clock of a pod that went away may have been behind.
  const since = newestHeld === undefined ? undefined : earliestOf([newestHeld - lateness, newestLeft]);
  const doubt = podsAreRead ? {since: undefined, isWhole: true} : {since};
  const markers: readonly NewMarker[] = [
    ...pods.gone.map(({name}): NewMarker => ({kind: 'pod', at: boundary, change: 'gone', name, ...doubt})),
    ...pods.appeared.map(
      ({name}): NewMarker => ({kind: 'pod', at: boundary, change: 'appeared', name, since: undefined}),
    ),
    ...(grown === undefined ? verdictMarkers(verdict, markAt, newLines) : []),
  ];
  const heldAtBoundary = edit.entriesAt(boundary).length - countAt(newer, boundary);
  const placed = markers.map((marker, index): Entry => {
    const entry: Entry = {...marker, id: edit.takeId()};
    edit.insert(entry, marker.at === boundary ? heldAtBoundary + index : 0);
    return entry;
  });
  const all = grown === undefined ? placed : [...placed, grown];
  // Late lines also came after the gap. If everything is older than what was held, a clock went back.
  const markIndex = verdict.kind === 'gap' || (newer.length === 0 && verdict.kind === 'quiet') ? 0 : newerIndex;
  return {
    placed: all.length === 0 ? added : [...added.slice(0, markIndex), ...all, ...added.slice(markIndex)],
    gap: grown ?? placed.find(entry => entry.kind === 'gap'),
  };
};

/** Extends the standing gap if this verdict again brings no proof. Returns undefined if there is nothing to extend. */
const growGap = (
  edit: BufferEdit,
  standing: GapMarker | undefined,
  verdict: Verdict,
  newLines: number,
): GapMarker | undefined => {
  if (standing === undefined || verdict.kind !== 'gap') {
    return undefined;
  }
  const grown: GapMarker = {
    ...standing,
    after: verdict.after < standing.after ? verdict.after : standing.after,
    before: verdict.before > standing.before ? verdict.before : standing.before,
    reason: verdict.reason,
    newLines,
    grows: true,
  };
  return edit.replace(grown) ? grown : undefined;
};

const verdictMarkers = (verdict: Verdict, at: Instant, newLines: number): readonly NewMarker[] => {
  switch (verdict.kind) {
    case 'whole':
      return [];
    case 'quiet':
      return [{kind: 'quiet', at, since: verdict.after}];
    case 'gap':
      return [{kind: 'gap', at, after: verdict.after, before: verdict.before, reason: verdict.reason, newLines}];
    default:
      return verdict satisfies never;
  }
};

/** Counts the lines with exactly this time; `lines` is ordered by time. */
const countAt = (lines: readonly {readonly at: Instant}[], at: Instant): number =>
  firstIndexWhere(lines.length, index => (lines[index]?.at ?? at) > at) -
  firstIndexWhere(lines.length, index => (lines[index]?.at ?? at) >= at);
