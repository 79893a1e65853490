import {type Added, timesIn} from '../added/added.ts';
import type {LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {ReadWindow} from '../line/window-line.ts';

/** Steps of the clocks that produce timestamps, in nanoseconds. */
const ticks: readonly Instant[] = [1_000_000_000n, 1_000_000n, 1_000n];

/** Returns the step of the clock: the largest one that divides all times. */
const tickOf = (times: () => Iterable<Instant>): Instant => ticks.find(tick => isStepOf(tick, times())) ?? 1n;

const isStepOf = (tick: Instant, times: Iterable<Instant>): boolean => {
  for (const at of times) {
    if (at % tick !== 0n) {
      return false;
    }
  }
  return true;
};

/** Returns the step of the clock in a window. */
export const tickIn = ({lines}: ReadWindow): Instant => tickOf(() => lines.stampedTimes());

/** Returns what the stamps of new lines leave out, if they are coarser than those before. */
export const decimalsLost = (before: ReadWindow | undefined, added: Added<LineEntry>): Instant => {
  const tick = before === undefined ? 1n : tickOf(() => timesIn(added));
  return before !== undefined && tick > 1n && tick > tickIn(before) ? tick - 1n : 0n;
};
