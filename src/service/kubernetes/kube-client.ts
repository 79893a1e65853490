import {CallError, isRefusal} from '#service/backend/errors.ts';
import type {LinkQuery} from '#service/link/link.ts';

/**
 * The requests to one cluster that are needed: GET only. `createKubeClient` implements it over HTTP/2, or HTTP/1.1
 * where the server has nothing else.
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

type KubeGetOptions = {
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

const retryMsMin = 1_000;
const retryMsMax = 15_000;
/** For failures that a person has to mend, such as a missing permission. */
const refusedRetryMs = 30_000;

/** Whether the server asks to come again later. Nothing is wrong then. */
export const isAskedToWait = ({status, retryAfterMs}: Pick<KubeError, 'status' | 'retryAfterMs'>): boolean =>
  status === 429 || retryAfterMs !== undefined;

/**
 * Returns the delay before the next try, milliseconds, and the number of failures to count from. A server that is busy
 * (429) says itself how long to wait; that says nothing about other faults, so it does not count. `random` is 0 to 1.
 */
export const planRetry = (
  error: Pick<KubeError, 'kind' | 'status' | 'retryAfterMs'>,
  {failures, random}: {readonly failures: number; readonly random: number},
): {readonly delayMs: number; readonly failures: number} => {
  // An API that the cluster does not have yet may come with its next version.
  if (isRefusal(error) || error.status === 404) {
    return {delayMs: refusedRetryMs * (1 + random / 2), failures};
  }
  if (isAskedToWait(error)) {
    return {delayMs: (error.retryAfterMs ?? retryMsMin) + retryMsMin * random, failures};
  }
  return {delayMs: Math.min(retryMsMax, retryMsMin * 2 ** failures) * (0.5 + random / 2), failures: failures + 1};
};

const kinds: Readonly<Record<string, string>> = {
  users: 'user',
  groups: 'group',
  serviceaccounts: 'ServiceAccount',
  uids: 'uid',
};

/**
 * Reads the API server's sentence that refuses to let a user act as another one: who is logged in, and who is wanted,
 * such as `user jane` or `group admins`, not sanitised; undefined for any other sentence.
 * Source: `groups "admins" is forbidden: User "dev" cannot impersonate resource "groups" in API group "" at the cluster
 * scope`, of the filter for impersonation.
 */
export const readRefusedImpersonation = (serverMessage: string | undefined) => {
  const [, resource = '', name, user] =
    /^([^" ]+) "([^"]*)" is forbidden: User "([^"]+)" cannot impersonate resource /.exec(serverMessage ?? '') ?? [];
  if (name === undefined || user === undefined) {
    return undefined;
  }
  // A resource outside the core group is written with its group: `uids.authentication.k8s.io`.
  return {user, wanted: `${kinds[resource.split('.')[0] ?? ''] ?? resource} ${name}`};
};
