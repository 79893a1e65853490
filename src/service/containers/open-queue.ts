/** Handshakes at once over all branches: 1,000 of them took an API server 16 to 19 s. */
const logsOpeningMax = 16;
/**
 * The API server waits half a minute for a dead node, and a kubelet answers for an empty log when its first line comes.
 */
const logPlaceMsMax = 1_000;

type QueueBounds = {
  /** Requests at once. */
  readonly openingMax?: number;
  /** How long a request keeps its place, milliseconds: a slow one must not hold up the others. */
  readonly placeMsMax?: number;
};

/** Lets a bounded number of requests begin at once; the others wait their turn. */
export type OpenQueue = {
  /** Waits for a place, then begins. Resolves and rejects as `open` does. `open` is not called if the signal aborts. */
  run<Value>(open: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
};

/** Creates an empty queue, with bounds for the logs of containers unless others are given. */
export const createOpenQueue = (bounds: QueueBounds = {}): OpenQueue => {
  const {openingMax = logsOpeningMax, placeMsMax = logPlaceMsMax} = bounds;
  const waiting = new Set<() => void>();
  let opening = 0;

  const leave = (): void => {
    const [next] = waiting;
    if (next) {
      // The place is handed on.
      waiting.delete(next);
      next();
    } else {
      opening -= 1;
    }
  };

  const enter = async (signal: AbortSignal): Promise<void> => {
    if (opening < openingMax) {
      opening += 1;
      return;
    }
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const giveUp = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', giveUp, {once: true});
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  };

  return {
    run: async (open, signal) => {
      signal.throwIfAborted();
      await enter(signal);
      const leaveOnce = createOnce(leave);
      const timer = setTimeout(leaveOnce, placeMsMax).unref();
      try {
        return await open();
      } finally {
        clearTimeout(timer);
        leaveOnce();
      }
    },
  };
};

const createOnce = (work: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (!isDone) {
      isDone = true;
      work();
    }
  };
};
