import type {ContainerPlace} from '../container-place.ts';
import type {ContainerChoice} from '../kube-settings.ts';
import type {KubePod, PodContainer} from '../objects/decode-pod.ts';

/**
 * Sidecars (init containers that go on running) are proxies and log shippers more often than not, so they are read only
 * by name, like other init containers.
 */
const isChosen = ({only, except}: ContainerChoice, {name, isOrdinary}: PodContainer): boolean =>
  only ? only.includes(name) : isOrdinary && !except.includes(name);

/**
 * Returns the containers of a pod whose logs are read. Those of a pod that has ended are among them until it is gone:
 * their last lines may not have been read.
 */
export const listPlaces = (
  pod: KubePod,
  choice: ContainerChoice,
  isSeenFromStart: boolean,
): readonly ContainerPlace[] =>
  pod.containers
    .filter(container => isChosen(choice, container))
    .map(({name, instanceId, restartCount, state, finishedAtMs}) => ({
      namespace: pod.namespace,
      podName: pod.name,
      podUid: pod.uid,
      container: name,
      instanceId,
      restartCount,
      state,
      finishedAtMs,
      podCreatedAtMs: pod.createdAtMs,
      isSeenFromStart,
    }));
