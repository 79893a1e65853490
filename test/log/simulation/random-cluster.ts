import type {ClusterCut, ClusterShow} from './cluster-cut.ts';
import {createStepRandom, type Random, type StepRandom} from './random.ts';
import {
  type AnswerOptions,
  type Cluster,
  type ClusterEmission,
  type ClusterLook,
  type ClusterLoss,
  type ClusterOptions,
  clusterStartAt,
  createCluster,
  millisecond,
  second,
} from './simulated-cluster.ts';
import {chooseTraits, type Trait} from './traits.ts';
import type {Form} from './write-line.ts';

/**
 * What a service says of its windows: the number of each line; how many lines arrived; how they are cut, and for a cut by source how many
 * there are; or neither of the two.
 */
export const clusterFamilies = ['numbered', 'counted', 'said', 'inferred'] as const;
export type ClusterFamily = (typeof clusterFamilies)[number];

const lateNanosMax = 60;
const podsMax = 4;
/** A branch that is scaled up. */
const podsScaledMax = 6;
/** Of all that happens so much is a poll. */
const pollShare = 0.38;
const hourMs = 3_600_000;
const olderLooksMax = 12;
const containers = ['app', 'web', 'editor', 'mesh', 'proxy', 'shipper', 'app-stderr', 'web-stderr'] as const;
/** Clocks that nobody set right are so far off. */
const clockMsMax = {small: 50, hour: hourMs / 2, far: 5 * hourMs};

type Say = Pick<ClusterOptions, 'says' | 'sources' | 'heedsAfter'>;

const chooseSay = (random: Random, family: ClusterFamily, cut: ClusterCut, sources: number): Say => {
  switch (family) {
    case 'numbered':
      return {says: 'numbers', heedsAfter: random.chance(0.5)};
    case 'counted':
      return {says: 'arrivals', ...(random.chance(0.5) ? {sources} : {})};
    case 'said':
      return {says: 'cut', ...(cut.per === 'source' ? {sources} : {})};
    case 'inferred':
      return {says: cut.per === 'source' && random.chance(0.4) ? 'cut' : 'nothing'};
    default:
      return family satisfies never;
  }
};

const chooseCut = (random: Random, has: (trait: Trait) => boolean): ClusterCut => {
  const per = random.pick<ClusterCut['per']>(['branch', 'pod', 'source']);
  const by = random.pick<ClusterCut['by']>(['stamp', 'arrival']);
  if (has('span') && per === 'branch') {
    return {per, by, spanNanos: BigInt(random.integer(20, 200)) * millisecond};
  }
  const lines = per === 'branch' ? random.integer(12, 60) : random.integer(linesMin, 24);
  if (has('shared')) {
    return {per, by, lines: lines * 4, isShared: true};
  }
  return has('bytes') ? {per, by, bytes: lines * bytesPerLine} : {per, by, lines};
};
const bytesPerLine = 50;
/** No service shows fewer lines of a part that has more. */
const linesMin = 6;

/** What is cut by stamp is shown by stamp; of parts one may follow the other. */
const showsOf = ({per, by}: ClusterCut): readonly [ClusterShow, ...ClusterShow[]] => {
  const merged = by === 'stamp' ? (['stamp'] as const) : (['stamp', 'arrival'] as const);
  return per === 'branch' ? merged : [...merged, 'parts'];
};

/** A service by chance, whose lines come and whose polls are answered as chance has it. */
export type RandomCluster = {
  readonly cluster: Cluster;
  readonly traits: ReadonlySet<Trait>;
  /** It is asked for the first time. */
  begin(): void;
  /** Something happens, but for a poll. */
  happen(): void;
  /** A few lines come, and nothing else happens. */
  trickle(): void;
  /** It is asked, and answers: mostly as it stands. */
  poll(): void;
  /** It is asked, and answers as it stands, after a few more lines. */
  end(): void;
};

export type Draw = {
  /** Traits that none has. */
  readonly without?: Iterable<Trait> | undefined;
  /** Steps that do not happen, from 1; all others stay what they are. */
  readonly skipped?: ReadonlySet<number> | undefined;
};

export type DrawnCluster = {
  readonly cluster: Cluster;
  readonly traits: ReadonlySet<Trait>;
  readonly stepCount: number;
};

/**
 * A service by chance, and so many things that happen to it, in the order in which they happen; its looks are what it
 * answered.
 */
export const createRandomCluster = (
  random: StepRandom,
  family: ClusterFamily,
  stepCount: number,
  {without, skipped}: Draw = {},
): DrawnCluster => {
  const {cluster, traits, begin, happen, poll, end} = startRandomCluster(random, family, {without});
  begin();
  for (let step = 1; step <= stepCount; step++) {
    random.begin(step);
    if (skipped?.has(step)) {
      continue;
    }
    if (random.chance(pollShare)) {
      poll();
    } else {
      happen();
    }
  }
  random.begin(stepCount + 1);
  end();
  return {cluster, traits, stepCount};
};

/** Starts a service by chance, with its first lines; nobody has asked it yet. */
export const startRandomCluster = (
  random: Random,
  family: ClusterFamily,
  {
    // `false`: it may be asked by several readers, and sends whole windows.
    mayHeedAfter = true,
    without,
  }: {readonly mayHeedAfter?: boolean; readonly without?: Iterable<Trait> | undefined} = {},
): RandomCluster => {
  const traits = chooseTraits(random, family, without);
  const has = (trait: Trait): boolean => traits.has(trait);
  const cut = chooseCut(random, has);
  const containerCount = has('many-sources') ? random.integer(4, containers.length) : random.integer(1, 3);
  // A list that names too few pods of a service that is said to cut by pod: its pods are as many as it likes.
  const podList = has('wrong-list')
    ? random.pick<'none' | 'first' | 'renamed'>(['none', 'first', 'renamed'])
    : has('unlisted-pods')
      ? 'first'
      : 'all';
  // Where nobody says how many there are, a list that is wrong hides as many sources as one pod may have.
  const isHidden = family === 'inferred' && podList !== 'all';
  const podCount = has('scaled') ? 1 : isHidden ? 3 : random.integer(has('unlisted-pods') ? 2 : 1, 3);
  const sourcesOfPod = isHidden ? 1 : containerCount;
  const hasAddition = cut.per === 'branch';
  const cluster = createCluster({
    cut,
    show: has('reversed')
      ? 'reversed'
      : has('other-order')
        ? random.pick<ClusterShow>(['pods', 'sources'])
        : random.pick(showsOf(cut)),
    tickNanos: random.pick([1n, 1n, 1000n, millisecond, 50n * millisecond, second]),
    ...(has('banner') && hasAddition ? {banner: random.pick<'constant' | 'fresh'>(['constant', 'fresh'])} : {}),
    ...(has('fragment') && hasAddition ? {fragmentBytes: random.integer(3, 44)} : {}),
    ...chooseSay(random, family, cut, sourcesOfPod),
    // Nobody can find out a series that lies from what it does not send.
    ...(mayHeedAfter && !has('from-one') && !has('set-back') ? {} : {heedsAfter: false}),
    ...(has('from-one') ? {numbersFromOne: true} : {}),
    ...(has('latin-1') ? {encoding: random.pick(['latin-1', 'mojibake'] as const)} : {}),
    ...(has('hidden-lines')
      ? {hides: random.chance(0.5) ? {every: random.integer(2, 9)} : {container: random.pick(['app', 'web'])}}
      : {}),
    // Without any clock and any line nothing dates a loss.
    tellsTime: family === 'numbered' || random.chance(0.5),
    podList,
  });
  /** Until the hour comes a second time. */
  let isLocalSummer = true;
  const sources = (): string[] =>
    cluster.podNumbers().flatMap(pod => containers.slice(0, sourcesOfPod).map(container => `${pod}/${container}`));
  const addPod = (): void => {
    const pod = cluster.podComes();
    const most = has('skew-small')
      ? clockMsMax.small
      : has('skew-hour')
        ? clockMsMax.hour
        : has('skew-far')
          ? clockMsMax.far
          : 0;
    if (!isLocalSummer) {
      cluster.setClock(pod, -hourNanos);
    } else if (most > 0) {
      cluster.setClock(pod, BigInt(random.integer(-most, most)) * millisecond);
    }
  };
  const pickSource = (): string => {
    const [first = '1/app', ...others] = sources();
    return random.pick([first, ...others]);
  };
  const limit = cut.lines ?? 40;
  const ingestedAfter = BigInt(random.integer(50, 5000)) * millisecond;
  const always: Partial<ClusterEmission> = {
    ...(has('unreadable') ? {isUnreadable: true} : {}),
    // No whole line begins like another: of a coarse clock that would look like one that was still being written.
    ending: has('latin-1') ? ' Größe: 12 µm ±äöü' : has('fragment') ? ' Größe: 12 µm ±🎚️' : '.',
  };
  const endings = ['.  ', '.', '.\t'] as const;
  const emit = (count: number, more: Partial<ClusterEmission> = {}): void =>
    cluster.emit({
      source: pickSource(),
      count,
      stepNanos: BigInt(random.integer(1, 4000)) * 1000n,
      sameTextEvery: has('same-texts') ? random.integer(1, 3) : 0,
      ...unstampedBy(has, random),
      ...always,
      ...(has('replicas') ? {ending: random.pick(endings)} : {}),
      ...more,
    });
  const trickle = (): void => {
    for (let count = random.integer(1, 4); count > 0; count--) {
      emit(random.integer(1, 2));
    }
  };
  const burst = (): void => {
    emit(random.integer(Math.ceil(limit / 2), limit * 2), {stepNanos: 20_000n});
    const oldest = cluster.arrived.length - 3 * limit;
    if (has('resent') && random.chance(0.8)) {
      cluster.resend(random.integer(Math.max(0, oldest), Math.max(0, cluster.arrived.length - limit)));
    }
    if (has('resent-runs') && random.chance(0.8)) {
      const from = random.integer(Math.max(0, oldest), Math.max(0, cluster.arrived.length - limit));
      for (let seq = from; seq < from + random.integer(2, 5); seq++) {
        cluster.resend(seq);
      }
      emit(random.integer(0, 3));
    }
  };
  /** One of the texts that come again and again, at a time that stands still. */
  const emitCopies = (): void => {
    for (let count = random.integer(1, 12); count > 0; count--) {
      emit(1, {text: random.pick(['x', 'y', 'z']), stepNanos: 0n, unstampedAfter: 0, source: '1/app'});
    }
  };

  let form: Partial<Form> = {hasCommas: has('commas')};
  /** How another replica differs. */
  const otherForm = random.pick<Partial<Form>>([
    {ends: 'trimmed'},
    {ends: 'returned'},
    {precision: 'trimmed'},
    {precision: 'millis'},
    {hasCommas: true},
  ]);
  const isOtherCut = random.chance(0.3);
  let unnumberedInARow = 0;
  const isHeaderless = (): boolean => {
    const isSo = has('headerless') && unnumberedInARow < (family === 'numbered' ? 1 : 3) && random.chance(0.15);
    unnumberedInARow = isSo ? unnumberedInARow + 1 : 0;
    return isSo;
  };
  const replica = (): AnswerOptions => {
    if (!(has('replicas') && random.chance(0.4))) {
      return {form};
    }
    return isOtherCut && hasAddition ? {form, fragmentBytes: random.integer(3, 44)} : {form: {...form, ...otherForm}};
  };
  const answerOptions = (): AnswerOptions => ({
    ...replica(),
    ...(has('torn') && random.chance(0.5) ? {torn: {sources: random.pick([1, 1, 2, 3]), share: random.next()}} : {}),
    ...(isHeaderless() ? {isHeaderless: true} : {}),
  });
  const older: ClusterLook[] = [];
  let hasOldSeries = false;
  let staleLeft = has('stale') ? 1 : 0;
  let blanksLeft = 0;
  const poll = (): void => {
    if (blanksLeft > 0) {
      blanksLeft -= 1;
      cluster.pollBlank();
      return;
    }
    const isStale = staleLeft > 0 && random.chance(0.2);
    if ((isStale || (has('lag') && random.chance(0.2)) || (hasOldSeries && random.chance(0.3))) && older.length > 1) {
      staleLeft -= isStale ? 1 : 0;
      cluster.pollOlder(older[random.integer(0, older.length - 1)] ?? cluster.lookNow());
      hasOldSeries = false;
      return;
    }
    if (has('blanks') && random.chance(0.12)) {
      if (random.chance(0.5)) {
        burst();
      }
      cluster.pollBlank();
      return;
    }
    cluster.poll(answerOptions());
    const look = cluster.looks.at(-1);
    if (look !== undefined && (has('lag') || has('stale') || (has('old-replica') && !hasOldSeries))) {
      older.push(look);
      older.splice(0, older.length - olderLooksMax);
    }
  };

  /** What happens now and then to a service that has the trait. */
  const happenings: readonly (readonly [Trait, share: number, happen: () => void])[] = [
    ['bursts', 0.1, burst],
    ['late', 0.1, () => emit(random.integer(1, 3), {lateNanos: BigInt(random.integer(1, lateNanosMax)) * millisecond})],
    [
      'batches',
      0.1,
      () =>
        emit(random.integer(2, limit), {
          stepNanos: 20_000n,
          lateNanos: BigInt(random.integer(50, 1000)) * millisecond,
        }),
    ],
    [
      'clock-steps',
      0.04,
      () => {
        const most = random.pick([20, clockMsMax.hour]);
        const [pod = 1] = cluster.podNumbers();
        cluster.setClock(pod, BigInt(random.integer(-most, most)) * millisecond);
      },
    ],
    [
      'forged',
      0.04,
      () => {
        const away = BigInt(random.pick([-63_072_000, -7200, 7200, 5_460_000_000])) * second;
        emit(1, {forgedAt: clusterStartAt + away + BigInt(random.integer(0, 1000))});
      },
    ],
    [
      'pod-changes',
      0.07,
      () => {
        const [, ...others] = cluster.podNumbers();
        const [pod] = others;
        if (pod !== undefined && random.chance(0.5)) {
          cluster.podGoes(random.pick([pod, ...others]));
        } else if (others.length + 1 < podsMax) {
          addPod();
        }
      },
    ],
    [
      'scaled',
      0.08,
      () => {
        while (cluster.podNumbers().length < podsScaledMax && random.chance(0.8)) {
          addPod();
        }
      },
    ],
    [
      'restarts',
      0.07,
      () => {
        const source = pickSource();
        if (random.chance(0.5)) {
          emit(random.integer(1, 8), {source});
        }
        cluster.restart(source);
        emit(random.integer(0, 4), {source});
      },
    ],
    [
      'ingested',
      0.15,
      () =>
        emit(random.integer(1, limit), {
          stepNanos: 20_000n,
          lateNanos: ingestedAfter,
          source: `${cluster.podNumbers()[0] ?? 1}/app`,
        }),
    ],
    [
      'outages',
      0.05,
      () => {
        for (let count = random.integer(1, 3); count > 0; count--) {
          burst();
        }
        if (family === 'numbered' || family === 'counted') {
          // Their numbers tell what the empty answers hide.
          cluster.clear();
          cluster.poll(answerOptions());
        } else {
          blanksLeft = random.integer(1, 3);
          poll();
        }
      },
    ],
    [
      'local-hour',
      0.08,
      () => {
        if (isLocalSummer) {
          emit(random.integer(0, limit * 2), {stepNanos: 20_000n});
          for (const pod of cluster.podNumbers()) {
            cluster.setClock(pod, -hourNanos);
          }
          isLocalSummer = false;
          emit(random.integer(1, limit * 2), {stepNanos: 20_000n});
        }
      },
    ],
    [
      'equal-frames',
      0.12,
      () =>
        emit(random.integer(1, 3), {unstampedAfter: random.integer(2, 9), unstampedCycle: random.pick(frameCycles)}),
    ],
    ['copies', 0.6, emitCopies],
    [
      'told-losses',
      0.1,
      () => {
        // The source was quiet before, and others may have written.
        cluster.wait(BigInt(random.pick([0, 0, 200, 90_000, 600_000])) * millisecond);
        const source = pickSource();
        const names = random.pick(['all', 'all', 'all', 'pod', 'none'] as const);
        for (let count = random.pick([1, 1, 2]); count > 0; count--) {
          loseLines({source, names, afterError: 0n, beforeError: 0n});
          if (count > 1 && random.chance(0.7)) {
            cluster.poll(answerOptions());
          }
        }
      },
    ],
    [
      'told-far-times',
      0.1,
      () =>
        loseLines({
          source: pickSource(),
          names: 'all',
          afterError: random.pick([0n, 0n, -56n * yearNanos]),
          beforeError: random.pick([0n, 7973n * yearNanos, 7973n * yearNanos]),
        }),
    ],
    [
      'set-back',
      0.06,
      () => {
        cluster.setBack(random.integer(1, limit));
        emit(random.integer(0, limit), {stepNanos: 20_000n});
      },
    ],
    ['long-traces', 0.12, () => emit(random.integer(1, 3), {unstampedAfter: random.integer(2, 9), ...longTrace})],
    [
      'shrinking',
      0.06,
      () => {
        const share = random.integer(2, 4);
        cluster.resize({
          lines: cut.lines === undefined ? undefined : Math.max(linesMin, Math.ceil(cut.lines / share)),
          bytes: cut.bytes === undefined ? undefined : Math.max(linesMin * bytesPerLine, Math.ceil(cut.bytes / share)),
        });
      },
    ],
    [
      'precision',
      0.1,
      () => {
        form = {...form, precision: random.pick(['nanos', 'trimmed', 'millis', 'seconds'])};
      },
    ],
    ['no-strings', 0.06, () => emit(1, {isNoString: true})],
    [
      'new-series',
      0.05,
      () => {
        if (random.chance(0.5)) {
          cluster.restart(pickSource());
        }
        cluster.renumber();
      },
    ],
    [
      'old-replica',
      0.05,
      () => {
        cluster.renumber();
        hasOldSeries = true;
      },
    ],
    ['cleared', 0.04, () => cluster.clear()],
    ['skipped-numbers', 0.2, () => cluster.skipNumbers({source: pickSource(), count: random.integer(1, 9)})],
    ['span', 0.06, () => cluster.wait(BigInt(random.integer(100, 400)) * millisecond)],
  ];
  const loseLines = ({source, ...how}: ClusterLoss): void => {
    const times = {stepNanos: BigInt(random.integer(1, 4000)) * 1000n, unstampedAfter: 0, ending: '.'};
    cluster.lose({source, count: random.integer(1, 30), ...times}, how);
  };
  const possible = happenings.filter(([trait]) => has(trait));
  const happen = (): void => {
    if (cluster.arrived.length === 0) {
      cluster.wait(BigInt(random.integer(0, 5000)) * millisecond);
      emit(random.integer(1, limit * 3), {stepNanos: 20_000n});
      return;
    }
    let event = random.next();
    for (const [, share, act] of possible) {
      event -= share;
      if (event < 0) {
        act();
        return;
      }
    }
    if (random.chance(0.1)) {
      cluster.wait(BigInt(random.integer(1, 100)) * millisecond);
    } else {
      trickle();
    }
  };

  for (let pod = 0; pod < podCount; pod++) {
    addPod();
  }
  for (let round = has('empty-start') ? 0 : random.integer(1, limit); round > 0; round--) {
    emit(1);
  }
  return {
    cluster,
    traits,
    begin: () => cluster.poll({form}),
    happen,
    trickle,
    poll,
    end: () => {
      // Twice, so that what a line that is still being written comes to is seen, and what no line told of is told.
      cluster.poll({form});
      trickle();
      cluster.poll({form});
    },
  };
};

/** Recursion. */
const frameCycles: readonly [readonly string[], ...(readonly string[])[]] = [
  ['    at walk', '    at visit'],
  ['    at walk'],
  ['    at walk', '    at walk', '    at visit'],
];
const hourNanos = 3600n * second;
const yearNanos = 31_556_952n * second;

const longTrace: Partial<ClusterEmission> = {
  unstampedText: '    at org.example.shop.checkout.PaymentGatewayClient.authorise(PaymentGatewayClient.java:218)',
};

const unstampedBy = (has: (trait: Trait) => boolean, random: Random): Partial<ClusterEmission> => {
  if (has('unstamped')) {
    return random.chance(0.2) ? {unstampedAfter: random.integer(1, 3)} : {};
  }
  if (has('braces')) {
    return {unstampedAfter: 1, unstampedText: '}'};
  }
  if (has('unstamped-anywhere')) {
    return random.chance(0.2)
      ? {unstampedAfter: 1, unstampedFirst: random.chance(0.5), unstampedText: '    at run'}
      : {};
  }
  return {};
};

const stepsMin = 10;
const stepsMax = 60;

/** The n-th service of a family under a seed, n from 1. */
export const drawCluster = (seed: number, family: ClusterFamily, scenario: number, draw: Draw = {}): DrawnCluster => {
  const random = createStepRandom(seed, scenario * clusterFamilies.length + clusterFamilies.indexOf(family));
  return createRandomCluster(random, family, random.integer(stepsMin, stepsMax), draw);
};
