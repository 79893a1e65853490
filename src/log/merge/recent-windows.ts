import type {ReadWindow} from '../line/window-line.ts';

/** An answer older than this many is not known of any set of replicas. */
const windowsMax = 16;
/** Large windows overlap more and are kept in fewer: so many lines are some 2 MB of references. */
const linesMax = 100_000;
/** The window before is compared with, and replicas that answer in turn show the one before that again. */
const windowsMin = 2;

/** Puts a window in front of the last ones and lets go of the oldest. */
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
