/** Waits until work is done, but not longer than this, in milliseconds. Throws what the work throws until then. */
export const waitAtMost = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  const {promise: limit, resolve} = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
};
