import {createRandom, type Random} from './random.ts';
import {
  type Cluster,
  type ClusterCut,
  type ClusterEmission,
  type ClusterLook,
  type ClusterOptions,
  clusterStartAt,
  createCluster,
  millisecond,
  second,
} from './simulated-cluster.ts';

/** What a service says of its windows: how they are cut, nothing, or the numbers of its lines. */
export const clusterFamilies = ['cut', 'nothing', 'arrivals'] as const;
export type ClusterFamily = (typeof clusterFamilies)[number];

/** What may happen beside lines that come and polls; the fewer at once, the nearer a fault is to its cause. */
export type ClusterTraits = {
  readonly bursts: boolean;
  readonly skew: 'none' | 'small' | 'hours';
  readonly clockSteps: boolean;
  readonly forged: boolean;
  readonly late: boolean;
  readonly unstamped: 'none' | 'some' | 'braces' | 'anywhere';
  readonly sameTexts: boolean;
  readonly podChanges: boolean;
  readonly lag: boolean;
  readonly blanks: boolean;
};

const lateNanosMax = 60;
const podsMax = 4;
/** Of all that happens so much is a poll. */
const pollShare = 0.38;
/** Clocks differ by up to an hour. */
const clockMsMax = 1_800_000;
const olderLooksMax = 12;
const containers = ['app', 'web', 'editor'] as const;

const chooseTraits = (random: Random, family: ClusterFamily): ClusterTraits => {
  // Half of the services have one or two of these, the others as many as come.
  const share = random.pick([0.1, 0.1, 0.2, 0.5]);
  const ours = family === 'arrivals';
  return {
    bursts: random.chance(0.8),
    skew: random.chance(share) ? random.pick(['small', 'hours']) : 'none',
    clockSteps: random.chance(share),
    forged: random.chance(share),
    late: random.chance(share),
    unstamped: random.chance(share) ? random.pick(['some', 'braces', 'anywhere']) : 'none',
    sameTexts: random.chance(share),
    podChanges: random.chance(share),
    lag: !ours && random.chance(share),
    blanks: !ours && random.chance(share),
  };
};

const chooseCut = (random: Random, family: ClusterFamily): ClusterCut => {
  const per = random.pick<ClusterCut['per']>(family === 'arrivals' ? ['branch', 'pod'] : ['branch', 'pod', 'source']);
  const by = random.pick<ClusterCut['by']>(family === 'arrivals' ? ['arrival'] : ['stamp', 'arrival']);
  if (per === 'branch' && random.chance(0.25)) {
    return {per, by, spanNanos: BigInt(random.integer(20, 200)) * millisecond};
  }
  return {per, by, lines: per === 'branch' ? random.integer(12, 60) : random.integer(6, 24)};
};

/** What is cut by stamp is shown by stamp; of parts one may follow the other. */
const showsOf = ({per, by}: ClusterCut): readonly [ClusterOptions['show'], ...ClusterOptions['show'][]] => {
  const merged = by === 'stamp' ? (['stamp'] as const) : (['stamp', 'arrival'] as const);
  return per === 'branch' ? merged : [...merged, 'parts'];
};

/** A service by chance, whose lines come and whose polls are answered as chance has it. */
export type RandomCluster = {
  readonly cluster: Cluster;
  /** Something happens, but for a poll. */
  happen(): void;
  /** It is asked, and answers: mostly as it stands. */
  poll(): void;
  /** It is asked, and answers as it stands, after a few more lines. */
  end(): void;
};

/** A service by chance, and so many things that happen to it, in the order in which they happen; its looks are what it answered. */
export const createRandomCluster = (random: Random, family: ClusterFamily, stepCount: number): Cluster => {
  const {cluster, happen, poll, end} = startRandomCluster(random, family);
  cluster.poll();
  for (let step = 0; step < stepCount; step++) {
    if (random.chance(pollShare)) {
      poll();
    } else {
      happen();
    }
  }
  cluster.poll();
  end();
  return cluster;
};

const startRandomCluster = (random: Random, family: ClusterFamily): RandomCluster => {
  const traits = chooseTraits(random, family);
  const cut = chooseCut(random, family);
  const isListWrong = family === 'nothing' && !traits.podChanges && random.chance(0.2);
  // One of ten services writes a line of its own ahead of a window, or cuts it inside a line.
  const addition =
    family !== 'arrivals' && cut.per === 'branch' && random.chance(0.1)
      ? random.pick(['banner', 'fragment'])
      : undefined;
  const options: ClusterOptions = {
    cut,
    show: random.pick(showsOf(cut)),
    tickNanos: random.pick([1n, 1n, 1000n, millisecond, 50n * millisecond, second]),
    ...(addition === 'banner' ? {banner: random.pick<'constant' | 'fresh'>(['constant', 'fresh'])} : {}),
    ...(addition === 'fragment' ? {fragmentCharacters: random.integer(3, 34)} : {}),
    says: family,
    podList: isListWrong ? random.pick(['none', 'first', 'renamed']) : 'all',
  };
  const cluster = createCluster(options);
  // Where the list names too few pods there are as many sources as one pod may have.
  const podCount = isListWrong ? 3 : random.integer(1, 3);
  const containerCount = isListWrong ? 1 : random.integer(1, 3);
  const sources = (): string[] =>
    cluster.podNumbers().flatMap(pod => containers.slice(0, containerCount).map(container => `${pod}/${container}`));
  const addPod = (): void => {
    const pod = cluster.podComes();
    if (traits.skew !== 'none') {
      const most = traits.skew === 'small' ? 50 : clockMsMax;
      cluster.setClock(pod, BigInt(random.integer(-most, most)) * millisecond);
    }
  };
  const pickSource = (): string => {
    const [first = '1/app', ...others] = sources();
    return random.pick([first, ...others]);
  };
  const limit = cut.lines ?? 40;
  const emit = (count: number, more: Partial<ClusterEmission> = {}): void =>
    cluster.emit({
      source: pickSource(),
      count,
      stepNanos: BigInt(random.integer(1, 4000)) * 1000n,
      sameTextEvery: traits.sameTexts ? random.integer(1, 3) : 0,
      ...unstampedBy(traits, random),
      ...more,
    });
  const trickle = (): void => {
    for (let count = random.integer(1, 4); count > 0; count--) {
      emit(random.integer(1, 2));
    }
  };
  const older: ClusterLook[] = [];
  const poll = (): void => {
    if (traits.lag && older.length > 1 && random.chance(0.2)) {
      cluster.pollOlder(older[random.integer(0, older.length - 1)] ?? cluster.lookNow());
      return;
    }
    if (traits.blanks && random.chance(0.12)) {
      cluster.pollBlank();
      return;
    }
    cluster.poll();
    if (traits.lag) {
      older.push(cluster.lookNow());
      older.splice(0, older.length - olderLooksMax);
    }
  };
  const happen = (): void => {
    const happening = random.next();
    if (happening < 0.1 && traits.bursts) {
      emit(random.integer(Math.ceil(limit / 2), limit * 2), {stepNanos: 20_000n});
    } else if (happening < 0.2 && traits.late) {
      emit(random.integer(1, 3), {lateNanos: BigInt(random.integer(1, lateNanosMax)) * millisecond});
    } else if (happening < 0.23 && traits.clockSteps) {
      const most = random.pick([20, clockMsMax]);
      const [pod = 1] = cluster.podNumbers();
      cluster.setClock(pod, BigInt(random.integer(-most, most)) * millisecond);
    } else if (happening < 0.26 && traits.forged) {
      const away = BigInt(random.pick([-63_072_000, -7200, 7200, 5_460_000_000])) * second;
      emit(1, {forgedAt: clusterStartAt + away + BigInt(random.integer(0, 1000))});
    } else if (happening < 0.32 && traits.podChanges) {
      const [, ...others] = cluster.podNumbers();
      const [pod] = others;
      if (pod !== undefined && random.chance(0.5)) {
        cluster.podGoes(random.pick([pod, ...others]));
      } else if (others.length + 1 < podsMax) {
        addPod();
      }
    } else if (happening < 0.38) {
      cluster.wait(BigInt(random.integer(1, 100)) * millisecond);
    } else {
      trickle();
    }
  };

  for (let pod = 0; pod < podCount; pod++) {
    addPod();
  }
  for (let round = random.integer(1, limit); round > 0; round--) {
    emit(1);
  }
  return {
    cluster,
    happen,
    poll,
    end: () => {
      trickle();
      cluster.poll();
    },
  };
};

const unstampedBy = ({unstamped}: ClusterTraits, random: Random): Partial<ClusterEmission> => {
  switch (unstamped) {
    case 'some':
      return random.chance(0.2) ? {unstampedAfter: random.integer(1, 3)} : {};
    case 'braces':
      return {unstampedAfter: 1, unstampedText: '}'};
    case 'anywhere':
      return random.chance(0.2)
        ? {unstampedAfter: 1, unstampedFirst: random.chance(0.5), unstampedText: '    at run'}
        : {};
    default:
      return {};
  }
};

const stepsMin = 10;
const stepsMax = 60;

/** The n-th service of a family under a seed, n from 1. */
export const drawCluster = (seed: number, family: ClusterFamily, scenario: number): Cluster => {
  const random = createRandom(seed, scenario * clusterFamilies.length + clusterFamilies.indexOf(family));
  return createRandomCluster(random, family, random.integer(stepsMin, stepsMax));
};
