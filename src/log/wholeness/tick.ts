import {createWeakCache} from '#log/buffer/weak-cache.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {WindowLines} from '#log/window/window-lines.ts';
import {finishWork, linesPerPause, type Work} from '#log/work.ts';
import {type Added, timesIn} from '../ingest/added.ts';

/** Steps of the clocks that produce timestamps, in nanoseconds; each divides the one before. */
const ticks: readonly Instant[] = [1_000_000_000n, 1_000_000n, 1_000n, 1n];

const known = createWeakCache<Added<LineEntry> | WindowLines, Instant>();

/** Finds the step of the clock in these lines: the largest one that divides all times. */
function* findTick(lines: Added<LineEntry> | WindowLines): Work<Instant> {
  let [step, count] = [0, 0];
  for (const at of 'stampedTimes' in lines ? lines.stampedTimes() : timesIn(lines)) {
    while (at % (ticks[step] ?? 1n) !== 0n) {
      step += 1;
    }
    if (step === ticks.length - 1) {
      break;
    }
    count += 1;
    if (count % linesPerPause === 0) {
      yield;
    }
  }
  const tick = ticks[step] ?? 1n;
  known.set(lines, tick);
  return tick;
}

const tickOf = (lines: Added<LineEntry> | WindowLines): Instant => known.get(lines) ?? finishWork(findTick(lines));

/** From this many lines on, a key would notice that their step is found in one go. */
const manyLines = 16_384;

/** Finds the steps of the clock in long windows ahead of those who ask for them. */
export function* learnTicks({lines}: ReadWindow, added: Added<LineEntry>): Work<void> {
  for (const each of [lines, added]) {
    if (each.length >= manyLines) {
      yield* findTick(each);
    }
  }
}

/** Returns the step of the clock in a window. */
export const tickIn = ({lines}: ReadWindow): Instant => tickOf(lines);

/** Returns what the stamps of new lines leave out, if they are coarser than those before. */
export const decimalsLost = (before: ReadWindow | undefined, added: Added<LineEntry>): Instant => {
  const tick = before === undefined ? 1n : tickOf(added);
  return before !== undefined && tick > 1n && tick > tickIn(before) ? tick - 1n : 0n;
};
