import type {ContainerPlace} from '#service/containers/container-place.ts';

/** Events of a branch's objects, as a source of lines beside its containers. */
export type EventsPlace = {
  readonly namespace: string;
  /** As kubectl writes them: `deployment/web`. Events of their pods, and of what else they make, belong to them. */
  readonly workloads: readonly string[];
};

/** Where lines of a branch come from: the `Place` of the Kubernetes source. */
export type KubePlace = ContainerPlace | EventsPlace;

export const isEventsPlace = (place: KubePlace): place is EventsPlace => 'workloads' in place;
