/** Resolves when `work` has ended, well or badly, or after `deadlineMs`, whichever comes first. Never rejects. */
export const endWithin = (work: Promise<unknown>, deadlineMs: number): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, deadlineMs);
    work
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer);
        resolve();
      });
  });
