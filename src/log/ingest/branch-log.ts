import {createBuffer} from '#log/buffer/buffer.ts';
import type {GapMarker} from '#log/line/entry.ts';
import type {HeldFrom} from '#log/line/held-from.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {HeldTo} from '#log/line/unread.ts';
import type {Texts} from '#log/window/texts.ts';
import type {Arrivals, WindowClaims} from '#log/window/window-claims.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {noPodsWent, type PodsWent} from '../merge/pods-went.ts';
import type {HeldSoFar} from '../window/held-so-far.ts';
import {type NotLines, noNotLines} from '../window/not-lines.ts';
import {type Learned, learnedNothing} from './completeness/learned.ts';
import type {WindowVerdict} from './completeness.ts';
import type {Numbered} from './numbered.ts';
import type {Pod} from './pods.ts';
import {noHeldStamps} from './window/restamp.ts';

/** The log of one branch, assembled from its windows. An immutable value: taking a window makes a new one. */
export type BranchLog = HeldSoFar & {
  /** The window of the last answer, empty or not; undefined before the first. */
  readonly before: ReadWindow | undefined;
  /** The service's clock at the last answer, if it gives one. */
  readonly serviceAt: Instant | undefined;
  /** What the service had counted at the last answer that had numbers, if it counts. */
  readonly arrivals: Arrivals | undefined;
  /** Since a number was taken last, lines came that were not held. */
  readonly cameUntold: boolean;
  /** What was read of a log whose lines have numbers; undefined while they have none. */
  readonly numbered: Numbered | undefined;
  /** The last number of each series of before: an older replica still answers with them. */
  readonly olderSeries: ReadonlyMap<string, number>;
  /** The series whose numbers contradict each other, and are not believed any more. */
  readonly distrusted: string | undefined;
  /** How the service cut its windows when it last said so. */
  readonly said: Pick<LogWindow, 'cut' | 'sources'>;
  /** Where the last answer had items that are no lines. */
  readonly notLines: NotLines;
  /** What answers without numbers looked like since the last one with some, and how many lines came: see `settle`. */
  readonly unsettled:
    | {readonly guess: WindowVerdict; readonly cameCount: number; readonly answers: number; readonly proof: Proof}
    | undefined;
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
  /** The gap that grows while consecutive polls bring no proof. */
  readonly standingGap: GapMarker | undefined;
  readonly learned: Learned;
};

/** Creates an empty log whose buffer holds at most about `bufferBytesMax` bytes. */
export const createBranchLog = (bufferBytesMax: number): BranchLog => ({
  buffer: createBuffer(bufferBytesMax),
  recent: [],
  maybeNewer: undefined,
  before: undefined,
  serviceAt: undefined,
  arrivals: undefined,
  cameUntold: false,
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
  learned: learnedNothing,
});

/** No known service begins so many series while a replica still answers with one of before. */
const seriesMax = 8;

/** Remembers the last number of a series after which another one came. */
export const rememberSeries = (
  {olderSeries}: BranchLog,
  before: {readonly series: string; readonly last: number} | undefined,
  now: string | undefined,
): BranchLog['olderSeries'] =>
  before === undefined || now === undefined || before.series === now
    ? olderSeries
    : new Map([...olderSeries, [before.series, before.last] as const].slice(-seriesMax));

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
};
