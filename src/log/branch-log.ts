import {createBuffer, type LineBuffer} from './buffer.ts';
import type {BufferEdit} from './buffer-edit.ts';
import type {Entry, LineEntry} from './entry.ts';
import type {Instant} from './instant.ts';
import {mergeLines} from './merge.ts';
import {findOverlap} from './overlap.ts';
import {placeFrontAmong} from './place-front.ts';
import {comparePods, type Pod} from './pods.ts';
import {compareWindows, judgeWindow, type Verdict} from './wholeness.ts';
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
  pods: [],
  horizon: undefined,
  wholeSince: undefined,
  gapCount: 0,
  pollsSinceHole: Number.POSITIVE_INFINITY,
  pollsSincePodWent: Number.POSITIVE_INFINITY,
});

/** One answer of the logs endpoint, as the engine needs it. */
export type LogWindow = {readonly lines: readonly string[]; readonly pods: readonly Pod[]};

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
  const now = readWindow(window.lines, placeFrontAmong(log.buffer, before, overlap));
  const isAligned = before?.cameSorted === true && now.cameSorted;
  const {edit, added, tooLate} = mergeLines({
    buffer: log.buffer,
    lines: now.lines,
    knownCount: isAligned && path === 'fast' ? overlap : 0,
    wasInWindowBefore: memberTest(before),
  });

  const newestHeld = log.buffer.newestLine?.at;
  const isFirst = before === undefined;
  const departure = before === undefined ? nothingLeft : compareWindows(before, now, overlap);
  const pods = isFirst ? {appeared: [], gone: []} : comparePods(log.pods, window.pods);
  const pollsSincePodWent = pods.gone.length > 0 ? 0 : log.pollsSincePodWent + 1;
  const podWent = pollsSincePodWent < podWentRememberedPolls;
  const pollsSinceHole = departure.hasHoles && !podWent ? 0 : log.pollsSinceHole + 1;
  const cutsEachPod = pollsSinceHole < holesRememberedPolls;
  const newer = added.filter(entry => newestHeld === undefined || entry.at > newestHeld);
  const verdict = judgeWindow({
    before,
    now,
    departure,
    newestHeld,
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
  const placed = markers.map(marker => placeMarker(edit, marker, newestHeld));
  const late = added.slice(0, added.length - newer.length);

  return {
    log: {
      buffer: edit.finish(),
      before: now,
      pods: window.pods,
      horizon: log.horizon ?? now.lines[0]?.at,
      wholeSince: verdict.kind === 'whole' ? (log.wholeSince ?? now.lines[0]?.at) : (newer[0]?.at ?? log.wholeSince),
      gapCount: log.gapCount + (verdict.kind === 'gap' ? 1 : 0),
      pollsSinceHole,
      pollsSincePodWent,
    },
    added: [...late, ...placed, ...newer],
    tooLate,
    verdict,
    overlapShare: before === undefined || before.lines.length === 0 ? 1 : 1 - departure.leftCount / before.lines.length,
    leftCount: departure.leftCount,
    cutsEachPod,
  };
};

const nothingLeft = {leftCount: 0, oldestLeft: undefined, hasHoles: false};

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

/** Between what was held and what is newer: behind all entries of the newest time held, or before those of the first new time. */
const placeMarker = (edit: BufferEdit, marker: NewMarker, newestHeld: Instant | undefined): Entry => {
  const entry: Entry = {...marker, id: edit.takeId()};
  edit.insert(entry, marker.at === newestHeld ? Number.POSITIVE_INFINITY : 0);
  return entry;
};

const memberTest = (window: ReadWindow | undefined): ((line: WindowLine) => boolean) => {
  let keys: Set<string> | undefined;
  return line => {
    keys ??= new Set(window?.lines.map(({key}) => key));
    return keys.has(line.key);
  };
};
