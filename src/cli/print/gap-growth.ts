import type {Entry, GapMarker} from '../../log/line/entry.ts';

/** For people: of a gap that grows with each poll, only the begin and the end of one branch's. */
export type GapGrowth = {
  /** What a poll brought, without the steps in which a gap grew; once it has ended it stands ahead, with its final range. */
  take(entries: readonly Entry[]): readonly Entry[];
  /** The gap that still grew at the end, if any; asked again, none. */
  end(): GapMarker | undefined;
};

export const createGapGrowth = (): GapGrowth => {
  let grown: GapMarker | undefined;
  const end = (): GapMarker | undefined => {
    const last = grown;
    grown = undefined;
    return last;
  };
  return {
    take: entries => {
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
    end,
  };
};
