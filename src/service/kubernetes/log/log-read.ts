import type {KubeClient, KubeError, KubeQuery, KubeStream} from '../client/kube-client.ts';
import {toKubeError} from '../client/to-kube-error.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {LogInbox} from './log-inbox.ts';
import {createLogLines, type LogFront, type LogLine} from './log-lines.ts';
import type {OpenQueue} from './open-queue.ts';

/**
 * How a read ended. `clean`: in order, which proves nothing; `rest` is the last line if no newline ended it. `fault`:
 * by a sentence of the kubelet in place of a line, with lines before it or without. `closed`: by us.
 */
export type LogReadEnd =
  | {readonly kind: 'clean'; readonly rest: LogLine | undefined}
  | {readonly kind: 'fault'; readonly sentence: string; readonly hasLines: boolean}
  | {readonly kind: 'failed'; readonly error: KubeError}
  | {readonly kind: 'closed'};

/** One request for a container's log. */
export type LogRead = {
  /** Never rejects. No line comes after it. */
  readonly ended: Promise<LogReadEnd>;
  isEnded(): boolean;
  /** Resolves when the answer has begun. */
  readonly opened: Promise<void>;
  /** The request was sent: it no longer waits for a place in the queue. */
  isSent(): boolean;
  /** The answer has begun. For an empty log, a kubelet may only answer when its first line comes. */
  isOpen(): boolean;
  close(): void;
};

export type LogReadOptions = {
  readonly client: KubeClient;
  readonly queue: OpenQueue;
  readonly inbox: LogInbox;
  readonly place: ContainerPlace;
  readonly query: KubeQuery;
  readonly front: LogFront;
  readonly onOpen?: () => void;
  /** Whether the lines that come now may wait in the inbox; left out: never. */
  readonly mayWait?: () => boolean;
  readonly onLines: (lines: readonly LogLine[]) => void;
};

/** Returns the path of a container's log. */
export const logPathOf = ({namespace, podName}: ContainerPlace): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(podName)}/log`;

/** Sends a request for a container's log, and reads its lines as they come. */
export const startLogRead = (options: LogReadOptions): LogRead => {
  const {client, queue, inbox, place, query, front, onOpen, mayWait, onLines} = options;
  const reader = createLogLines(front);
  const waiting = new AbortController();
  const {promise: ended, resolve} = Promise.withResolvers<LogReadEnd>();
  const {promise: whenOpened, resolve: noteOpened} = Promise.withResolvers<void>();
  let stream: KubeStream | undefined;
  let isEnded = false;
  let isSent = false;
  let hasLines = false;

  const end = (how: LogReadEnd): void => {
    inbox.flush();
    if (!isEnded) {
      isEnded = true;
      stream?.close();
      if (!stream) {
        waiting.abort();
      }
      resolve(how);
    }
  };

  const takeEnd = (error: KubeError | undefined): void => {
    if (error) {
      end({kind: 'failed', error});
      return;
    }
    inbox.flush();
    const {lines, fault} = reader.takeRest();
    end(fault === undefined ? {kind: 'clean', rest: lines[0]} : {kind: 'fault', sentence: fault, hasLines});
  };

  const readBytes = (bytes: Buffer): void => {
    if (isEnded) {
      return;
    }
    const {lines, fault} = reader.take(bytes);
    if (lines.length > 0) {
      hasLines = true;
      onLines(lines);
    }
    if (fault !== undefined) {
      end({kind: 'fault', sentence: fault, hasLines});
    }
  };

  const takeBytes = (bytes: Buffer): void => {
    if (mayWait?.()) {
      inbox.add(readBytes, bytes);
    } else {
      inbox.flush();
      readBytes(bytes);
    }
  };

  const open = async (): Promise<void> => {
    try {
      const opened = await queue.run(() => {
        isSent = true;
        const {signal} = waiting;
        const mayBeginLate = query.follow === true;
        return client.open(logPathOf(place), {query, signal, mayBeginLate, onData: takeBytes, onEnd: takeEnd});
      }, waiting.signal);
      if (isEnded) {
        opened.close();
      } else {
        stream = opened;
        onOpen?.();
        noteOpened();
      }
    } catch (error) {
      end({kind: 'failed', error: toKubeError(error)});
    }
  };

  void open();
  return {
    ended,
    opened: whenOpened,
    isEnded: () => isEnded,
    isSent: () => isSent,
    isOpen: () => stream !== undefined && !isEnded,
    close: () => end({kind: 'closed'}),
  };
};
