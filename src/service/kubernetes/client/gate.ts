/** Lets a number of tasks run at once; the others wait their turn. */
export const createGate = (
  tasksMax: number,
): (<Value>(task: () => Promise<Value>, signal: AbortSignal) => Promise<Value>) => {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = async (signal: AbortSignal): Promise<void> => {
    if (running < tasksMax) {
      running += 1;
      return;
    }
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, {once: true});
    await promise.finally(() => signal.removeEventListener('abort', leave));
  };

  return async (task, signal) => {
    signal.throwIfAborted();
    await enter(signal);
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next) {
        // The place is handed on.
        waiting.delete(next);
        next();
      } else {
        running -= 1;
      }
    }
  };
};
