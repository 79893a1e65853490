import {type Instant, nanosPerSecond} from '#log/line/instant.ts';
import {createStampedLines, noLines, type StampedLines} from './merge/stamped-lines.ts';

/** What is read block by block; a block need hold only until the next one is asked for. */
type MergedSource = {
  readonly blocks: AsyncIterable<Buffer>;
  /** When it was written last, where that is known: a time without a year is no later. */
  readonly writtenAt?: Instant | undefined;
};

/** Neighbouring lines of one source, which hold until the next are asked for: from `first` to before `end`. */
type MergedRun = {
  readonly sourceIndex: number;
  readonly lines: StampedLines;
  readonly first: number;
  readonly end: number;
};

type Queue = {
  readonly sourceIndex: number;
  readonly take: (block: Buffer | undefined) => StampedLines;
  readonly blocks: AsyncIterator<Buffer>;
  lines: StampedLines;
  next: number;
  isOver: boolean;
  /** The time of the last line. */
  last: readonly [seconds: number, nanos: number];
};

type MergeOptions = {
  readonly now: Instant;
  /** Takes why a source cannot be read any further, and the time of its last line. */
  readonly onFault: (sourceIndex: number, error: unknown, lastAt: Instant) => void;
  /** Returns what is to be put in order in place of lines that were read of a source: of each, some or none. */
  readonly show?: ((sourceIndex: number, lines: StampedLines) => StampedLines) | undefined;
};

const isBefore = (left: Queue, right: Queue): boolean => {
  const [a, b] = [left.lines.seconds[left.next] ?? 0, right.lines.seconds[right.next] ?? 0];
  return a < b || (a === b && (left.lines.nanos[left.next] ?? 0) < (right.lines.nanos[right.next] ?? 0));
};

/**
 * Puts the lines of several sources in order of time as they are read; of lines of one time, those of the first source
 * come first. Of each, one block waits for the others. A source that fails ends there.
 */
export const mergeLines = async function* (
  sources: readonly MergedSource[],
  {now, onFault, show = (_, lines) => lines}: MergeOptions,
): AsyncGenerator<readonly MergedRun[]> {
  const queues = sources.map(({blocks, writtenAt}, sourceIndex): Queue => {
    const take = createStampedLines({now, writtenAt});
    return {
      sourceIndex,
      take,
      blocks: blocks[Symbol.asyncIterator](),
      lines: noLines,
      next: 0,
      isOver: false,
      last: [0, 0],
    };
  });

  const refill = async (queue: Queue): Promise<void> => {
    while (!queue.isOver && queue.next === queue.lines.ends.length) {
      const block = await queue.blocks.next().catch((error: unknown) => {
        const [seconds, nanos] = queue.last;
        onFault(queue.sourceIndex, error, BigInt(seconds) * nanosPerSecond + BigInt(nanos));
        return {done: true, value: undefined};
      });
      queue.isOver = block.done === true;
      const lines = queue.take(block.done === true ? undefined : block.value);
      queue.last = [lines.seconds.at(-1) ?? queue.last[0], lines.nanos.at(-1) ?? queue.last[1]];
      queue.lines = show(queue.sourceIndex, lines);
      queue.next = 0;
    }
  };

  /** Takes lines in their order until those of a source that has more are used up. */
  const takeRuns = (waiting: readonly Queue[]): readonly MergedRun[] => {
    const runs: MergedRun[] = [];
    for (let left = waiting; left.length > 0; ) {
      let [first, second]: (Queue | undefined)[] = [];
      for (const queue of left) {
        if (first === undefined || isBefore(queue, first)) {
          second = first;
          first = queue;
        } else if (second === undefined || isBefore(queue, second)) {
          second = queue;
        }
      }
      if (first === undefined) {
        break;
      }
      const {sourceIndex, lines, next} = first;
      const {length} = lines.ends;
      first.next += 1;
      while (first.next < length && (second === undefined || isBefore(first, second))) {
        first.next += 1;
      }
      runs.push({sourceIndex, lines, first: next, end: first.next});
      if (first.next === length) {
        if (!first.isOver) {
          break;
        }
        left = left.filter(queue => queue !== first);
      }
    }
    return runs;
  };

  for (;;) {
    for (const queue of queues) {
      await refill(queue);
    }
    const waiting = queues.filter(({lines, next}) => next < lines.ends.length);
    if (waiting.length === 0) {
      return;
    }
    yield takeRuns(waiting);
  }
};
