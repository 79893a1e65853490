import type {ContainerPlace} from '../../containers/container-place.ts';
import type {ContainerChoice} from '../kube-settings.ts';
import type {KubePod, PodContainer} from '../objects/decode-pod.ts';

/**
 * What Istio, Linkerd, Kuma and Consul add to a pod: their lines are not the application's. As an ordinary container,
 * a proxy is read like the others, since it was always.
 */
const meshContainers: ReadonlySet<string> = new Set([
  'istio-proxy',
  'istio-init',
  'istio-validation',
  'linkerd-proxy',
  'linkerd-init',
  'linkerd-network-validator',
  'kuma-sidecar',
  'kuma-init',
  'consul-dataplane',
  'consul-connect-inject-init',
]);

const isChosen = ({only, except, hasMesh = false}: ContainerChoice, {name, kind}: PodContainer): boolean =>
  only ? only.includes(name) : !except.includes(name) && (kind === 'app' || hasMesh || !meshContainers.has(name));

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
    .map(({name, kind, image: _, ...state}) => ({
      namespace: pod.namespace,
      podName: pod.name,
      podUid: pod.uid,
      container: name,
      containerKind: kind,
      ...state,
      podCreatedAtMs: pod.createdAtMs,
      isSeenFromStart,
    }));
