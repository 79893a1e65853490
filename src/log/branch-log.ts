import {createBuffer, firstIndexWhere, type LineBuffer} from './buffer.ts';
import type {Entry, LineEntry} from './entry.ts';
import type {Instant} from './instant.ts';
import {mergeLines} from './merge.ts';
import {findOverlap} from './overlap.ts';
import {placeFrontAmong} from './place-front.ts';
import {comparePods, type Pod} from './pods.ts';
import {compareWindows, type Departure, judgeWindow, type Verdict} from './wholeness.ts';
import type {Arrivals, WindowCut} from './window-cut.ts';
import {type ReadWindow, readWindow, type WindowLine} from './window-line.ts';

/** For so many polls after a hole was seen, each pod's log is taken to be cut on its own. */
export const holesRememberedPolls = 20;

/** A pod leaves the list of pods and its lines leave the window not always in the same answer. */
const podWentRememberedPolls = 2;

/** The log of one branch, put together from its windows. A value: taking a window makes a new one. */
export type BranchLog = {
  readonly buffer: LineBuffer;
  /** The window before, undefined until the first came. */
  readonly before: ReadWindow | undefined;
  /** The window before that one: an answer of a lagging replica may show its lines again. */
  readonly beforeThat: ReadWindow | undefined;
  readonly pods: readonly Pod[];
  /** The oldest line of the first window: the service held nothing older. */
  readonly horizon: Instant | undefined;
  /** Since when nothing is missing: the horizon, or the first line after the last gap or quiet. */
  readonly wholeSince: Instant | undefined;
  readonly gapCount: number;
  readonly pollsSinceHole: number;
  readonly pollsSincePodWent: number;
};

export const createBranchLog = (bufferBytesMax: number): BranchLog => ({
  buffer: createBuffer(bufferBytesMax),
  before: undefined,
  beforeThat: undefined,
  pods: [],
  horizon: undefined,
  wholeSince: undefined,
  gapCount: 0,
  pollsSinceHole: Number.POSITIVE_INFINITY,
  pollsSincePodWent: Number.POSITIVE_INFINITY,
});

/** One answer of the logs endpoint, as the engine needs it. */
export type LogWindow = {
  readonly lines: readonly string[];
  readonly pods: readonly Pod[];
  /** How the service cuts its windows, where it or the user says so. */
  readonly cut?: WindowCut | undefined;
  /** Where the service numbers its lines. */
  readonly arrivals?: Arrivals | undefined;
};

export type WindowTaken = {
  readonly log: BranchLog;
  /** What this window brought, in the order in which it stands in the buffer: late lines, then markers, then newer lines. */
  readonly added: readonly Entry[];
  /** Late lines for which the buffer has no room any more; they are in no buffer. */
  readonly tooLate: readonly LineEntry[];
  readonly verdict: Verdict;
  /** The share of the window before that is still in this one, 0 to 1; 1 where there was none. */
  readonly overlapShare: number;
  /** Lines of the window before that left. */
  readonly leftCount: number;
  /** Each pod's log is taken to be cut on its own. */
  readonly cutsEachPod: boolean;
};

/** `full` merges every line of a window, as if nothing were known of it; both ways give the same buffer. */
export type MergePath = 'fast' | 'full';

/** Takes a window into a branch's log: merges its lines, judges whether anything may be missing, and puts markers in place. */
export const takeWindow = (log: BranchLog, window: LogWindow, path: MergePath = 'fast'): WindowTaken => {
  const {before} = log;
  const overlap = before === undefined ? 0 : findOverlap(before.raws, window.lines);
  const known = overlap > 0 ? before?.received.slice(-overlap) : [];
  const now = readWindow(window.lines, placeFrontAmong(log.buffer), known);
  const isFirst = before === undefined;
  const pods = isFirst ? {appeared: [], gone: []} : comparePods(log.pods, window.pods);
  const pollsSincePodWent = pods.gone.length > 0 ? 0 : log.pollsSincePodWent + 1;
  const podWent = pollsSincePodWent < podWentRememberedPolls;
  const isAligned = before?.cameSorted === true && now.cameSorted;
  const {edit, added, tooLate} = mergeLines({
    buffer: log.buffer,
    lines: now.lines,
    knownCount: isAligned && path === 'fast' ? overlap : 0,
    // The room of a pod that went goes to older lines of the others: they come again and are not late.
    wasSeen: podWent ? () => true : memberTest(before, log.beforeThat),
  });

  const newestHeld = log.buffer.newestLine?.at;
  const departure = before === undefined ? nothingLeft : compareWindows(before, now, overlap);
  const hasHoles = isPushedOut(departure, added, now, newestHeld);
  const pollsSinceHole = hasHoles && !podWent ? 0 : log.pollsSinceHole + 1;
  const cutsEachPod = pollsSinceHole < holesRememberedPolls;
  const newestHeldIsHere = newestHeld !== undefined && countAt(now.lines, newestHeld) > countAt(added, newestHeld);
  // `added` is ordered by time: late lines first, then those behind all that was held.
  const newerIndex =
    newestHeld === undefined
      ? 0
      : firstIndexWhere(added.length, index => {
          const at = added[index]?.at ?? newestHeld;
          return at > newestHeld || (at === newestHeld && !newestHeldIsHere);
        });
  const newer = newerIndex === 0 ? added : added.slice(newerIndex);
  const verdict = judgeWindow({
    before,
    now,
    departure,
    newestHeld,
    newestHeldIsHere,
    oldestNewer: newer[0]?.at,
    addedCount: added.length,
    podCount: window.pods.length,
    podWent,
    cutsEachPod,
  });

  const boundary = newestHeld ?? newer[0]?.at ?? 0n;
  const markers: readonly NewMarker[] = [
    ...pods.gone.map(({name}): NewMarker => ({kind: 'pod', at: boundary, change: 'gone', name, since: newestHeld})),
    ...pods.appeared.map(
      ({name}): NewMarker => ({kind: 'pod', at: boundary, change: 'appeared', name, since: undefined}),
    ),
    ...gapMarkers(verdict, newestHeld, newer[0]?.at),
  ];
  const heldAtBoundary = edit.entriesAt(boundary).length - countAt(newer, boundary);
  const placed = markers.map((marker, index) => {
    const entry: Entry = {...marker, id: edit.takeId()};
    // Behind all that was held and those before it, ahead of all that is newer.
    edit.insert(entry, marker.at === boundary ? heldAtBoundary + index : 0);
    return entry;
  });

  return {
    log: {
      buffer: edit.finish(),
      before: now,
      beforeThat: before,
      pods: window.pods,
      horizon: log.horizon ?? now.lines[0]?.at,
      wholeSince: wholeFrom(verdict, newer[0]?.at) ?? log.wholeSince ?? now.lines[0]?.at,
      gapCount: log.gapCount + (verdict.kind === 'gap' ? 1 : 0),
      pollsSinceHole,
      // Holes are what its lines leave behind: once seen, later ones are another's.
      pollsSincePodWent: podWent && departure.oldestHole !== undefined ? podWentRememberedPolls : pollsSincePodWent,
    },
    added: placed.length === 0 ? added : [...added.slice(0, newerIndex), ...placed, ...newer],
    tooLate,
    verdict,
    overlapShare: before === undefined || before.lines.length === 0 ? 1 : 1 - departure.leftCount / before.lines.length,
    leftCount: departure.leftCount,
    cutsEachPod,
  };
};

const nothingLeft: Departure = {leftCount: 0, oldestLeft: undefined, keepsNewest: true, oldestHole: undefined};

/**
 * Is a hole one that new lines pushed out? Where nothing came the answer is only an older one; so may one be that brings nothing
 * behind the newest line held, and of its newest time it may not have all.
 */
const isPushedOut = (
  {oldestHole}: Departure,
  added: readonly LineEntry[],
  now: ReadWindow,
  newestHeld: Instant | undefined,
): boolean => {
  const newestAdded = added.at(-1)?.at;
  const newest = now.lines.at(-1)?.at;
  if (oldestHole === undefined || newestAdded === undefined || newest === undefined) {
    return false;
  }
  return oldestHole < newest || newestHeld === undefined || newestAdded >= newestHeld;
};

/** How many of the lines, ordered by time, have exactly this time. */
const countAt = (lines: readonly {readonly at: Instant}[], at: Instant): number =>
  firstIndexWhere(lines.length, index => (lines[index]?.at ?? at) > at) -
  firstIndexWhere(lines.length, index => (lines[index]?.at ?? at) >= at);

/** From when on nothing is missing, where a window changes that. */
const wholeFrom = (verdict: Verdict, oldestNewer: Instant | undefined): Instant | undefined => {
  switch (verdict.kind) {
    case 'whole':
      return undefined;
    case 'quiet':
      return oldestNewer;
    case 'gap':
      return verdict.before;
    default:
      return verdict satisfies never;
  }
};

/** Markers before they have a number. */
type NewMarker = Exclude<Entry, LineEntry> extends infer M ? (M extends {id: number} ? Omit<M, 'id'> : never) : never;

const gapMarkers = (
  verdict: Verdict,
  newestHeld: Instant | undefined,
  at: Instant | undefined,
): readonly NewMarker[] => {
  switch (verdict.kind) {
    case 'whole':
      return [];
    case 'quiet':
      return newestHeld === undefined ? [] : [{kind: 'quiet', at: at ?? newestHeld, since: newestHeld}];
    case 'gap':
      return [{kind: 'gap', at: at ?? verdict.before, after: verdict.after, before: verdict.before}];
    default:
      return verdict satisfies never;
  }
};

const memberTest = (...windows: readonly (ReadWindow | undefined)[]): ((line: WindowLine) => boolean) => {
  let keys: Set<string> | undefined;
  return line => {
    keys ??= new Set(windows.flatMap(window => window?.lines.map(({key}) => key) ?? []));
    return keys.has(line.key);
  };
};
