import {join} from 'node:path';
import {createLogFolder, readTexts, waitForTexts} from '../pod-backend.ts';

/** A backend over one pod whose looks happen before answers only, with a clock that moves a minute at each. */
export const openStepwise = async (pods: Readonly<Record<string, readonly string[]>>, windowLines = 1000) => {
  const folder = createLogFolder();
  let nowMs = 0;
  return {
    folder,
    path: (name: string) => join(folder.path, 'log', name),
    open: async () => {
      const backend = await folder.open(pods, {windowLines, pollIntervalMs: 60_000, monotonicMs: () => nowMs});
      return {
        close: () => backend.close(),
        look: async () => {
          nowMs += 61_000;
          return readTexts(backend);
        },
        /** Waits for this many lines without a further look. */
        opened: (count: number) => waitForTexts(backend, count),
        /** The next look at once, before any wait is over. */
        lookAgain: async () => readTexts(backend),
      };
    },
  };
};
