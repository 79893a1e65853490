import type {PodChanges} from './pods.ts';

/** What the list of pods did lately. */
export type PodsWent = {
  /** At so many polls in a row pods went, up to this one. */
  readonly inARow: number;
  /** At so many polls in a row no pod of the list before was left, up to this one. */
  readonly replacedInARow: number;
  /** Lines of a pod that went may leave at this poll. */
  readonly mayExplain: boolean;
};

/** A deployment replaces pods one after the other; a list that changes longer than this is taken for one that means nothing. */
const inARowMax = 5;

export const noPodsWent: PodsWent = {inARow: 0, replacedInARow: 0, mayExplain: false};

/**
 * A pod leaves the list, and its lines the window, at this poll or the next. An empty list explains nothing, nor does one that names other
 * pods at each poll.
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
