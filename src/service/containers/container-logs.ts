import type {CallError} from '#service/backend/errors.ts';

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
  /**
   * Of the last instance that ended, which `previous` reads: while a container waits to be started again, that is its
   * newest one. Left out if there is none.
   */
  readonly previousId?: string | undefined;
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

/** The thing that disappears together with the log. */
export const unitOf = ({container}: ContainerPlace): 'container' | 'pod' => (container === '' ? 'container' : 'pod');

/** The range of a container's log to read. Each line comes with its timestamp. */
export type LogQuery = {
  /** Also what is written from now on. */
  readonly follow?: boolean;
  /** The instance before the newest one. */
  readonly previous?: boolean;
  /** RFC 3339. */
  readonly sinceTime?: string;
  /** The last lines, so many of them, or of the pieces in which the runtime wrote them. */
  readonly tailLines?: number;
  readonly limitBytes?: number;
};

/** Bytes of the beginning of a log, or of its last lines. */
export type FrontQuery = Required<Pick<LogQuery, 'limitBytes'>> & Pick<LogQuery, 'tailLines'>;

export type LogStreamOptions = {
  /** Gives up what has not been answered yet. An open stream is ended by `close`. */
  readonly signal: AbortSignal;
  /** `stream`: who wrote these lines, where that is known. */
  readonly onData: (bytes: Buffer, stream?: string) => void;
  /** Called once, after the last `onData`: without an error for an orderly end. Not called after `close`. */
  readonly onEnd: (error: CallError | undefined) => void;
};

export interface LogStream {
  /** Ends the stream without `onEnd`. */
  close(): void;
}

/** The logs of containers, of a cluster or of an engine. Calls throw a `CallError`, or the reason of the signal. */
export interface ContainerLogs {
  /** Resolves when the answer has begun. Bytes are passed on as they come: the stream is never paused. */
  open(place: ContainerPlace, query: LogQuery, options: LogStreamOptions): Promise<LogStream>;
  /** Returns as many bytes as are asked for, or all of a shorter log. */
  readFront(place: ContainerPlace, front: FrontQuery, signal: AbortSignal): Promise<string>;
  /** A stream that ends properly once its container has ended was read to the end; left out: that proves nothing. */
  readonly endsAreProven?: boolean;
  /** A log is asked for by the id of its container, and has its first line: what has the name now has another log. */
  readonly hasIds?: boolean;
  /** No two lines of a stream have the same stamp: of two with the same text, the second was sent twice. */
  readonly stampsAreUnique?: boolean;
  /** The system that has the containers, for messages. */
  readonly whole: 'cluster' | 'engine';
}
