import {createBuffer, type LineBuffer, timeAtIndex} from '#log/buffer/buffer.ts';
import type {Entry, GapMarker} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {HeldFrom, HeldTo} from '#log/line/unread.ts';
import type {Texts} from '#log/window/texts.ts';
import type {Arrivals, WindowClaims} from '#log/window/window-claims.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {type Learned, learnedNothing} from './completeness/learned.ts';
import type {WindowVerdict} from './completeness.ts';
import {type Counted, noneCounted} from './merge/counts.ts';
import type {Numbered} from './numbered.ts';
import {noPodsWent, type Pod, type PodsWent} from './pods.ts';
import {type HeldSoFar, noHeldStamps} from './window/restamp.ts';

/** An item of an answer that was no line, by the lines beside it. */
type Item = {readonly after: string | undefined; readonly ahead: string | undefined};

/** The items of an answer that were no lines: an array, since several may stand beside each other. */
export type NotLines = readonly Item[];

export const noNotLines: NotLines = Object.freeze([]);

/**
 * Compares the items that are no lines with those of the answer before. `newCount`: so many stand neither after nor
 * ahead of the line that one stood beside before. One that was the last may have become the first. `places`: the index
 * of the line that follows each.
 */
export const compareNotLines = (
  before: NotLines,
  lines: Texts,
  places: readonly number[],
): {readonly notLines: NotLines; readonly newCount: number} => {
  const notLines = places.map(
    (place): Item => ({after: place === 0 ? undefined : lines.at(place - 1), ahead: lines.at(place)}),
  );
  const [byAfter, byAhead] = [indexBy(before, 'after'), indexBy(before, 'ahead')];
  const used = new Set<number>();
  let newCount = 0;
  for (const {after, ahead} of notLines) {
    const candidates = [
      ...(byAfter.get(after) ?? []),
      ...(after === undefined ? (byAhead.get(undefined) ?? []) : []),
      ...(ahead === undefined ? [] : (byAhead.get(ahead) ?? [])),
    ];
    const found = candidates.find(index => !used.has(index));
    if (found === undefined) {
      newCount += 1;
    } else {
      used.add(found);
    }
  }
  return {notLines, newCount};
};

const indexBy = (items: NotLines, side: keyof Item): ReadonlyMap<string | undefined, readonly number[]> =>
  Map.groupBy(items.keys(), index => items[index]?.[side]);

/** No known set of replicas returns an answer older than this many windows. */
const windowsMax = 16;
/** Large windows overlap more, so fewer are kept: this many lines take about 7 MB. */
const linesMax = 40_000;
/** The previous window is needed for comparison, and replicas that answer in turn show the one before it again. */
const windowsMin = 2;

/** Adds a window to the front of the recent ones and drops the oldest, and those that the buffer can answer for. */
export const rememberWindow = (
  recent: readonly ReadWindow[],
  now: ReadWindow,
  buffer: LineBuffer,
): readonly ReadWindow[] => {
  const kept: ReadWindow[] = [now];
  let lines = now.received.length;
  for (const window of recent) {
    lines += window.received.length;
    if (kept.length >= windowsMax || (kept.length >= windowsMin && lines > linesMax)) {
      break;
    }
    if (!isInBuffer(window, now, buffer)) {
      kept.push(window);
    }
  }
  return kept;
};

/**
 * Checks whether all lines of a window are in the newer half of a buffer so large that none of them can leave it while
 * the window would be remembered. What else a window is remembered for are lines without a timestamp, and a line that
 * was cut off.
 */
const isInBuffer = (window: ReadWindow, now: ReadWindow, buffer: LineBuffer): boolean => {
  const middle = Math.floor(buffer.entryCount / 2);
  const oldest = window.lines.timeAt(0);
  const middleAt = timeAtIndex(buffer, middle);
  return (
    middle > Math.max(linesMax, windowsMin * now.received.length) &&
    oldest !== undefined &&
    middleAt !== undefined &&
    oldest > middleAt &&
    window.fragment === undefined &&
    window.received.areStamped()
  );
};

/** What answers without numbers brought since the last one that had some. */
export type Unsettled = {
  readonly answers: number;
  /** What was guessed and is not told yet. */
  readonly guess: WindowVerdict;
  /** How many lines came, but for what may be a piece… */
  readonly cameCount: number;
  /** …and how many may have taken a number. */
  readonly shownCount: number;
  /** What is missing since the last numbers came no earlier. */
  readonly lostAfter: Instant;
  /** On what the log rested. */
  readonly proof: Proof;
};

/** The log of one branch, assembled from its windows. An immutable value: taking a window makes a new one. */
export type BranchLog = HeldSoFar & {
  /** The window of the last answer, empty or not; undefined before the first. */
  readonly before: ReadWindow | undefined;
  /** The service's clock at the last answer, if it gives one. */
  readonly serviceAt: Instant | undefined;
  /** The service's count at the last answer that had numbers, if it counts. */
  readonly arrivals: Arrivals | undefined;
  /** How many lines of its series came, each with a number of its own. */
  readonly taken: number;
  /** What its numbers told of the lines of the last answer. */
  readonly counted: Counted;
  /** The state of a numbered log; undefined while its lines have no numbers. */
  readonly numbered: Numbered | undefined;
  /** The last number of each series of before: an older replica still answers with them. */
  readonly olderSeries: ReadonlyMap<string, number>;
  /**
   * The series whose numbers contradict each other, and no longer prove that nothing is missing; its last number, which
   * still tells what is.
   */
  readonly distrusted: {readonly series: string; readonly last: number} | undefined;
  /** How the service cut its windows when it last said so. */
  readonly said: Pick<LogWindow, 'cut' | 'sources'>;
  /** Where the last answer had items that are no lines. */
  readonly notLines: NotLines;
  /** The answers without numbers since the last one with some. */
  readonly unsettled: Unsettled | undefined;
  readonly pods: readonly Pod[];
  readonly podsWent: PodsWent;
  /** The oldest line of the first window: the service held nothing older. */
  readonly horizon: Instant | undefined;
  /** How far back the log was read, as far as the last answer says. */
  readonly heldFrom: HeldFrom | undefined;
  /** Up to when it was read, if it is a part of a log that ends before the newest line. */
  readonly heldTo: HeldTo | undefined;
  /**
   * The time since which nothing is known to be missing; never earlier than a marker that says lines may be missing.
   */
  readonly wholeSince: Instant | undefined;
  /** On what `wholeSince` rests. Only a counted log may be called whole. */
  readonly proof: Proof;
  readonly gapCount: number;
  /** The gap that grows while consecutive polls bring no proof, and up to the first line after it. */
  readonly standingGap: GapMarker | undefined;
  /** The service's clock at the answer before the last gap, if it gives one. */
  readonly gapFrom: Instant | undefined;
  readonly learned: Learned;
};

/** Creates an empty log whose buffer holds at most about `bufferBytesMax` bytes. */
export const createBranchLog = (bufferBytesMax: number): BranchLog => ({
  buffer: createBuffer(bufferBytesMax),
  recent: [],
  possiblyNewerWindow: undefined,
  before: undefined,
  serviceAt: undefined,
  arrivals: undefined,
  taken: 0,
  counted: noneCounted,
  numbered: undefined,
  distrusted: undefined,
  olderSeries: new Map(),
  said: {},
  isReversed: false,
  heldStamps: noHeldStamps,
  pieces: new Map(),
  notLines: noNotLines,
  unsettled: undefined,
  pods: [],
  podsWent: noPodsWent,
  horizon: undefined,
  heldFrom: undefined,
  heldTo: undefined,
  wholeSince: undefined,
  proof: 'counted',
  gapCount: 0,
  standingGap: undefined,
  gapFrom: undefined,
  learned: learnedNothing,
});

/** No service begins so many series while a replica still answers with one of before, even one that crashes on end. */
const seriesMax = 64;

/** Remembers the last number of a series after which another one came. */
export const rememberSeries = (
  {olderSeries}: BranchLog,
  before: {readonly series: string; readonly last: number} | undefined,
  now: string | undefined,
): BranchLog['olderSeries'] =>
  before === undefined || now === undefined || before.series === now
    ? olderSeries
    : new Map([...olderSeries, [before.series, before.last] as const].slice(-seriesMax));

/** What is known of a log besides its entries, where it was held before. */
export type HeldFacts = Pick<BranchLog, 'horizon' | 'heldFrom' | 'heldTo' | 'wholeSince' | 'proof' | 'gapCount'> &
  Pick<LineBuffer, 'evictedLines' | 'evictedThrough' | 'tooLateLines' | 'nextId'>;

/** A log, or a part of it, as it was held: it takes the place of all that is held. */
export type KeptLog = {
  /** In order, each with the id that it had. */
  readonly blocks: Iterable<readonly Entry[]>;
  readonly facts: HeldFacts;
  /** Whatever was first shown by then is usual. */
  readonly learnedUntil: Instant | undefined;
};

/** One answer of the logs endpoint, as the engine needs it. */
export type LogWindow<T extends Texts = Texts> = WindowClaims & {
  readonly lines: T;
  readonly pods: readonly Pod[];
  /**
   * The index in `lines` of the line that follows each item of `data` that was no string; empty or left out if all
   * were.
   */
  readonly notLines?: readonly number[] | undefined;
  /** How streams ended, by the name of the pod that is gone with them. */
  readonly endings?: ReadonlyMap<string, string> | undefined;
  /** How far back the log was read, as far as that is known. */
  readonly heldFrom?: HeldFrom | undefined;
  /** Up to when it was read, if that is not its newest line. */
  readonly heldTo?: HeldTo | undefined;
  /** The lines are none that were written since, but from before the first ones. */
  readonly areEarlier?: boolean | undefined;
  /** The service's own clock at this answer, if it gives one. */
  readonly serviceAt?: Instant | undefined;
  /** The answer has no lines, but a log that was held before. */
  readonly kept?: KeptLog | undefined;
};
