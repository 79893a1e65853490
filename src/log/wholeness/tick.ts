import type {LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {ReadWindow} from '../line/window-line.ts';
import {eachLine} from '../line/window-lines.ts';

/** Steps of the clocks that produce timestamps, in nanoseconds. */
const ticks: readonly Instant[] = [1_000_000_000n, 1_000_000n, 1_000n];

type Stamped = {readonly at: Instant; readonly textIndex: number};

/** Returns the step of the clock: the largest one that divides the times of all lines with a readable timestamp. */
const tickOf = (lines: readonly Stamped[]): Instant =>
  ticks.find(tick => lines.every(({at, textIndex}) => textIndex === 0 || at % tick === 0n)) ?? 1n;

/** Returns the step of the clock in a window. */
export const tickIn = ({lines}: ReadWindow): Instant => tickOf([...eachLine(lines)].map(([, line]) => line));

/** Returns what the stamps of new lines leave out, if they are coarser than those before. */
export const decimalsLost = (before: ReadWindow | undefined, added: readonly LineEntry[]): Instant => {
  const tick = before === undefined ? 1n : tickOf(added);
  return before !== undefined && tick > 1n && tick > tickIn(before) ? tick - 1n : 0n;
};
