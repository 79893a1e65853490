import type {Texts} from '#log/window/texts.ts';
import {type ReadWindow, readLine} from '#log/window/window-line.ts';
import type {WindowLine} from '#log/window/window-lines.ts';

/**
 * Checks whether a window begins in the middle of a line, as one cut by length does: its first line is the end of a
 * line that a recent window shows in full, or the same piece that was found there. Proof is the line that follows it in
 * both windows, or a piece of the timestamp in it. Once a window was seen to begin like this, the end of any line shown
 * before counts.
 */
export const beginsInsideLine = (recent: readonly ReadWindow[], raws: Texts): boolean => {
  const [front, second] = raws;
  // A window cut by bytes may begin inside a character, of which a decoder makes a replacement character.
  const first = front?.replace(/^\uFFFD+/, '').trimEnd();
  if (first === undefined || second === undefined || readLine(first) !== undefined) {
    return false;
  }
  const cutsInside = recent.some(({fragment}) => fragment !== undefined);
  return recent.some(
    ({raws: before, received, fragment}) =>
      (front?.trimEnd() === fragment?.trimEnd() && received.get(0)?.raw === second) ||
      before.some(
        (raw, index) =>
          raw.length > first.length &&
          raw.trimEnd().endsWith(first) &&
          (cutsInside || beginsInStamp(received.get(index), first) || before.at(index + 1) === second),
      ),
  );
};

const beginsInStamp = (line: WindowLine | undefined, end: string): boolean =>
  line !== undefined && line.textIndex !== 0 && end.length > line.raw.length - line.textIndex + 1;
