import type {KubeDouble} from '../start-kube-double.ts';
import {isRunning, type Pod} from '../world/pod-model.ts';
import type {Workload} from '../world/workloads.ts';
import {createSeededRandom, type SeededRandom} from './seeded-random.ts';

export const faultKinds = [
  'cut streams',
  'end streams',
  'end streams in a line',
  'freeze streams',
  'restart once',
  'restart twice',
  'crash and start again',
  'roll out',
  'replace a StatefulSet',
  'evict',
  'rotate',
  'rotate and cut',
  'cut the watches',
  'gone as an event',
  'gone as a status',
  'throttle',
  'rotate the token',
  'error text',
  'go away',
  'reset connections',
  'freeze connections',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export type FaultOptions = {
  readonly seed: number;
  readonly workloads: readonly Workload[];
  /** Left out: all but `freeze connections`, which needs the double's relay. */
  readonly kinds?: readonly FaultKind[];
  readonly everyMs?: {readonly min: number; readonly max: number};
  /** Hands a rotated token to the reader; the old one is refused at once. */
  readonly onToken?: (token: string) => void;
  /** Gets each fault as it comes; the seed goes to the console. */
  readonly report?: (line: string) => void;
};

export type Faults = {
  /** Applied so far, oldest first. */
  readonly applied: readonly FaultKind[];
  /** No further faults; what is frozen stays frozen. */
  stop(): void;
  /** Roll-outs and restarts that had begun have come to their end. */
  readonly isIdle: boolean;
};

type Target = {readonly pod: Pod; readonly container: string};

/** Applies one fault now; tests that want a story call it by name. */
export const createFaultDriver = (double: KubeDouble, options: FaultOptions, random: SeededRandom) => {
  let token = double.token;

  const targets = (): readonly Target[] =>
    options.workloads.flatMap(workload =>
      workload.pods().flatMap(pod => pod.containers.filter(isRunning).map(({spec}) => ({pod, container: spec.name}))),
    );
  const rolling = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const later = (delayMs: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, delayMs);
    timers.add(timer);
  };
  const onSome = (spoil: (stream: ReturnType<KubeDouble['streams']>[number]) => void): void => {
    for (const stream of double.streams('log').filter(() => random.next() < 0.4)) {
      spoil(stream);
    }
  };
  const onOne = (spoil: (target: Target) => void): void => {
    const target = random.pick(targets());
    if (target !== undefined) {
      spoil(target);
    }
  };
  const cutWatches = (): void => {
    for (const stream of double.streams('watch')) {
      stream.cut();
    }
  };

  const faults: Readonly<Record<FaultKind, () => void>> = {
    'cut streams': () => onSome(stream => stream.cut()),
    'end streams': () => onSome(stream => stream.end()),
    'end streams in a line': () => onSome(stream => stream.endInNextLine()),
    'freeze streams': () => onSome(stream => stream.freeze()),
    'restart once': () => onOne(({pod, container}) => double.pods.restart(pod, container)),
    'restart twice': () =>
      onOne(({pod, container}) => {
        double.pods.restart(pod, container);
        double.pods.write(pod, container);
        double.pods.restart(pod, container);
      }),
    'crash and start again': () =>
      onOne(({pod, container}) => {
        double.pods.crash(pod, container, 'CrashLoopBackOff');
        later(200, () => {
          if (!pod.isGone && pod.failure === undefined) {
            double.pods.startAgain(pod, container);
          }
        });
      }),
    'roll out': () => {
      const workload = random.pick(options.workloads.filter(({kind}) => kind === 'Deployment'));
      if (workload === undefined || rolling.has(workload.uid)) {
        return;
      }
      rolling.add(workload.uid);
      const image = `registry.example.com/php:${random.between(2, 99)}.0`;
      const rollOut = double.workloads.beginRollOut(workload, {image});
      later(100, rollOut.startNew);
      later(200, () => {
        rollOut.removeOld();
        rolling.delete(workload.uid);
      });
    },
    'replace a StatefulSet': () => {
      const workload = random.pick(options.workloads.filter(({kind}) => kind === 'StatefulSet'));
      if (workload !== undefined) {
        double.workloads.rollOut(workload);
      }
    },
    evict: () =>
      onOne(({pod}) => {
        double.pods.evict(pod);
        const workload = options.workloads.find(candidate => candidate.pods().includes(pod));
        if (workload !== undefined) {
          double.workloads.replace(workload, pod);
        }
      }),
    rotate: () => onOne(({pod, container}) => double.pods.rotate(pod, container)),
    'rotate and cut': () =>
      onOne(({pod, container}) => {
        for (const stream of double.streams('log')) {
          if (stream.name === pod.name && stream.container === container) {
            stream.cut();
          }
        }
        double.pods.write(pod, container);
        double.pods.rotate(pod, container);
      }),
    'cut the watches': cutWatches,
    'gone as an event': () => {
      double.compact('event');
      cutWatches();
    },
    'gone as a status': () => {
      double.compact('status');
      cutWatches();
    },
    throttle: () => {
      double.throttle(random.between(1, 3), 1);
      cutWatches();
    },
    'rotate the token': () => {
      token = double.access.rotateToken(token);
      options.onToken?.(token);
    },
    'error text': () => {
      double.failNextLog('failed to create fsnotify watcher: too many open files');
      onOne(({pod}) => {
        for (const stream of double.streams('log').filter(({name}) => name === pod.name)) {
          stream.cut();
        }
      });
    },
    'go away': () => double.connections.goAway(),
    'reset connections': () => double.connections.resetConnections(),
    'freeze connections': () => double.freezeConnections(),
  };
  return {
    apply: (kind: FaultKind): void => faults[kind](),
    /** Roll-outs and restarts that have begun still come to their end. */
    isIdle: (): boolean => timers.size === 0,
  };
};

/**
 * Applies faults one after the other, chosen by a seed. Timers run by the wall clock, so a seed gives the same faults
 * in the same order, but not at the same lines.
 */
export const startFaults = (double: KubeDouble, options: FaultOptions): Faults => {
  const {seed, everyMs = {min: 300, max: 800}} = options;
  const kinds = options.kinds ?? faultKinds.filter(kind => kind !== 'freeze connections');
  const report = options.report ?? (() => {});
  const random = createSeededRandom(seed);
  // Whom a fault meets depends on what runs just then; that must not change which fault is next.
  const driver = createFaultDriver(double, options, createSeededRandom(seed + 1));
  const applied: FaultKind[] = [];
  console.info(`faults: seed ${seed}`);

  const schedule = (): NodeJS.Timeout =>
    setTimeout(
      () => {
        const kind = random.pick(kinds);
        if (kind !== undefined) {
          report(kind);
          applied.push(kind);
          driver.apply(kind);
        }
        timer = schedule();
      },
      random.between(everyMs.min, everyMs.max),
    );
  let timer = schedule();
  return {
    applied,
    stop: () => clearTimeout(timer),
    get isIdle() {
      return driver.isIdle();
    },
  };
};
