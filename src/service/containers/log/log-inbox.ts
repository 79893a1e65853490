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
