import type {Arrivals} from '#log/window/window-claims.ts';

/** The verdict of the service's own numbers on an answer, beside the last one that had numbers. */
export type Count =
  /** There is nothing to compare: this answer has no numbers, or none came before it. */
  | {readonly kind: 'uncounted'}
  /** Nothing that arrived in between was dropped. `podsAreRead`: the pods that went were read to their end. */
  | {readonly kind: 'joins'; readonly podsAreRead: boolean}
  /** Something was, that came after the last answer with numbers. */
  | {readonly kind: 'lost'}
  /** An older answer, of a cache or a replica: nothing follows from it. */
  | {readonly kind: 'stale'}
  /** The service restarted its line numbers, so that nothing tells whether the answers join. */
  | {readonly kind: 'renumbered'};

/**
 * Compares the numbers of two answers. Exact, whatever the stamps say. A pod that went without having been read to its
 * end, and that no answer has shown, leaves no marker of its own: then the answers do not join.
 * `isOfOlderSeries`: it shows nothing that its series, which came before, did not. `isNoNewer`: it shows no line that
 * is newer than what was shown before. `cameSince`: so many lines were shown since, each of which has a number.
 */
export const compareCounts = (
  before: Arrivals | undefined,
  now: Arrivals | undefined,
  {
    didPodsGo,
    isNoNewer,
    isOfOlderSeries = false,
    cameSince = 0,
  }: {
    readonly didPodsGo: boolean;
    readonly isNoNewer: boolean;
    readonly isOfOlderSeries?: boolean;
    readonly cameSince?: number | undefined;
  },
): Count => {
  if (before === undefined || now === undefined) {
    return {kind: 'uncounted'};
  }
  if (now.series !== before.series) {
    return {kind: isOfOlderSeries ? 'stale' : 'renumbered'};
  }
  if (isNoNewer && now.last < before.last + cameSince) {
    return {kind: 'stale'};
  }
  if (now.last < before.last) {
    // A service that was reset to an older state gives numbers a second time.
    return {kind: 'renumbered'};
  }
  const podsAreRead = (now.unread ?? 0) <= before.last;
  return now.dropped <= before.last && (podsAreRead || didPodsGo) ? {kind: 'joins', podsAreRead} : {kind: 'lost'};
};

/**
 * Checks whether each line of an answer came since the answer before, though an equal one may be held: every number
 * above `dropped` is in the window, so none below is in one of just as many items (`itemCount`).
 */
export const areAllNew = (before: Arrivals | undefined, now: Arrivals | undefined, itemCount: number): boolean =>
  before !== undefined &&
  now?.series === before.series &&
  now.dropped >= before.last &&
  now.last - now.dropped === itemCount;

/** Checks whether as many lines came as numbers were taken: then nothing else did, such as an item that is no line. */
export const isAllCounted = (before: Arrivals | undefined, now: Arrivals | undefined, cameCount: number): boolean =>
  before !== undefined && now?.series === before.series && now.last - before.last === cameCount;
