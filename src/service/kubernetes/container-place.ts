/**
 * A container whose log can be read: the `Place` of the Kubernetes source. The directory makes it from the pod's
 * status, which lags behind the log: a restart may show in the log first.
 */
export type ContainerPlace = {
  readonly namespace: string;
  readonly podName: string;
  /** Tells pods apart: a StatefulSet's new pod has the name of the one before. */
  readonly podUid: string;
  readonly container: string;
  /** The runtime's id of the newest instance, such as `containerd://…`; undefined while there is none. */
  readonly instanceId: string | undefined;
  readonly restartCount: number;
  /** `waiting` has no log yet, but may have a previous instance. */
  readonly state: 'waiting' | 'running' | 'terminated';
  /** When that instance ended, milliseconds since 1970; undefined if it runs or that is not known. */
  readonly finishedAtMs: number | undefined;
  /** Milliseconds since 1970. */
  readonly podCreatedAtMs: number;
  /** The pod was first seen by a watch that had not been interrupted: its log can be read from its first line. */
  readonly isSeenFromStart: boolean;
};
