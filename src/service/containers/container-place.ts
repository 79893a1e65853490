/** `sidecar`: an init container that goes on running. `ephemeral`: added to the pod by `kubectl debug`. */
export type ContainerKind = 'app' | 'init' | 'sidecar' | 'ephemeral';

/**
 * A container whose log can be read. The directory makes it from the pod's
 * status, which lags behind the log: a restart may show in the log first.
 */
export type ContainerPlace = {
  readonly namespace: string;
  readonly podName: string;
  /** Tells pods apart: a StatefulSet's new pod has the name of the one before. */
  readonly podUid: string;
  /** Empty for a container that is in no pod, but stands for one. */
  readonly container: string;
  readonly containerKind: ContainerKind;
  /** The runtime's id of the newest instance, such as `containerd://…`; undefined while there is none. */
  readonly instanceId: string | undefined;
  readonly restartCount: number;
  /** `waiting` has no log yet, but may have a previous instance. */
  readonly state: 'waiting' | 'running' | 'terminated';
  /** When that instance ended, milliseconds since 1970; undefined if it runs or that is not known. */
  readonly finishedAtMs: number | undefined;
  /** It has done its work and will not be started again, unless its whole pod is. */
  readonly isFinished: boolean;
  /** Milliseconds since 1970. */
  readonly podCreatedAtMs: number;
  /** The pod was first seen by a watch that had not been interrupted: its log can be read from its first line. */
  readonly isSeenFromStart: boolean;
};

export const isContainerPlace = (place: object): place is ContainerPlace => 'container' in place;

/**
 * Names the source of a container's lines, such as `php` or `init:migrate`. No container's own name has a colon, and no
 * two of a pod have the same name, whatever their kinds.
 */
export const nameContainerSource = ({container, containerKind}: ContainerPlace): string =>
  containerKind === 'app' ? container : `${containerKind}:${container}`;

/** Whose log it is, in a sentence: `pod web-0, container php,` or `container web-1`. */
export const describePlace = (place: ContainerPlace): string =>
  place.container === ''
    ? `container ${place.podName}`
    : `pod ${place.podName}, container ${nameContainerSource(place)},`;

/** What goes when the log does. */
export const unitOf = ({container}: ContainerPlace): 'container' | 'pod' => (container === '' ? 'container' : 'pod');
