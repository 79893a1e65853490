/** Waits for `promise`, or throws the signal's reason as soon as it is aborted. */
export const abortable = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const {promise: aborted, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, {once: true});
  if (signal.aborted) {
    abort();
  }
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};
