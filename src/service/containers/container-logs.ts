import type {CallError} from '#service/backend/errors.ts';
import type {ContainerPlace} from './container-place.ts';

/** What is read of a container's log. Each line comes with its timestamp. */
export type LogQuery = {
  /** Also what is written from now on. */
  readonly follow?: boolean;
  /** The instance before the newest one. */
  readonly previous?: boolean;
  /** RFC 3339. */
  readonly sinceTime?: string;
  /** Of the end, so many lines, or pieces in which the runtime wrote them. */
  readonly tailLines?: number;
  readonly limitBytes?: number;
};

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
  /** Returns so many bytes of the beginning of a log, or all of a shorter one. */
  readFront(place: ContainerPlace, limitBytes: number, signal: AbortSignal): Promise<string>;
  /** A stream that ends properly once its container has ended was read to the end; left out: that proves nothing. */
  readonly endsAreProven?: boolean;
  /** A log is asked for by the id of its container, and has its first line: what has the name now has another log. */
  readonly hasIds?: boolean;
  /** What has the containers, for messages. */
  readonly whole: 'cluster' | 'engine';
}
