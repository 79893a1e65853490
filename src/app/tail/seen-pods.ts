import type {PodRecord} from '#api/client/answer.ts';

/** A pod of a watched branch, running or gone. Times are milliseconds by a monotonic clock. */
export type SeenPod = {
  /** As the service last listed it. */
  readonly pod: PodRecord;
  /** The answer that first listed it; undefined if the first answer already did. */
  readonly cameAtMs: number | undefined;
  /** The answer that no longer listed it. */
  readonly wentAtMs: number | undefined;
  /**
   * The image that the branch's record named when the pod came; undefined until a record comes after it, and for pods
   * of the first answer.
   */
  readonly image: string | undefined;
};

/** Each keeps its metadata, some 10 KB. Enough for every restart of a bad night. */
export const goneMax = 100;

/** A pod is another one if it was created at another time. */
export const podId = ({name, createdAt}: PodRecord): string => `${createdAt ?? ''} ${name}`;

/** Updates the pods by an answer: the running ones in its order, then those that are gone, latest first. */
export const followSeenPods = (
  before: readonly SeenPod[],
  listed: readonly PodRecord[],
  {nowMs, isFirst}: {readonly nowMs: number; readonly isFirst: boolean},
): readonly SeenPod[] => {
  const known = new Map(before.map(seen => [podId(seen.pod), seen]));
  const running = listed.map((pod): SeenPod => {
    const seen = known.get(podId(pod));
    known.delete(podId(pod));
    if (seen === undefined) {
      return {pod, cameAtMs: isFirst ? undefined : nowMs, wentAtMs: undefined, image: undefined};
    }
    // The same version is the same record: what is known of it stays known.
    const isSame = pod.resourceVersion !== '' && pod.resourceVersion === seen.pod.resourceVersion;
    return isSame && seen.wentAtMs === undefined ? seen : {...seen, pod: isSame ? seen.pod : pod, wentAtMs: undefined};
  });
  const gone = [...known.values()].map(seen => (seen.wentAtMs === undefined ? {...seen, wentAtMs: nowMs} : seen));
  const latestFirst = gone.toSorted((a, b) => (b.wentAtMs ?? nowMs) - (a.wentAtMs ?? nowMs));
  return [...running, ...latestFirst.slice(0, goneMax)];
};

/** Gives pods that came since the last record the image of this one: a pod keeps the image that it was started with. */
export const withImage = (pods: readonly SeenPod[], image: string | undefined): readonly SeenPod[] =>
  pods.some(lacksImage) ? pods.map(seen => (lacksImage(seen) ? {...seen, image} : seen)) : pods;

const lacksImage = ({cameAtMs, wentAtMs, image}: SeenPod): boolean =>
  cameAtMs !== undefined && wentAtMs === undefined && image === undefined;
