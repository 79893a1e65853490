import {type LineBuffer, timeAtIndex} from '#log/buffer/buffer.ts';
import type {ReadWindow} from '#log/window/window-line.ts';

/** No known set of replicas returns an answer older than this many windows. */
const windowsMax = 16;
/** Large windows overlap more, so fewer are kept: this many lines take about 7 MB. */
const linesMax = 40_000;
/** The previous window is needed for comparison, and replicas that answer in turn show the one before it again. */
const windowsMin = 2;

/** Adds a window to the front of the recent ones and drops the oldest, and those that the buffer can answer for. */
export const rememberWindow = (
  recent: readonly ReadWindow[],
  now: ReadWindow,
  buffer: LineBuffer,
): readonly ReadWindow[] => {
  const kept: ReadWindow[] = [now];
  let lines = now.received.length;
  for (const window of recent) {
    lines += window.received.length;
    if (kept.length >= windowsMax || (kept.length >= windowsMin && lines > linesMax)) {
      break;
    }
    if (!isInBuffer(window, now, buffer)) {
      kept.push(window);
    }
  }
  return kept;
};

/**
 * Checks whether all lines of a window are in the newer half of a buffer so large that none of them can leave it while
 * the window would be remembered. What else a window is remembered for are lines without a timestamp, and a line that
 * was cut off.
 */
const isInBuffer = (window: ReadWindow, now: ReadWindow, buffer: LineBuffer): boolean => {
  const middle = Math.floor(buffer.entryCount / 2);
  const oldest = window.lines.timeAt(0);
  const middleAt = timeAtIndex(buffer, middle);
  return (
    middle > Math.max(linesMax, windowsMin * now.received.length) &&
    oldest !== undefined &&
    middleAt !== undefined &&
    oldest > middleAt &&
    window.fragment === undefined &&
    window.received.areStamped()
  );
};
