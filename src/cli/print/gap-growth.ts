import type {Entry, GapMarker} from '../../log/line/entry.ts';

/** Creates what reduces a growing gap of one branch to its start and its end, for text output. */
export const createGapGrowth = () => {
  let grown: GapMarker | undefined;
  const end = (): GapMarker | undefined => {
    const last = grown;
    grown = undefined;
    return last;
  };
  return {
    /**
     * Returns a poll's entries without the steps of a growing gap. Once the gap has ended, it comes first, with its
     * final range.
     */
    take: (entries: readonly Entry[]): readonly Entry[] => {
      const kept = entries.filter(entry => entry.kind !== 'gap' || entry.grows !== true);
      if (kept.length === entries.length) {
        const last = end();
        return last === undefined ? entries : [last, ...entries];
      }
      for (const entry of entries) {
        grown = entry.kind === 'gap' && entry.grows === true ? entry : grown;
      }
      return kept;
    },
    /** Returns the gap that was still growing at the end, if any; undefined when called again. */
    end,
  };
};
