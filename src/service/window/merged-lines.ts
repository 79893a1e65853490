import type {Instant} from '#log/line/instant.ts';
import type {LineSink} from './line-sink.ts';
import {createLineStamper, type PodReading, type StampedLine, type StampedStream} from './line-stamper.ts';
import {emptyStreamStamps} from './stored-state.ts';

/** Lines of one source that wait for earlier ones of another. */
type Queue = {stream: StampedStream; lines: readonly StampedLine[]; next: number; hasMore: boolean};

type MergeOptions = {
  readonly sink: LineSink;
  readonly pods: ReadonlyMap<number, PodReading>;
  readonly now: () => Instant;
};

const compareStamps = (left: StampedLine, right: StampedLine): number =>
  left.stamp < right.stamp ? -1 : left.stamp > right.stamp ? 1 : 0;

/**
 * Creates what puts the lines of several sources in order of time as they are read. Each source is in order by itself,
 * but for container lines, whose times are their own: these are put in order as far as they wait here.
 */
export const createMergedLines = ({sink, pods, now}: MergeOptions) => {
  const stamper = createLineStamper({clock: {last: 0n, highest: 0n}, pods});
  /** In the order in which the sources were named: of lines of one time, those of the first come first. */
  const queues = new Map<number, Queue>(
    [...pods.keys()].map(podKey => [
      podKey,
      {stream: {podKey, stamps: emptyStreamStamps, held: {}}, lines: [], next: 0, hasMore: true},
    ]),
  );
  let takenCount = 0;

  return {
    /** What the sources write to. */
    sink: {
      ...sink,
      take: (stream, lines, {endsHere = false, head = Buffer.alloc(0), changes} = {}) => {
        const stamped = stamper.take(stream, lines, {head, readAt: now(), after: takenCount, endsHere});
        takenCount += stamped.length;
        const queue = queues.get(stream.podKey);
        const waiting = [...(queue?.lines.slice(queue.next) ?? []), ...stamped];
        queues.set(stream.podKey, {
          ...{stream, next: 0, hasMore: queue?.hasMore ?? true},
          lines: waiting.toSorted(compareStamps),
        });
        sink.note(changes?.() ?? {});
      },
    } satisfies LineSink,
    /** The time of the first line of a source that waits; undefined if none does, so that it is to be read. */
    firstWaiting: (podKey: number): Instant | undefined => {
      const {lines = [], next = 0} = queues.get(podKey) ?? {};
      return lines[next]?.stamp;
    },
    /** Notes whether a source has more to be read. */
    noteMore: (podKey: number, hasMore: boolean): void => {
      const queue = queues.get(podKey);
      if (queue) {
        queue.hasMore = hasMore;
      }
    },
    /** Passes on the lines that no other one can come before, until `isFull`. */
    release: (isFull: () => boolean): void => {
      while (!isFull()) {
        let first: Queue | undefined;
        let others: StampedLine | undefined;
        for (const queue of queues.values()) {
          const line = queue.lines[queue.next];
          if (line === undefined) {
            if (queue.hasMore) {
              return;
            }
            continue;
          }
          const best = first?.lines[first.next];
          if (best === undefined || line.stamp < best.stamp) {
            others = best ?? others;
            first = queue;
          } else if (others === undefined || line.stamp < others.stamp) {
            others = line;
          }
        }
        if (first === undefined) {
          return;
        }
        const {stream, lines, next} = first;
        let end = next + 1;
        for (let line = lines[end]; line && (others === undefined || line.stamp < others.stamp); line = lines[end]) {
          end += 1;
        }
        sink.add(stream, lines.slice(next, end));
        first.next = end;
      }
    },
  };
};
