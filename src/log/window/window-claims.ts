import type {SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {ReadDirection} from '#log/line/unread.ts';

/**
 * The claims of a service that numbers its lines about an answer: which number and which source each line has, and
 * which losses it knows of. Lines get their numbers on arrival, in ascending order and without holes; a number is never
 * given to another line of the same series. The convention is described in `docs/serve.md`.
 */
export type Numbering = {
  /** Numbers of different series can't be compared. */
  readonly series: string;
  /**
   * The number of the first line of the answer; if it has none, the number that the next line will get. More than one
   * above the last number that the reader has: the lines in between were dropped.
   */
  readonly first: number;
  /**
   * The numbers of the lines in the answer's order, as runs; left out if they are numbered without holes from `first`
   * on. Numbers up to the reader's last are known; any other number that is left out is a line that was dropped.
   */
  readonly numbers?: readonly NumberRun[] | undefined;
  /** The highest number of the answer's items, if the last ones are no lines. */
  readonly last?: number | undefined;
  /** The sources of the lines, in the answer's order: indexes into `sources`, run-length encoded. */
  readonly runs: readonly SourceRun[];
  readonly sources: readonly SourceName[];
  readonly losses: readonly Loss[];
};

/** This many lines in a row have ascending numbers without holes. */
export type NumberRun = readonly [first: number, count: number];

/** This many lines in a row are of one source. */
export type SourceRun = readonly [source: number, count: number];

/** A place where the service knows that lines are missing. */
export type Loss = {
  /** An index into the answer's `sources`; left out if it may be any of them. */
  readonly source?: number | undefined;
  /** The last line of the source before the loss; left out if there is none. */
  readonly after?: Instant | undefined;
  /** The first line of the source after the loss; left out if there is none yet. */
  readonly before?: Instant | undefined;
  /** The loss is ahead of the line with this number, which may be one that the next line will get. */
  readonly number: number;
  /** A sentence for people, without a full stop. */
  readonly why: string;
  /** How many lines are missing, if that is known. */
  readonly lines?: number | undefined;
  /** How many losses it stands for; left out if it is one. */
  readonly count?: number | undefined;
  /** In its place came something that is no line. */
  readonly isNoLine?: true;
};

/** The place that a reader has reached in a numbered log: the next answer need only hold what follows. */
export type ReadUpTo = {
  readonly series: string;
  readonly last: number;
  /** Lines from before the first ones, or after the last ones, of a backend in this program that has left out some. */
  readonly wants?: ReadDirection;
};

/** How a service cuts its windows: the branch's log as one, per pod, or per source within a pod (a container). */
export type WindowCut = 'branch' | 'pod' | 'source';

export const windowCuts: readonly WindowCut[] = ['branch', 'pod', 'source'];

/** Claims about a window: by the service, or about its cut by the user. */
export type WindowClaims = {
  /** How the service cuts its windows. */
  readonly cut?: WindowCut | undefined;
  /** How many sources a pod has, for a cut by source. */
  readonly sources?: number | undefined;
  /** Set if the service numbers its lines. */
  readonly arrivals?: Arrivals | undefined;
  /** Set if each line has a number and a source. */
  readonly numbering?: Numbering | undefined;
};

/** Returns on what a single answer's claim rests. */
export const proofOf = ({cut, sources, arrivals, numbering}: WindowClaims): Proof => {
  if (arrivals !== undefined || numbering !== undefined) {
    return 'counted';
  }
  return cut === undefined || (cut === 'source' && sources === undefined) ? 'inferred' : 'said';
};

/**
 * The claims of a service that numbers lines on arrival about a window. Two windows of one series join exactly if
 * nothing that arrived after the first was dropped: `dropped` of the second is at most `last` of the first. Losses that
 * the service knows of take a number too.
 */
export type Arrivals = {
  /** Numbers of different series can't be compared. */
  readonly series: string;
  /** The highest number assigned so far, whether its line is in the window or not. */
  readonly last: number;
  /** The highest number whose line is no longer in the window or never was; 0 if there is none. */
  readonly dropped: number;
  /**
   * The highest number taken by a pod that left the answer's list without its log having been read to the end for
   * certain; left out if there is none. Pods that leave without one take no line with them.
   */
  readonly unread?: number | undefined;
};
