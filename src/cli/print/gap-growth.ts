import type {Entry, GapMarker} from '#log/line/entry.ts';

/** Creates what reduces growing gaps of one branch to their starts and ends, for text output. */
export const createGapGrowth = () => {
  let grown = new Map<number, GapMarker>();
  const end = (): readonly GapMarker[] => {
    const last = [...grown.values()];
    grown = new Map();
    return last;
  };
  return {
    /**
     * Returns a poll's entries without the steps of growing gaps. Once they have ended, they come first, with their
     * final ranges.
     */
    take: (entries: readonly Entry[]): readonly Entry[] => {
      const kept = entries.filter(entry => entry.kind !== 'gap' || entry.grows !== true);
      if (kept.length === entries.length) {
        return grown.size === 0 ? entries : [...end(), ...entries];
      }
      for (const entry of entries) {
        if (entry.kind === 'gap' && entry.grows === true) {
          grown.set(entry.id, entry);
        }
      }
      return kept;
    },
    /** Returns the gaps that were still growing at the end, if any; none when called again. */
    end,
  };
};
