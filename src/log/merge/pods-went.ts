import type {PodChanges} from '../ingest/pods.ts';

/** Recent changes of the list of pods. */
export type PodsWent = {
  /** Number of consecutive polls, up to this one, at which pods went away. */
  readonly inARow: number;
  /** Number of consecutive polls, up to this one, at which no pod of the previous list was left. */
  readonly replacedInARow: number;
  /** Lines of a pod that went away may leave at this poll. */
  readonly mayExplain: boolean;
};

/**
 * A deployment replaces pods one after another; a list that keeps changing for longer than this is treated as
 * meaningless.
 */
const inARowMax = 5;

export const noPodsWent: PodsWent = {inARow: 0, replacedInARow: 0, mayExplain: false};

/**
 * Follows the list of pods. A pod leaves the list, and its lines the window, at this poll or the next. An empty list
 * explains nothing, nor does one that names other pods at each poll.
 */
export const followPods = (
  {inARow, replacedInARow}: PodsWent,
  {gone}: PodChanges,
  before: number,
  now: number,
): PodsWent => {
  if (gone.length === 0) {
    return {inARow: 0, replacedInARow: 0, mayExplain: now > 0 && isPlausible(inARow, replacedInARow) && inARow > 0};
  }
  const next = {inARow: inARow + 1, replacedInARow: gone.length === before ? replacedInARow + 1 : 0};
  return {...next, mayExplain: now > 0 && isPlausible(next.inARow, next.replacedInARow)};
};

const isPlausible = (inARow: number, replacedInARow: number): boolean => inARow <= inARowMax && replacedInARow <= 1;
