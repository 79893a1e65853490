import {filteredOf, viewLog} from '../../state/log-sources.ts';
import type {LogState} from '../../state/state.ts';

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
  const held = log.sources.reduce((sum, {tail}) => sum + tail.log.buffer.lineCount, 0);
  // Markers are always shown and are not lines.
  const markers = log.sources.reduce((sum, {tail}) => sum + tail.log.buffer.entryCount - tail.log.buffer.lineCount, 0);
  return {
    shown: Math.max(0, viewLog(log).entryCount - markers),
    held,
    pending: log.sources.reduce((sum, _, index) => sum + (filteredOf(log, index)?.pendingCount ?? 0), 0),
  };
};

/** Checks whether the filters hide every line there is. */
export const isAllHidden = (log: LogState): boolean => {
  const {shown, held, pending} = countShown(log);
  return held > 0 && shown === 0 && pending === 0;
};
