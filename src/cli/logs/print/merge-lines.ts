/** Lines of one source in order, each with its time, in seconds since 1970 and nanoseconds. */
export type TimedLines = {readonly seconds: readonly number[]; readonly nanos: readonly number[]};

/** Neighbouring lines of one source, which hold until the next are asked for: from `first` to before `end`. */
type MergedRun<Lines> = {readonly lines: Lines; readonly first: number; readonly end: number};

type Queue<Lines> = {readonly source: AsyncIterator<Lines>; isOver: boolean; lines: Lines | undefined; next: number};

const isBefore = (left: Queue<TimedLines>, right: Queue<TimedLines>): boolean => {
  const [a, b] = [left.lines?.seconds[left.next] ?? 0, right.lines?.seconds[right.next] ?? 0];
  return a < b || (a === b && (left.lines?.nanos[left.next] ?? 0) < (right.lines?.nanos[right.next] ?? 0));
};

const hasLine = ({lines, next}: Queue<TimedLines>): boolean => lines !== undefined && next < lines.seconds.length;

/**
 * Puts the lines of several sources in order of time as they are read; of lines of one time, those of the first source
 * come first. Of each, what it yielded last waits for the others.
 */
export const mergeLines = async function* <Lines extends TimedLines>(
  sources: readonly AsyncIterable<Lines>[],
): AsyncGenerator<readonly MergedRun<Lines>[]> {
  const queues = sources.map((source): Queue<Lines> => {
    return {source: source[Symbol.asyncIterator](), isOver: false, lines: undefined, next: 0};
  });

  const refill = async (queue: Queue<Lines>): Promise<void> => {
    while (!queue.isOver && !hasLine(queue)) {
      const read = await queue.source.next();
      queue.isOver = read.done === true;
      queue.lines = read.done === true ? undefined : read.value;
      queue.next = 0;
    }
  };

  /** Takes lines in their order until those of a source that may have more are used up. */
  const takeRuns = (waiting: readonly Queue<Lines>[]): readonly MergedRun<Lines>[] => {
    const runs: MergedRun<Lines>[] = [];
    for (;;) {
      let [first, second]: (Queue<Lines> | undefined)[] = [];
      for (const queue of waiting) {
        if (first === undefined || isBefore(queue, first)) {
          second = first;
          first = queue;
        } else if (second === undefined || isBefore(queue, second)) {
          second = queue;
        }
      }
      if (first?.lines === undefined) {
        return runs;
      }
      const {lines, next} = first;
      const {length} = lines.seconds;
      first.next += 1;
      while (first.next < length && (second === undefined || isBefore(first, second))) {
        first.next += 1;
      }
      runs.push({lines, first: next, end: first.next});
      if (first.next === length) {
        return runs;
      }
    }
  };

  try {
    for (;;) {
      for (const queue of queues) {
        await refill(queue);
      }
      const waiting = queues.filter(hasLine);
      if (waiting.length === 0) {
        return;
      }
      yield takeRuns(waiting);
    }
  } finally {
    await Promise.all(queues.map(({source}) => source.return?.()));
  }
};
