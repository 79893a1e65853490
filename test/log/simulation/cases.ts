import {
  type Cluster,
  type ClusterEmission,
  type ClusterOptions,
  clusterStartAt,
  createCluster,
  millisecond,
  second,
} from './simulated-cluster.ts';

/** A way in which a log was once put together wrong: a service's answers, the same every time. */
export type LossCase = {
  readonly name: string;
  readonly bufferBytesMax?: number;
  /** Lines too late for the buffer are handed out, as a printer wants it. */
  readonly keepsLateLines?: boolean;
  readonly build: () => Cluster;
};

const pollNanos = 300n * millisecond;

/** A few lines of every source, in turns, so that their lines lie between each other's. */
const trickle = (cluster: Cluster, sources: readonly string[], rounds: number, more: Partial<ClusterEmission> = {}) => {
  for (let round = 0; round < rounds; round++) {
    for (const source of sources) {
      cluster.emit({source, count: 1, stepNanos: millisecond, ...more});
    }
  }
};

type Turns = {
  readonly options: ClusterOptions;
  readonly podCount: number;
  readonly sources: readonly string[];
  readonly burst: number;
  readonly rounds?: number;
  /** How many of each source are there at first, and come between two polls. */
  readonly fill?: number;
  readonly between?: number;
};

/** Sources that burst in turns, one in each poll, with a trickle from all. */
const inTurns = ({options, podCount, sources, burst, rounds = 12, fill = 200, between = 2}: Turns): Cluster => {
  const cluster = createCluster(options);
  for (let pod = 0; pod < podCount; pod++) {
    cluster.podComes();
  }
  if (between === 0) {
    // Strictly one after the other: no line of one lies between those of another, so that nothing tells that there are
    // several.
    for (const source of sources) {
      cluster.emit({source, count: fill, stepNanos: millisecond});
    }
  } else {
    trickle(cluster, sources, fill);
  }
  cluster.poll();
  for (let round = 0; round < rounds; round++) {
    trickle(cluster, sources, between);
    cluster.poll();
    const source = sources[round % sources.length] ?? '1/app';
    cluster.emit({source, count: burst, stepNanos: 100_000n});
    cluster.wait(pollNanos);
    cluster.poll();
  }
  return cluster;
};

/** One pod, cut as one by count, that bursts past its window in every second poll. */
const bursts = (
  options: ClusterOptions,
  {
    lines,
    burst,
    few = 5,
    rounds = 8,
    ...more
  }: Partial<ClusterEmission> & {
    readonly lines: number;
    readonly burst: number;
    readonly few?: number;
    readonly rounds?: number;
  },
): Cluster => {
  const cluster = createCluster(options);
  cluster.podComes();
  cluster.emit({source: '1/app', stepNanos: millisecond, ...more, count: lines});
  cluster.poll();
  for (let round = 0; round < rounds; round++) {
    cluster.emit({source: '1/app', stepNanos: millisecond, ...more, count: few});
    cluster.wait(pollNanos);
    cluster.poll();
    cluster.emit({source: '1/app', stepNanos: 100_000n, ...more, count: burst});
    cluster.wait(pollNanos);
    cluster.poll();
  }
  return cluster;
};

const eachPod = (lines: number): ClusterOptions => ({cut: {per: 'pod', by: 'arrival', lines}, show: 'stamp'});
const eachSource = (lines: number): ClusterOptions => ({cut: {per: 'source', by: 'arrival', lines}, show: 'stamp'});
const asOne = (lines: number, by: 'stamp' | 'arrival' = 'stamp'): ClusterOptions => ({
  cut: {per: 'branch', by, lines},
  show: by,
});

const threePods = ['1/app', '2/app', '3/app'];

/** Fifteen ways in which a log was once lost or doubled, some in more than one form. */
export const lossCases: readonly LossCase[] = [
  {
    name: 'each pod is cut on its own, and two pods burst in turns',
    build: () =>
      inTurns({options: eachPod(300), podCount: 2, sources: ['1/app', '2/app'], burst: 700, fill: 300, between: 0}),
  },
  {
    name: 'each pod is cut on its own, and two pods that trickle burst in turns',
    build: () => inTurns({options: eachPod(300), podCount: 2, sources: ['1/app', '2/app'], burst: 700}),
  },
  {
    name: 'one pod whose three containers are cut each on its own',
    build: () => inTurns({options: eachSource(300), podCount: 1, sources: ['1/app', '1/web', '1/editor'], burst: 500}),
  },
  {
    name: 'each pod is cut on its own, and the list of pods is empty',
    build: () => inTurns({options: {...eachPod(200), podList: 'none'}, podCount: 3, sources: threePods, burst: 500}),
  },
  {
    name: 'each pod is cut on its own, and the list of pods names one of three',
    build: () => inTurns({options: {...eachPod(200), podList: 'first'}, podCount: 3, sources: threePods, burst: 300}),
  },
  {
    name: 'each pod is cut on its own, and the list of pods has other names at each poll',
    build: () => inTurns({options: {...eachPod(200), podList: 'renamed'}, podCount: 3, sources: threePods, burst: 700}),
  },
  {
    name: 'a banner: one constant stamped line at the front of each window',
    build: () => bursts({...asOne(300), banner: 'constant'}, {lines: 300, burst: 900}),
  },
  {
    name: 'a banner stamped anew for each window',
    build: () => bursts({...asOne(300), banner: 'fresh'}, {lines: 300, burst: 900}),
  },
  {
    name: 'a window cut by bytes that begins with a fragment',
    build: () => bursts({...asOne(300), fragmentBytes: 12}, {lines: 300, burst: 900}),
  },
  {
    name: 'every other line is an unstamped closing brace',
    build: () => bursts(asOne(301), {lines: 300, burst: 900, unstampedAfter: 1, unstampedText: '}'}),
  },
  {
    name: 'one line in ten is an unstamped trace line',
    build: () =>
      // Each window before a burst ends with such a line, and the one after it begins with another.
      bursts(asOne(301), {
        lines: 300,
        burst: 901,
        few: 10,
        unstampedAfter: 1,
        unstampedEvery: 9,
        unstampedText: '    at Handler.run (handler.js:10)',
      }),
  },
  {
    name: 'a clock is set back by an hour, and bursts come after that',
    build: () => clockSetBack(false),
  },
  {
    name: 'a clock is set back by an hour in the very poll of a burst',
    build: () => clockSetBack(true),
  },
  {
    name: 'one empty answer, then a burst',
    build: () => {
      const cluster = bursts(asOne(300), {lines: 300, burst: 40, rounds: 3});
      for (let round = 0; round < 3; round++) {
        cluster.pollBlank();
        cluster.emit({source: '1/app', count: 1200, stepNanos: 100_000n});
        cluster.poll();
        cluster.emit({source: '1/app', count: 20, stepNanos: millisecond});
        cluster.poll();
      }
      return cluster;
    },
  },
  {
    name: 'a source 0.9 s late where the window spans 0.8 s',
    build: () => {
      const cluster = createCluster(asOne(400));
      cluster.podComes();
      // At first the window spans two seconds, so that the late lines are seen.
      for (let round = 0; round < 100; round++) {
        cluster.emit({source: '1/app', count: 4, stepNanos: 5n * millisecond});
        cluster.emit({source: '1/web', count: 1, stepNanos: 0n, lateNanos: 900n * millisecond});
        if (round % 10 === 9) {
          cluster.poll();
        }
      }
      for (let round = 0; round < 200; round++) {
        cluster.emit({source: '1/app', count: 20, stepNanos: 2n * millisecond});
        cluster.emit({source: '1/web', count: 2, stepNanos: 0n, lateNanos: 900n * millisecond});
        if (round % 5 === 4) {
          cluster.poll();
        }
      }
      return cluster;
    },
  },
  {
    name: 'a pod goes in the poll in which another bursts',
    build: () => {
      const cluster = createCluster(eachPod(300));
      const [steady, loud] = [cluster.podComes(), cluster.podComes()];
      for (let round = 0; round < 8; round++) {
        const quiet = cluster.podComes();
        trickle(cluster, [`${quiet}/app`, `${steady}/app`, `${loud}/app`], 40);
        cluster.poll();
        cluster.emit({source: `${loud}/app`, count: 60, stepNanos: millisecond});
        cluster.poll();
        cluster.podGoes(quiet);
        cluster.emit({source: `${loud}/app`, count: 600, stepNanos: 100_000n});
        cluster.poll();
      }
      return cluster;
    },
  },
  {
    name: 'late lines in bursts',
    build: () => {
      const cluster = createCluster(asOne(300));
      cluster.podComes();
      trickle(cluster, ['1/app'], 300, {stepNanos: 10n * millisecond});
      cluster.poll();
      for (let round = 0; round < 8; round++) {
        cluster.emit({source: '1/app', count: 20, stepNanos: 10n * millisecond});
        cluster.emit({source: '1/web', count: 30, stepNanos: 100_000n, lateNanos: second});
        cluster.poll();
        cluster.emit({source: '1/app', count: 350, stepNanos: millisecond});
        cluster.emit({source: '1/web', count: 60, stepNanos: 100_000n, lateNanos: second});
        cluster.emit({source: '1/app', count: 20, stepNanos: millisecond});
        cluster.poll();
      }
      return cluster;
    },
  },
  {
    name: 'stamps of whole seconds, half of the lines one text, in bursts',
    build: () => bursts({...asOne(300), tickNanos: second}, {lines: 300, burst: 759, sameTextEvery: 2}),
  },
  {
    name: 'one line stamped two hours ago in a burst, cut by arrival',
    build: () => {
      const cluster = createCluster({cut: {per: 'branch', by: 'arrival', lines: 300}, show: 'stamp'});
      cluster.podComes();
      trickle(cluster, ['1/app'], 300);
      cluster.poll();
      for (let round = 0; round < 6; round++) {
        cluster.emit({source: '1/app', count: 30, stepNanos: millisecond});
        cluster.poll();
        cluster.emit({source: '1/app', count: 500, stepNanos: 100_000n});
        cluster.emit({source: '1/app', count: 1, forgedAt: clusterStartAt - 7200n * second + BigInt(round)});
        cluster.emit({source: '1/app', count: 100, stepNanos: 100_000n});
        cluster.poll();
      }
      return cluster;
    },
  },
  {
    name: 'replicas that lag by several windows, whose windows are larger than the buffer',
    bufferBytesMax: 12_000,
    keepsLateLines: true,
    build: () => {
      const cluster = createCluster(asOne(300));
      cluster.podComes();
      trickle(cluster, ['1/app'], 300);
      const history = [cluster.lookNow()];
      for (let round = 0; round < 30; round++) {
        cluster.emit({source: '1/app', count: 60, stepNanos: millisecond});
        history.push(cluster.lookNow());
        cluster.poll();
        const older = history.at(-1 - (round % 5));
        if (older !== undefined && round % 2 === 1) {
          cluster.pollOlder(older);
        }
      }
      return cluster;
    },
  },
  {
    name: 'pods one after the other, the second beginning with unstamped lines',
    build: () => {
      const cluster = createCluster({cut: {per: 'pod', by: 'arrival', lines: 120}, show: 'parts'});
      cluster.podComes();
      cluster.podComes();
      trickle(cluster, ['1/app'], 120);
      for (let round = 0; round < 40; round++) {
        cluster.emit({source: '2/app', count: 1, stepNanos: millisecond, unstampedAfter: 2, unstampedFirst: true});
      }
      cluster.poll();
      for (let round = 0; round < 15; round++) {
        cluster.emit({source: '1/app', count: 5, stepNanos: millisecond});
        cluster.emit({source: '2/app', count: 1, stepNanos: millisecond, unstampedAfter: 2, unstampedFirst: true});
        cluster.poll();
      }
      return cluster;
    },
  },
];

/** More of the kind. */
export const moreLossCases: readonly LossCase[] = [
  {
    name: 'one line stamped in 2199, then bursts, cut by stamp',
    build: () => forged(asOne(300)),
  },
  {
    name: 'one line stamped in 2199, then bursts, cut by arrival and sorted by stamp',
    build: () => forged({cut: {per: 'branch', by: 'arrival', lines: 300}, show: 'stamp'}),
  },
  {
    name: 'one line stamped in 2199, then bursts, cut and shown by arrival',
    build: () => forged(asOne(300, 'arrival')),
  },
  {
    name: 'pods whose clocks are an hour apart, each cut on its own, burst in turns',
    build: () => {
      const cluster = createCluster(eachPod(300));
      for (let pod = 1; pod <= 3; pod++) {
        cluster.podComes();
        cluster.setClock(pod, BigInt(pod - 2) * 1800n * second);
      }
      trickle(cluster, threePods, 200);
      cluster.poll();
      for (let round = 0; round < 9; round++) {
        trickle(cluster, threePods, 3);
        cluster.poll();
        cluster.emit({source: threePods[round % 3] ?? '1/app', count: 700, stepNanos: 100_000n});
        cluster.poll();
      }
      return cluster;
    },
  },
];

const forged = (options: ClusterOptions): Cluster => {
  const cluster = createCluster(options);
  cluster.podComes();
  trickle(cluster, ['1/app'], 200);
  cluster.poll();
  cluster.emit({source: '1/app', count: 1, forgedAt: clusterStartAt + 5_460_000_000n * second});
  cluster.emit({source: '1/app', count: 20, stepNanos: millisecond});
  cluster.poll();
  for (let round = 0; round < 8; round++) {
    cluster.emit({source: '1/app', count: 30, stepNanos: millisecond});
    cluster.poll();
    cluster.emit({source: '1/app', count: 900, stepNanos: 100_000n});
    cluster.poll();
  }
  return cluster;
};

/** A service that shows what arrived last: stamps of an hour ago stand after the newest. */
const clockSetBack = (inTheVeryPoll: boolean): Cluster => {
  const cluster = createCluster(asOne(300, 'arrival'));
  cluster.podComes();
  trickle(cluster, ['1/app'], 300);
  cluster.poll();
  cluster.emit({source: '1/app', count: 50, stepNanos: millisecond});
  cluster.poll();
  cluster.setClock(1, -3600n * second);
  cluster.emit({source: '1/app', count: inTheVeryPoll ? 900 : 50, stepNanos: 100_000n});
  cluster.poll();
  for (let round = 0; round < 6; round++) {
    cluster.emit({source: '1/app', count: 30, stepNanos: millisecond});
    cluster.poll();
    cluster.emit({source: '1/app', count: inTheVeryPoll ? 30 : 900, stepNanos: 100_000n});
    cluster.poll();
  }
  return cluster;
};

/**
 * Found on a real client: windows of 1,000 lines by time, a loud pod with 6,000 lines every four seconds, and a quiet
 * one.
 */
export const aheadCase = (aheadNanos: bigint): Cluster => {
  const cluster = createCluster(asOne(1000));
  cluster.podComes();
  cluster.podComes();
  cluster.setClock(2, aheadNanos);
  trickle(cluster, ['1/app', '2/app'], 500);
  cluster.poll();
  for (let round = 0; round < 7; round++) {
    cluster.emit({source: '1/app', count: 6000, stepNanos: 10_000n});
    cluster.emit({source: '2/app', count: 1, stepNanos: millisecond});
    cluster.poll();
    for (let poll = 0; poll < 7; poll++) {
      cluster.wait(480n * millisecond);
      cluster.emit({source: '1/app', count: 10, stepNanos: millisecond});
      cluster.emit({source: '2/app', count: 1, stepNanos: millisecond});
      cluster.poll();
    }
  }
  return cluster;
};
