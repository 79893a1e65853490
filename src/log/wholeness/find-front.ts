import type {ReadWindow, WindowLine} from '../line/window-line.ts';

/** What the first line of a window says: it was held before, it is new, or there is no line that says anything. */
export type WindowFront =
  | {readonly kind: 'held'; readonly line: WindowLine}
  | {readonly kind: 'new'; readonly line: WindowLine}
  | {readonly kind: 'none'};

export type FrontInput = {
  readonly before: ReadWindow;
  readonly now: ReadWindow;
  /** Lines at the front that prove nothing, see `countStayed`. */
  readonly stayedCount: number;
  /** How many copies of a line were held, before this window. */
  readonly countHeld: (line: WindowLine, enough: number) => number;
};

/** A service that writes more lines of its own ahead of a window is not known. */
const bannerLinesMax = 4;

/**
 * Finds the line that decides. A window is cut from the end of a log, so if its first line was held before, all that follows that
 * line is there. Passed over, since they prove nothing either way: lines without a timestamp; lines that stayed at the front though
 * lines after them left (a banner, or a quiet source); a line that differs from the one in its place before in its stamp alone (a banner
 * that is stamped anew); new lines older than all of the window before (it reaches further back, or a stamp is forged).
 */
export const findFront = ({before, now, stayedCount, countHeld}: FrontInput): WindowFront => {
  const oldestBefore = before.lines[0]?.at;
  let banners = 0;
  let doubtful: WindowLine | undefined;
  /** Of equal lines those held may be others than these: the next line that has no copies decides, where there is one. */
  let copy: WindowLine | undefined;
  for (let index = stayedCount; index < now.received.length; index++) {
    const line = now.received[index];
    if (line === undefined || line.textIndex === 0) {
      continue;
    }
    if (doubtful !== undefined && line.at !== doubtful.at) {
      break;
    }
    const copies = countCopies(now, line);
    const held = countHeld(line, copies);
    if (held >= copies && copies > 1) {
      copy ??= line;
      continue;
    }
    if (held >= copies) {
      return {kind: 'held', line: copy ?? line};
    }
    if (held > 0) {
      // Some of these copies are new, and nobody can tell which: the next line of this very time may decide.
      doubtful ??= line;
      continue;
    }
    if (doubtful !== undefined) {
      break;
    }
    if (oldestBefore !== undefined && line.at < oldestBefore) {
      continue;
    }
    const place = before.received[index];
    if (banners < bannerLinesMax && place !== undefined && isStampedAnew(before, place, now, line)) {
      banners += 1;
      continue;
    }
    return {kind: 'new', line: copy ?? line};
  }
  if (doubtful !== undefined) {
    return {kind: 'new', line: doubtful};
  }
  return copy === undefined ? {kind: 'none'} : {kind: 'held', line: copy};
};

/** Is a line one that the service stamps anew for each window, ahead of the log's lines? */
export const isBannerOf =
  (before: ReadWindow | undefined, now: ReadWindow) =>
  ({raw}: {readonly raw: string}): boolean => {
    const index = now.received.slice(0, bannerLinesMax).findIndex(line => line.raw === raw);
    const [place, line] = [before?.received[index], now.received[index]];
    return before !== undefined && place !== undefined && line !== undefined && isStampedAnew(before, place, now, line);
  };

/** How many lines at the front of two windows are the same, up to one that has copies: other copies may have left. */
export const countStayed = (before: ReadWindow, now: ReadWindow): number => {
  let length = 0;
  for (;;) {
    const line = now.received[length];
    if (line === undefined || line.key !== before.received[length]?.key || countCopies(before, line) > 1) {
      return length;
    }
    length += 1;
  }
};

/** A text that stands more than once in a window is a log line that repeats, not a banner. */
const isStampedAnew = (before: ReadWindow, place: WindowLine, now: ReadWindow, line: WindowLine): boolean =>
  place.textIndex !== 0 &&
  textOf(place) === textOf(line) &&
  isOnlyOne(before, textOf(line)) &&
  isOnlyOne(now, textOf(line));

const isOnlyOne = ({received}: ReadWindow, text: string): boolean =>
  received.filter(line => line.textIndex !== 0 && line.raw.endsWith(text) && textOf(line) === text).length === 1;

const textOf = ({raw, textIndex}: WindowLine): string => raw.slice(textIndex);

/** How many copies of a line a window has. O(log lines + lines of that time). */
export const countCopies = ({lines}: ReadWindow, {at, key}: WindowLine): number => {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.at ?? at) >= at) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  let count = 0;
  for (let index = low; lines[index]?.at === at; index++) {
    count += lines[index]?.key === key ? 1 : 0;
  }
  return count;
};
