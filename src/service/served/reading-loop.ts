/** Reads again and again, and once more before each answer; one reading at a time. */
export type ReadingLoop = {
  /** Resolves when a reading that began after this call has ended. */
  freshen(): Promise<void>;
  /** Something changed: the next look comes after the shorter pause. */
  wake(): void;
  /** Ends the loop, and resolves when the running reading has ended. */
  stop(): Promise<void>;
};

/**
 * Starts the loop. `read` answers whether there is more to read at once; a fault goes to `onError` and is tried again.
 * Between two looks it pauses for `idleMs`, and where it was woken for `intervalMs`, both in milliseconds. The timer keeps no process alive: the server that answers does.
 */
export const startReadingLoop = ({
  read,
  intervalMs,
  idleMs,
  onError,
}: {
  readonly read: () => Promise<boolean>;
  readonly intervalMs: number;
  readonly idleMs: () => number;
  readonly onError: (error: unknown) => void;
}): ReadingLoop => {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isAwake = false;

  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    timer = isStopped ? undefined : setTimeout(() => void freshen(), delayMs).unref();
  };

  const readOnce = async (): Promise<void> => {
    let hasMore = false;
    // What changes from here on may be missed by this look.
    isAwake = false;
    try {
      hasMore = await read();
    } catch (error) {
      onError(error);
    }
    running = undefined;
    schedule(hasMore ? 0 : isAwake ? intervalMs : idleMs());
  };

  const freshen = (): Promise<void> => {
    if (isStopped) {
      return Promise.resolve();
    }
    if (!running) {
      running = readOnce();
      return running;
    }
    // The running one may have passed the end of a file before the caller asked.
    queued ??= running.then(() => {
      queued = undefined;
      return freshen();
    });
    return queued;
  };

  schedule(intervalMs);
  return {
    freshen,
    wake: () => {
      if (!isAwake) {
        isAwake = true;
        if (!running) {
          schedule(intervalMs);
        }
      }
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
