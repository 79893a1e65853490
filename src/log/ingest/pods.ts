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
