import {type ReadWindow, readLine, type WindowLine} from '../line/window-line.ts';

/**
 * Finds out whether a window begins inside a line, as one that is cut by length does: its first line is the end of a line that a recent
 * window shows whole, or the very piece that was found there. What follows it, there and here, proves that, or a piece of the timestamp
 * in it. Once a window was seen to begin so, the end of any line that was shown is one.
 */
export const beginsInsideLine = (recent: readonly ReadWindow[], raws: readonly string[]): boolean => {
  const [first, second] = raws;
  if (first === undefined || second === undefined || readLine(first) !== undefined) {
    return false;
  }
  const cutsInside = recent.some(({fragment}) => fragment !== undefined);
  return recent.some(
    ({received, fragment}) =>
      (first === fragment && received[0]?.raw === second) ||
      received.some(
        (line, index) =>
          line.raw.length > first.length &&
          line.raw.endsWith(first) &&
          (cutsInside || beginsInStamp(line, first) || received[index + 1]?.raw === second),
      ),
  );
};

const beginsInStamp = ({raw, textIndex}: WindowLine, end: string): boolean =>
  textIndex !== 0 && end.length > raw.length - textIndex + 1;
