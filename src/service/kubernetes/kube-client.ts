import {CallError} from '#service/backend/errors.ts';
import type {LinkQuery} from '#service/link/link.ts';

/**
 * What the source needs of one cluster: GET only. `createKubeClient` implements it over HTTP/2, or HTTP/1.1 where the
 * server has nothing else.
 */
export interface KubeClient {
  /** The API server's address without secrets, for messages. */
  readonly address: string;
  /** Returns the body of a 200. Throws a `KubeError`, or the reason of the signal. */
  get(path: string, options?: KubeGetOptions): Promise<unknown>;
  /**
   * Opens a body without an end: a watch or the log of a container. Resolves when a 200 has come. Throws a `KubeError`
   * for any other answer. Bytes are passed on as they come: the stream is never paused.
   */
  open(path: string, options: KubeStreamOptions): Promise<KubeStream>;
  /** Ends all streams and connections. */
  close(): Promise<void>;
}

export type KubeGetOptions = {
  readonly query?: LinkQuery;
  readonly signal?: AbortSignal;
  /** Milliseconds until the whole answer is here; 30 s by default. */
  readonly timeoutMs?: number;
  /** `text`: the body as it is, such as the end of a log. Its size is bounded. */
  readonly as?: 'json' | 'text';
};

export type KubeStreamOptions = {
  readonly query?: LinkQuery;
  /** Gives up what has not been answered yet. An open stream is ended by `close`. */
  readonly signal?: AbortSignal;
  /** The answer may begin at any time, as that of a kubelet for an empty log; else within 30 s. */
  readonly mayBeginLate?: boolean;
  readonly onData: (bytes: Buffer) => void;
  /**
   * Called once, after the last `onData`: without an error for an orderly end, which proves nothing: the API server
   * ends properly when its own connection to the kubelet breaks. Not called after `close`.
   */
  readonly onEnd: (error: KubeError | undefined) => void;
};

export interface KubeStream {
  /** Ends the stream without `onEnd`. */
  close(): void;
}

/** A failed call of an API server. */
export class KubeError extends CallError {
  override readonly name = 'KubeError';
}
