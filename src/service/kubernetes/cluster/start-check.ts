/** Any user may ask whether an API server is ready. */
export const readyPath = '/readyz';
/** A server that refuses for longer, milliseconds, does not start: it refuses to say whether it is ready, too. */
const startingMsMax = 10_000;
/** An answer from so shortly before a refusal was given by the same server, milliseconds. */
const allowedMsMax = 500;

/**
 * Creates a check of whether an API server that refuses a request has just started: until it has loaded its Roles, it
 * refuses everything in the words of a missing right, even to say whether it is ready.
 */
export const createStartCheck = () => {
  let allowedMs = Number.NEGATIVE_INFINITY;
  let sinceMs: number | undefined;
  return {
    /** A request was allowed: the Roles are there. */
    noteAllowed: (): void => {
      allowedMs = performance.now();
      sinceMs = undefined;
    },
    /** Judges the refusal of a request that was sent then. `askReady` resolves to the words that refuse `readyPath`. */
    isStarting: async (sentMs: number, askReady: () => Promise<string | undefined>): Promise<boolean> => {
      const knowsRoles = (): boolean => allowedMs >= sentMs - allowedMsMax;
      sinceMs ??= sentMs;
      if (knowsRoles() || sentMs - sinceMs >= startingMsMax) {
        return false;
      }
      const words = await askReady();
      return words?.includes(`cannot get path "${readyPath}"`) === true && !knowsRoles();
    },
  };
};
