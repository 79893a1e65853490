import type {KubeDouble} from '../start-kube-double.ts';
import type {Instance, Pod} from '../world/pod-model.ts';
import {createSeededRandom} from './seeded-random.ts';

export type WriterOptions = {
  readonly seed: number;
  /** Of each container; may be less than one. */
  readonly linesPerSecond: number;
  /** Of all lines, from 0 to 1. */
  readonly stderrShare?: number;
  /** Stamps of stderr lie back by up to so many milliseconds, as containerd's second writer makes them. */
  readonly stderrLateMs?: number;
  /** Lines of 20 to 50 KB, of all lines, from 0 to 1. */
  readonly longShare?: number;
};

/** The writers look at the clock so often. */
const tickMs = 20;

/** Writes numbered lines into every running container until it is stopped. */
export const startWriters = (double: KubeDouble, options: WriterOptions): {stop(): void} => {
  const {seed, linesPerSecond, stderrShare = 0, stderrLateMs = 0, longShare = 0} = options;
  const random = createSeededRandom(seed);
  const startedMs = performance.now();
  /** When each instance's next line is due, in seconds. */
  const due = new WeakMap<Instance, number>();

  const writeLine = (pod: Pod, container: string): void => {
    const isStderr = random.next() < stderrShare;
    const lateMs = isStderr && stderrLateMs > 0 ? random.between(0, stderrLateMs) : 0;
    double.pods.write(pod, container, {
      stream: isStderr ? 'stderr' : 'stdout',
      stampOffsetNs: BigInt(-lateMs) * 1_000_000n,
      ...(random.next() < longShare ? {bytes: random.between(20_000, 50_000)} : {}),
    });
  };

  const write = (): void => {
    const seconds = (performance.now() - startedMs) / 1000;
    for (const pod of double.pods.all()) {
      for (const {current, spec} of pod.containers) {
        if (current === undefined || current.finishedNs !== undefined) {
          continue;
        }
        // Spread over the second, so that a thousand quiet containers don't all write in the same tick.
        let next = due.get(current) ?? seconds + random.next() / linesPerSecond;
        for (; next <= seconds; next += 1 / linesPerSecond) {
          writeLine(pod, spec.name);
        }
        due.set(current, next);
      }
    }
  };
  const timer = setInterval(write, tickMs);
  return {stop: () => clearInterval(timer)};
};
