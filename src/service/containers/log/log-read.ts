import type {CallError} from '#service/backend/errors.ts';
import {toCallError} from '#service/errors/to-call-error.ts';
import type {ContainerLogs, LogQuery, LogStream} from '../container-logs.ts';
import type {ContainerPlace} from '../container-place.ts';
import {createLogLines, type LogFront, type LogLine, type LogLines} from '../log-lines.ts';
import type {OpenQueue} from '../open-queue.ts';
import type {LogInbox} from './log-inbox.ts';

/**
 * How a read ended. `clean`: in order, which proves nothing; `rest` is the last line of each of its streams that no
 * newline ended. `fault`: by a sentence of the kubelet in place of a line, with lines before it or without. `closed`:
 * by us.
 */
export type LogReadEnd =
  | {readonly kind: 'clean'; readonly rest: readonly LogLine[]}
  | {readonly kind: 'fault'; readonly sentence: string; readonly hasLines: boolean}
  | {readonly kind: 'failed'; readonly error: CallError}
  | {readonly kind: 'closed'};

export type LogReadOptions = {
  readonly logs: ContainerLogs;
  readonly queue: OpenQueue;
  readonly inbox: LogInbox;
  readonly place: ContainerPlace;
  readonly query: LogQuery;
  readonly front: LogFront;
  readonly onOpen?: () => void;
  /** Whether the lines that come now may wait in the inbox; left out: never. */
  readonly mayWait?: () => boolean;
  readonly onLines: (lines: readonly LogLine[]) => void;
};

/** Sends a request for a container's log, and reads its lines as they come. */
export const startLogRead = (options: LogReadOptions) => {
  const {logs, queue, inbox, place, query, front, onOpen, mayWait, onLines} = options;
  /** By stream: each has unfinished lines of its own. */
  const readers = new Map<string | undefined, {readonly lines: LogLines; readonly read: (bytes: Buffer) => void}>();
  const waiting = new AbortController();
  const {promise: ended, resolve} = Promise.withResolvers<LogReadEnd>();
  const {promise: whenOpened, resolve: noteOpened} = Promise.withResolvers<void>();
  let stream: LogStream | undefined;
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

  const takeEnd = (error: CallError | undefined): void => {
    if (error) {
      end({kind: 'failed', error});
      return;
    }
    inbox.flush();
    const rests = [...readers.values()].map(({lines}) => lines.takeRest());
    const fault = rests.map(each => each.fault).find(each => each !== undefined);
    const rest = rests.flatMap(({lines}) => lines);
    end(fault === undefined ? {kind: 'clean', rest} : {kind: 'fault', sentence: fault, hasLines});
  };

  const readBytes = (reader: LogLines, bytes: Buffer): void => {
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

  const readerOf = (name: string | undefined) => {
    const lines = createLogLines(front, name);
    const reader = readers.get(name) ?? {lines, read: (bytes: Buffer) => readBytes(lines, bytes)};
    readers.set(name, reader);
    return reader;
  };

  const takeBytes = (bytes: Buffer, name?: string): void => {
    const {read} = readers.get(name) ?? readerOf(name);
    if (mayWait?.()) {
      inbox.add(read, bytes);
    } else {
      inbox.flush();
      read(bytes);
    }
  };

  const open = async (): Promise<void> => {
    try {
      const opened = await queue.run(() => {
        isSent = true;
        return logs.open(place, query, {signal: waiting.signal, onData: takeBytes, onEnd: takeEnd});
      }, waiting.signal);
      if (isEnded) {
        opened.close();
      } else {
        stream = opened;
        onOpen?.();
        noteOpened();
      }
    } catch (error) {
      end({kind: 'failed', error: toCallError(error)});
    }
  };

  void open();
  return {
    /** Never rejects. No line comes after it. */
    ended,
    /** Resolves when the answer has begun. */
    opened: whenOpened,
    isEnded: () => isEnded,
    /** The request was sent: it no longer waits for a place in the queue. */
    isSent: () => isSent,
    /** The answer has begun. For an empty log, a kubelet may only answer when its first line comes. */
    isOpen: () => stream !== undefined && !isEnded,
    close: () => end({kind: 'closed'}),
  };
};

/** One request for a container's log. */
export type LogRead = ReturnType<typeof startLogRead>;
