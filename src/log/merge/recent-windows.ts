import type {ReadWindow} from '../line/window-line.ts';

/** No known set of replicas returns an answer older than this many windows. */
const windowsMax = 16;
/** Large windows overlap more, so fewer are kept: this many lines are about 2 MB of references. */
const linesMax = 100_000;
/** The previous window is needed for comparison, and replicas that answer in turn show the one before it again. */
const windowsMin = 2;

/** Adds a window to the front of the recent ones and drops the oldest. */
export const rememberWindow = (recent: readonly ReadWindow[], now: ReadWindow): readonly ReadWindow[] => {
  const kept: ReadWindow[] = [now];
  let lines = now.received.length;
  for (const window of recent) {
    lines += window.received.length;
    if (kept.length >= windowsMax || (kept.length >= windowsMin && lines > linesMax)) {
      break;
    }
    kept.push(window);
  }
  return kept;
};
