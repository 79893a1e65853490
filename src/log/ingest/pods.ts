/** Identity of a pod: a later pod of the same name has a later creation time. */
export type Pod = {readonly name: string; readonly createdAt: string | undefined};

export type PodChanges = {readonly appeared: readonly Pod[]; readonly gone: readonly Pod[]};

export const noPodChanges: PodChanges = {appeared: [], gone: []};

/** Returns which pods came and went between two answers, by name and creation time; their order means nothing. */
export const comparePods = (before: readonly Pod[], now: readonly Pod[]): PodChanges => {
  if (before === now) {
    return noPodChanges;
  }
  const identity = (pod: Pod): string => `${pod.createdAt ?? ''} ${pod.name}`;
  const known = new Set(before.map(identity));
  const present = new Set(now.map(identity));
  return {
    appeared: now.filter(pod => !known.has(identity(pod))),
    gone: before.filter(pod => !present.has(identity(pod))),
  };
};

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
