import {type ReadWindow, readLine, type WindowLine} from '../line/window-line.ts';

/**
 * Checks whether a window begins in the middle of a line, as one cut by length does: its first line is the end of a
 * line that a recent window shows in full, or the same piece that was found there. Proof is the line that follows it in
 * both windows, or a piece of the timestamp in it. Once a window was seen to begin like this, the end of any line shown
 * before counts.
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
