/** Distinct messages remembered: about 200 KB. Past this the oldest is forgotten, and may be given again. */
const rememberedMax = 1_000;

/** Gives each warning once, however often its cause comes back. */
export type WarnOnce = {
  warn(message: string): void;
  /** Every message may be given again: the operator has changed something. */
  forget(): void;
};

export const createWarnOnce = (warn: (message: string) => void): WarnOnce => {
  const given = new Set<string>();
  return {
    warn: message => {
      if (given.has(message)) {
        return;
      }
      const [oldest] = given;
      if (given.size >= rememberedMax && oldest !== undefined) {
        given.delete(oldest);
      }
      given.add(message);
      warn(message);
    },
    forget: () => given.clear(),
  };
};
