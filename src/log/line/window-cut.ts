/** How a service cuts its windows: the branch's log as one, each pod's, or each source's within a pod (a container) on its own. */
export type WindowCut = 'branch' | 'pod' | 'source';

export const windowCuts: readonly WindowCut[] = ['branch', 'pod', 'source'];

/**
 * What a service that numbers lines as they arrive says of a window. Two windows of one series join exactly where nothing was let
 * go of that arrived after the first: `dropped` of the second is at most `last` of the first. Losses that a service knows of take a number too.
 */
export type Arrivals = {
  /** Numbers of different series can't be compared. */
  readonly series: string;
  /** The highest number given so far, whether its line is in the window or not. */
  readonly last: number;
  /** The highest number whose line is no longer in the window, or never was; 0 where there is none. */
  readonly dropped: number;
};
