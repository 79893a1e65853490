import type {LineEntry} from '#log/line/entry.ts';
import {type ReadWindow, readLine, unreadableLine} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, type WindowLines} from '#log/window/window-lines.ts';
import type {Added} from '../added.ts';

/**
 * Lines that came while an equal one left, so that their texts do not show it. `unplaced`: this many, of which nothing
 * tells which they are.
 */
export type HiddenCopies = {readonly lines: readonly WindowLine[]; readonly unplaced: number};

export const noHiddenCopies: HiddenCopies = {lines: [], unplaced: 0};

/**
 * Finds the lines that only the numbers tell: `growth` came, of which `added` are new by their texts. If
 * lines leave a window from its front, as many left as it has room for, and what is there of each text beyond those
 * that stayed has come. Where that does not hold, some of the lines that have copies came.
 */
export const findHiddenCopies = (
  before: ReadWindow,
  now: ReadWindow,
  {growth, cameCount, added}: {readonly growth: number; readonly cameCount: number; readonly added: Added<LineEntry>},
): HiddenCopies => {
  const missing = growth - cameCount;
  if (missing <= 0) {
    return noHiddenCopies;
  }
  const [were, are] = [countKeys(before.received), countKeys(now.received)];
  // A line that has no copies is not written again with the same time.
  const isCopied = (key: string): boolean => were.has(key) && Math.max(were.get(key) ?? 0, are.get(key) ?? 0) > 1;
  const leftCount = before.received.length + growth - now.received.length;
  const front = before.received.get(0)?.key ?? '';
  const hasBanner = front === now.received.get(0)?.key && were.get(front) === 1 && are.get(front) === 1;
  if (leftCount >= 0 && leftCount <= before.received.length && !(hasBanner && leftCount > 0)) {
    const left = countKeys(before.received, leftCount);
    const came = new Map([...are].map(([key, count]) => [key, count - ((were.get(key) ?? 0) - (left.get(key) ?? 0))]));
    for (const {at, raw} of added) {
      const key = readLine(raw)?.key ?? unreadableLine(raw, at).key;
      came.set(key, (came.get(key) ?? 0) - 1);
    }
    const hidden = [...came].reduce((sum, [, count]) => sum + Math.max(0, count), 0);
    if (hidden === missing && [...came].every(([key, count]) => count === 0 || (count > 0 && isCopied(key)))) {
      const lines = [...eachLine(now.lines)].flatMap(([, line]) => {
        const count = came.get(line.key) ?? 0;
        came.set(line.key, 0);
        return Array.from({length: count}, () => line);
      });
      return {lines, unplaced: 0};
    }
  }
  return {lines: [], unplaced: [...are.keys()].some(isCopied) ? missing : 0};
};

const countKeys = (lines: WindowLines, to = lines.length): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const [, {key}] of eachLine(lines, 0, to)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};
