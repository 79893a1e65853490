/** Something to wait for: a change, or the time that a look takes place without one. */
export const createBell = () => {
  let isRung = false;
  let answer: (() => void) | undefined;
  return {
    ring: (): void => {
      isRung = true;
      answer?.();
    },
    wait: async (limitMs: number): Promise<void> => {
      if (!isRung) {
        const {promise, resolve} = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, limitMs);
        answer = resolve;
        await promise;
        clearTimeout(timer);
        answer = undefined;
      }
      isRung = false;
    },
  };
};
