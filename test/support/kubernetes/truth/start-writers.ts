import type {KubeDouble} from '../start-kube-double.ts';
import {isRunning} from '../world/pod-model.ts';
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
  const writeDue = new Map<string, number>();

  const write = (): void => {
    const seconds = (performance.now() - startedMs) / 1000;
    for (const pod of double.pods.all()) {
      for (const container of pod.containers.filter(isRunning)) {
        const key = `${pod.uid}/${container.spec.name}`;
        // Spread over the second, so that a thousand quiet containers don't all write in the same tick.
        const start = writeDue.get(key) ?? seconds + random.next() / linesPerSecond;
        let due = start;
        for (; due <= seconds; due += 1 / linesPerSecond) {
          const isStderr = random.next() < stderrShare;
          const lateMs = isStderr && stderrLateMs > 0 ? random.between(0, stderrLateMs) : 0;
          double.pods.write(pod, container.spec.name, {
            stream: isStderr ? 'stderr' : 'stdout',
            stampOffsetNs: BigInt(-lateMs) * 1_000_000n,
            ...(random.next() < longShare ? {bytes: random.between(20_000, 50_000)} : {}),
          });
        }
        writeDue.set(key, due);
      }
    }
  };
  const timer = setInterval(write, tickMs);
  return {stop: () => clearInterval(timer)};
};
