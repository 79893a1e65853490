import {type CallError, toCallError} from '#service/backend/errors.ts';
import type {ContainerLogs, ContainerPlace, LogQuery, LogStream} from '../container-logs.ts';
import {createLogLines, findRemovedWords, type LogFront, type LogLine, type LogLines} from '../log-lines.ts';
import type {OpenQueue} from '../open-queue.ts';

/** Bytes that may wait: more than 1,000 containers write in a second at a line each. */
const waitingBytesMax = 256 * 1024;

type ReadBytes = (bytes: Buffer) => void;

/** Creates an empty inbox. */
export const createLogInbox = () => {
  const waiting = Buffer.alloc(waitingBytesMax);
  let entries: {readonly read: ReadBytes; readonly end: number}[] = [];
  let size = 0;

  const flush = (): void => {
    const due = entries;
    entries = [];
    size = 0;
    let start = 0;
    for (const {read, end} of due) {
      read(waiting.subarray(start, end));
      start = end;
    }
  };

  return {
    /**
     * Copies `bytes`; `read` gets the copy for the time of its call. Reads all that waits first if there is no room.
     */
    add: (read: ReadBytes, bytes: Buffer): void => {
      if (bytes.length > waitingBytesMax - size) {
        flush();
      }
      if (bytes.length > waitingBytesMax) {
        read(bytes);
        return;
      }
      waiting.set(bytes, size);
      size += bytes.length;
      entries.push({read, end: size});
    },
    /** Reads all that waits, of all streams in order of arrival. */
    flush,
  };
};

/**
 * Where bytes of joined streams wait until somebody needs their lines. A line that is read as it comes takes several
 * times the processor: each time, the code of the connection has displaced ours from the processor's caches.
 */
export type LogInbox = ReturnType<typeof createLogInbox>;

/**
 * How a read ended. `clean`: in order, which proves nothing; `rest` is the last line of each of its streams that no
 * newline ended. `removed`: by the node, which had read all that the container wrote when its runtime had removed it.
 * `fault`: by a sentence of the kubelet in place of a line, with lines before it or without. `closed`:
 * by us.
 */
export type LogReadEnd =
  | {readonly kind: 'clean' | 'removed'; readonly rest: readonly LogLine[]}
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
  let cancelOpening: (() => void) | undefined;
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
      cancelOpening?.();
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
    if (fault === undefined) {
      end({kind: 'clean', rest});
    } else if (query.follow && findRemovedWords(fault) === 0) {
      end({kind: 'removed', rest});
    } else {
      end({kind: 'fault', sentence: fault, hasLines});
    }
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
    const opening = new AbortController();
    cancelOpening = () => opening.abort();
    try {
      const opened = await queue.run(() => {
        isSent = true;
        return logs.open(place, query, {signal: opening.signal, onData: takeBytes, onEnd: takeEnd});
      }, opening.signal);
      if (isEnded) {
        opened.close();
      } else {
        stream = opened;
        cancelOpening = undefined;
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
