import {filteredOf} from '#app/state/log-sources.ts';
import type {LogState} from '#app/state/state.ts';
import type {Matches} from '#log/pattern/matches.ts';

export type ShownCounts = {
  /** Lines that the filters keep, as far as they have worked. */
  readonly shown: number;
  /** All lines in the buffers. */
  readonly held: number;
  /** Chunks that the filters have yet to work through. */
  readonly pending: number;
};

/** Counts the lines that the filters keep. */
export const countShown = (log: LogState): ShownCounts => {
  const {sources} = log;
  return {
    shown: sources.reduce(
      (sum, {tail}, index) => sum + (filteredOf(log, index)?.lineCount ?? tail.log.buffer.lineCount),
      0,
    ),
    held: sources.reduce((sum, {tail}) => sum + tail.log.buffer.lineCount, 0),
    pending: sources.reduce((sum, _, index) => sum + (filteredOf(log, index)?.pendingCount ?? 0), 0),
  };
};

/** Counts the lines held that match a pattern, as far as they have been searched. Counts again only what changed. */
export const countMatching = ({kept, sources}: LogState, matches: Matches): number => {
  const buffers = sources.map(({tail}) => tail.log.buffer);
  const counts = kept.matchCounts.answer(buffers, () => new Map());
  const known = counts.get(matches);
  if (known?.version === matches.version()) {
    return known.count;
  }
  const chunks = buffers.flatMap(buffer => buffer.chunks);
  const count = chunks.reduce((sum, chunk) => sum + (matches.of(chunk)?.offsets.length ?? 0), 0);
  counts.set(matches, {version: matches.version(), count});
  return count;
};

/** Checks whether the filters hide every line there is. */
export const isAllHidden = (log: LogState): boolean => {
  const {shown, held, pending} = countShown(log);
  return held > 0 && shown === 0 && pending === 0;
};
