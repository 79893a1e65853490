type ReadingLoopOptions = {
  readonly read: () => Promise<boolean>;
  readonly intervalMs: number;
  readonly idleMs: () => number;
  readonly onError: (error: unknown) => void;
};

/**
 * Starts the loop. `read` returns whether there is more to read at once; errors go to `onError` and the loop tries
 * again. The pause between two readings is `idleMs`, or `intervalMs` after a wake, both in milliseconds. The timer does
 * not keep the process alive: the HTTP server does.
 */
export const startReadingLoop = ({read, intervalMs, idleMs, onError}: ReadingLoopOptions) => {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isAwake = false;
  let isHurried = false;
  let isBehind = false;

  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    timer = isStopped ? undefined : setTimeout(() => void readNow(), delayMs).unref();
  };

  const readOnce = async (): Promise<void> => {
    // This reading may miss changes from here on.
    isAwake = false;
    isHurried = false;
    try {
      isBehind = await read();
    } catch (error) {
      isBehind = false;
      onError(error);
    }
    running = undefined;
    schedule(isBehind || isHurried ? 0 : isAwake ? intervalMs : idleMs());
  };

  const readNow = (): Promise<void> => {
    if (isStopped) {
      return Promise.resolve();
    }
    if (!running) {
      running = readOnce();
      return running;
    }
    // The current reading may have passed the end of a file before the caller asked.
    queued ??= running.then(() => {
      queued = undefined;
      return readNow();
    });
    return queued;
  };

  schedule(intervalMs);
  return {
    /**
     * Resolves when a reading that began after this call has ended; at once while there is more to read than one
     * reading takes.
     */
    freshen: (): Promise<void> => (isBehind ? Promise.resolve() : readNow()),
    /** Reports a change: the next reading comes after the shorter pause, or at once if a source waits for it. */
    wake: ({isHeldUp = false}: {readonly isHeldUp?: boolean} = {}): void => {
      if (isHeldUp ? isHurried : isAwake) {
        return;
      }
      isAwake = true;
      isHurried = isHeldUp;
      if (!running) {
        schedule(isHeldUp ? 0 : intervalMs);
      }
    },
    /** Ends the loop. Resolves when the current reading has ended. */
    stop: async (): Promise<void> => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};

/** Reads repeatedly, and once more before each answer; one reading at a time. */
export type ReadingLoop = ReturnType<typeof startReadingLoop>;
