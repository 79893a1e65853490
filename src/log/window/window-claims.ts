import type {Proof} from '#log/line/proof.ts';
import type {Numbering} from '../line/numbering.ts';

/** How a service cuts its windows: the branch's log as one, per pod, or per source within a pod (a container). */
export type WindowCut = 'branch' | 'pod' | 'source';

export const windowCuts: readonly WindowCut[] = ['branch', 'pod', 'source'];

/** What is said of a window: by the service, or of its cut by the user. */
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
 * What a service that numbers lines on arrival says about a window. Two windows of one series join exactly if nothing
 * that arrived after the first was dropped: `dropped` of the second is at most `last` of the first. Losses that the
 * service knows of take a number too.
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
