import {setNewest} from '#base/bounds.ts';

/** Distinct messages remembered: about 200 KB. Past this the oldest is forgotten, and may be given again. */
const rememberedMax = 1_000;

/** Gives each warning once, however often its cause comes back. */
export const createWarnOnce = (warn: (message: string) => void) => {
  const given = new Map<string, true>();
  return {
    warn: (message: string): void => {
      if (!given.has(message)) {
        setNewest(given, message, true, rememberedMax);
        warn(message);
      }
    },
    /** Every message may be given again: the operator has changed something. */
    forget: (): void => given.clear(),
  };
};
