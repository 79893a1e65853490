import type {Instant} from '#log/line/instant.ts';
import {beginCommandRun, type Front, isAheadOf, settleRun, step} from './command-run.ts';
import {createLineMemory, type Known} from './line-memory.ts';

/**
 * Creates an empty memory of the last lines taken of a pod, over all runs of its command. Copies are counted: the
 * second copy of a line is known only if two were taken. `readTime` returns the time at which a line says it was
 * written.
 */
export const createKnownLines = (readTime: (line: string) => Instant | undefined) => {
  const memory = createLineMemory(readTime);
  let run = beginCommandRun({lines: [], hasForgotten: false}, {isFirst: true, unfinished: undefined});
  /** How often the run may still repeat each line. */
  let copies = new Map<string, number>();

  const takeCopy = ({id}: Known): boolean => {
    const count = copies.get(id) ?? 0;
    if (count > 1) {
      copies.set(id, count - 1);
    } else {
      copies.delete(id);
    }
    return count > 0;
  };

  const advance = (next: ReturnType<typeof settleRun>): readonly string[] => {
    run = next.run;
    return next.taken;
  };

  const takeLine = (text: string): readonly string[] => {
    const own = readTime(text);
    if (isAheadOf(run, own)) {
      memory.rememberAsIs([text]);
      return advance(step(run, {text, own, is: 'ahead'}));
    }
    const identity = memory.identify(text);
    const taken = advance(
      step(run, {text, own, is: !identity ? 'headless' : takeCopy(identity) ? 'known' : 'unknown'}),
    );
    if (taken.length > 0) {
      memory.remember(identity);
    }
    return taken;
  };

  return {
    restore: memory.restore,
    /**
     * Begins a run. `isFirst`: nothing was ever read before it. `unfinished`: the last line taken, if its end had not
     * come: the run may repeat it whole.
     */
    beginRun: (isFirst: boolean, unfinished: string = ''): void => {
      const before = memory.recall();
      copies = new Map();
      for (const {id} of before.lines) {
        copies.set(id, (copies.get(id) ?? 0) + 1);
      }
      run = beginCommandRun(before, {
        isFirst,
        unfinished: unfinished === '' ? undefined : {text: unfinished, hasTime: readTime(unfinished) !== undefined},
      });
    },
    /** Returns the run's next lines that were not taken before, or the rest of one, and remembers them. */
    takeNew: (lines: readonly string[]): readonly string[] => {
      if (run.front !== 'joined' || run.unfinished || copies.size > 0) {
        return lines.flatMap(takeLine);
      }
      // Nothing is left that this run could repeat.
      memory.rememberAsIs(lines);
      return lines;
    },
    /** Ends the wait for a line that shows how the run joins. Returns the lines that waited. */
    settle: () => advance(settleRun(run)),
    front: (): Front => run.front,
  };
};
