import {
  type Cluster,
  type ClusterOptions,
  clusterStartAt,
  createCluster,
  millisecond,
  second,
} from './simulated-cluster.ts';

/** What a service does, and what a reader must see of it. */
export type TableCase = {
  readonly name: string;
  readonly build: () => Cluster;
  /**
   * So many lines came and went unseen: each lies in the range of a marker, if anybody can know when it was written.
   */
  readonly lost: number;
  /** So many gaps stand in the log; `some` where they may be told as one that grows, or one more is fair. */
  readonly gaps: number | 'some';
  /** The engine does not hold it yet. */
  readonly fails?: true;
};

type Cut = ClusterOptions['cut'];
type Says = Pick<ClusterOptions, 'says' | 'sources'>;

const counted: Says = {says: 'arrivals'};
const said: Says = {says: 'cut'};
const inferred: Says = {says: 'nothing'};

const asOne = (lines: number, by: Cut['by'] = 'arrival'): Cut => ({per: 'branch', by, lines});
const rounds = 5;

type Fill = {readonly pods?: number; readonly sources?: readonly string[]; readonly fill?: number};

/** A service with its first lines, one of each source in turns, and its first answer. */
const start = (
  options: Pick<ClusterOptions, 'cut'> & Partial<ClusterOptions>,
  {pods = 1, sources = ['1/app'], fill = 100}: Fill = {},
): Cluster => {
  const cluster = createCluster({show: 'arrival', ...options});
  for (let pod = 0; pod < pods; pod++) {
    cluster.podComes();
  }
  trickle(cluster, sources, fill);
  cluster.poll();
  return cluster;
};

const trickle = (cluster: Cluster, sources: readonly string[], count: number): void => {
  for (let turn = 0; turn < count; turn++) {
    for (const source of sources) {
      cluster.emit({source, count: 1, stepNanos: millisecond});
    }
  }
};

/** So many rounds of the same, each with a few lines that are seen before it and after it. */
const repeat = (cluster: Cluster, sources: readonly string[], act: (round: number) => void): Cluster => {
  for (let round = 0; round < rounds; round++) {
    trickle(cluster, sources, 3);
    cluster.poll();
    act(round);
    cluster.poll();
    trickle(cluster, sources, 2);
    cluster.poll();
  }
  return cluster;
};

const burst = (cluster: Cluster, source: string, count: number): void =>
  cluster.emit({source, count, stepNanos: 20_000n});

/** A container writes four last lines and starts anew. */
const restarting = (says: Says): Cluster => {
  const sources = ['1/app', '1/web'];
  const cluster = start({cut: asOne(300), ...says}, {sources});
  return repeat(cluster, sources, () => {
    cluster.emit({source: '1/app', count: 4, stepNanos: millisecond});
    cluster.restart('1/app');
    cluster.emit({source: '1/app', count: 6, stepNanos: millisecond});
  });
};

const eightSources = ['app', 'web', 'editor', 'mesh', 'proxy', 'shipper', 'app-stderr', 'web-stderr'].map(
  container => `1/${container}`,
);

/** Of eight sources one bursts past its forty lines. */
const manySources = (says: Says): Cluster => {
  const cluster = start({cut: {per: 'source', by: 'arrival', lines: 40}, ...says}, {sources: eightSources, fill: 40});
  return repeat(cluster, eightSources, round => burst(cluster, eightSources[round] ?? '1/app', 60));
};

/** Lines come all at once that were written within the last 300 ms, where a window spans 200. */
const batches = (says: Says): Cluster => {
  const cluster = start({cut: asOne(200, 'stamp'), show: 'stamp', ...says}, {fill: 300});
  return repeat(cluster, ['1/app'], () => {
    for (let late = 300; late > 0; late -= 10) {
      cluster.emit({source: '1/web', count: 1, stepNanos: 1000n, lateNanos: BigInt(late) * millisecond});
    }
  });
};

/** Six pods have the 300 lines of a window that one pod had before. */
const scaledUp = (says: Says): Cluster => {
  const sixPods = [1, 2, 3, 4, 5, 6].map(pod => `${pod}/app`);
  const cluster = start({cut: {per: 'pod', by: 'arrival', lines: 300, isShared: true}, ...says}, {fill: 300});
  for (let pod = 2; pod <= 6; pod++) {
    cluster.podComes();
  }
  for (let turn = 0; turn < 15; turn++) {
    trickle(cluster, sixPods, 4);
    cluster.poll();
  }
  return repeat(cluster, sixPods, round => burst(cluster, sixPods[round] ?? '1/app', 80));
};

const longEnding = `: ${'org.example.shop.checkout.PaymentGatewayClient.authorise '.repeat(3)}`;

/** Each of three pods has 6,000 characters, and lines come that are so long that few of them are a share. */
const longLines = (says: Says): Cluster => {
  const threePods = ['1/app', '2/app', '3/app'];
  const cluster = start(
    {cut: {per: 'pod', by: 'arrival', bytes: 6000}, ...says},
    {pods: 3, sources: threePods, fill: 200},
  );
  return repeat(cluster, threePods, round =>
    cluster.emit({source: threePods[round % 3] ?? '1/app', count: 60, stepNanos: 20_000n, ending: longEnding}),
  );
};

/** The part of each pod becomes a third of what it was. */
const shrinking = (says: Says): Cluster => {
  const threePods = ['1/app', '2/app', '3/app'];
  const cluster = start(
    {cut: {per: 'pod', by: 'arrival', lines: 90}, ...says},
    {pods: 3, sources: threePods, fill: 90},
  );
  trickle(cluster, threePods, 5);
  cluster.poll();
  cluster.resize({lines: 30});
  cluster.poll();
  return repeat(cluster, threePods, round => burst(cluster, threePods[round % 3] ?? '1/app', 60));
};

/** In each burst an old line is delivered once more: it stands at the front of a window that it was in before. */
const resending = (says: Says): Cluster => {
  const cluster = start({cut: asOne(100), show: 'stamp', ...says}, {fill: 150});
  return repeat(cluster, ['1/app'], () => {
    burst(cluster, '1/app', 140);
    cluster.resend(120);
    trickle(cluster, ['1/app'], 10);
  });
};

/** Each pod is cut on its own, and the list has one of two. */
const unlisted = (says: Says): Cluster => {
  const twoPods = ['1/app', '2/app'];
  const cluster = start(
    {cut: {per: 'pod', by: 'arrival', lines: 60}, podList: 'first', ...says},
    {pods: 2, sources: twoPods, fill: 90},
  );
  // Lines of one pod leave after lines of the other that stay: from here on it can be known that there are two.
  burst(cluster, '2/app', 20);
  cluster.poll();
  return repeat(cluster, twoPods, round => burst(cluster, twoPods[round % 2] ?? '1/app', 100));
};

/** The service starts anew, and some lines that nobody saw are gone. */
const newSeries = (): Cluster => {
  const cluster = start({cut: asOne(100), ...counted}, {sources: ['1/app', '1/web']});
  return repeat(cluster, ['1/app'], () => {
    cluster.emit({source: '1/web', count: 7, stepNanos: millisecond});
    cluster.restart('1/web');
    cluster.renumber();
    trickle(cluster, ['1/app'], 2);
  });
};

/** Nobody asks for a while, and what came meanwhile is gone: nothing is shown, but the numbers tell it. */
const endsEmpty = (): Cluster => {
  const cluster = start({cut: {per: 'branch', by: 'arrival', spanNanos: second}, ...counted});
  return repeat(cluster, ['1/app'], () => {
    trickle(cluster, ['1/app'], 8);
    cluster.wait(5n * second);
  });
};

/** A pod is two hours ahead from its first line on, and loses lines. */
const ahead = (says: Says, cut: Cut): Cluster => {
  const cluster = createCluster({cut, show: 'stamp', ...says});
  cluster.podComes();
  cluster.podComes();
  cluster.setClock(2, 7200n * second);
  trickle(cluster, ['1/app', '2/app'], 100);
  cluster.poll();
  return repeat(cluster, ['1/app', '2/app'], () => {
    burst(cluster, '2/app', 250);
    trickle(cluster, ['1/app', '2/app'], 5);
  });
};

/** Stamps are in a form that nobody can read. */
const unreadable = (says: Says): Cluster => {
  const cluster = createCluster({cut: asOne(100), show: 'arrival', ...says});
  cluster.podComes();
  const emit = (count: number): void =>
    cluster.emit({source: '1/app', count, stepNanos: millisecond, isUnreadable: true});
  emit(80);
  cluster.poll();
  for (let round = 0; round < rounds; round++) {
    emit(40);
    cluster.poll();
    emit(250);
    cluster.poll();
  }
  return cluster;
};

/** The last line is read while it is being written. */
const torn = (says: Says): Cluster => {
  const cluster = start({cut: asOne(60), ...says});
  for (let round = 0; round < rounds; round++) {
    trickle(cluster, ['1/app'], 10);
    cluster.poll({torn: {sources: 1, share: 0.5}});
    trickle(cluster, ['1/app'], 10);
    cluster.poll();
  }
  return cluster;
};

/** The window is cut by bytes, within a character. */
const cutInCharacter = (says: Says): Cluster => {
  const cluster = createCluster({cut: asOne(60), show: 'arrival', fragmentBytes: 35, ...says});
  cluster.podComes();
  for (let round = 0; round < 12; round++) {
    // The 36th byte is the second of the ü.
    cluster.emit({source: '1/app', count: 20, stepNanos: millisecond, opening: 'Süd '});
    cluster.poll();
  }
  return cluster;
};

/** Stamps are written with nine digits, without their zeros, in milliseconds and in seconds: the rest is cut. */
const changingPrecision = (says: Says): Cluster => {
  const cluster = start({cut: asOne(60), ...says});
  for (let round = 0; round < rounds; round++) {
    for (const precision of ['nanos', 'millis', 'trimmed', 'seconds'] as const) {
      trickle(cluster, ['1/app'], 8);
      cluster.poll({form: {precision}});
    }
  }
  return cluster;
};

/** An answer that was given four polls ago comes once more, from a cache. */
const cached = (says: Says): Cluster => {
  const cluster = start({cut: asOne(60), ...says});
  return repeat(cluster, ['1/app'], round => {
    const old = cluster.looks.at(-4);
    if (old !== undefined && round > 1) {
      cluster.pollOlder(old);
    }
    trickle(cluster, ['1/app'], 10);
  });
};

/** One answer does not say what the others say. */
const headerless = (says: Says, cut: Cut): Cluster => {
  const cluster = start({cut, ...says});
  return repeat(cluster, ['1/app'], () => {
    trickle(cluster, ['1/app'], 20);
    cluster.poll({isHeaderless: true});
    trickle(cluster, ['1/app'], 20);
  });
};

/** An item of `data` is no string. */
const noString = (says: Says): Cluster => {
  const cluster = start({cut: asOne(60), ...says});
  return repeat(cluster, ['1/app'], () => {
    trickle(cluster, ['1/app'], 5);
    cluster.emit({source: '1/app', count: 1, stepNanos: millisecond, isNoString: true});
    trickle(cluster, ['1/app'], 5);
  });
};

/** Windows come in an order of their own, always the same. */
const ordered = (says: Says, show: ClusterOptions['show']): Cluster => {
  const sources = ['1/app', '1/web', '2/app', '2/web'];
  const cluster = start({cut: asOne(120, 'stamp'), show, ...says}, {pods: 2, sources, fill: 40});
  // The order can be learned from the first two answers.
  cluster.poll();
  return repeat(cluster, sources, () => trickle(cluster, sources, 8));
};

/** Windows of a busy log come back empty, and then it goes on with others. */
const emptyWhileBusy = (says: Says): Cluster => {
  const cluster = start({cut: asOne(100), ...says});
  for (let round = 0; round < rounds; round++) {
    trickle(cluster, ['1/app'], 40);
    cluster.poll();
    cluster.pollBlank();
    burst(cluster, '1/app', 100);
    cluster.pollBlank();
    // It has been cleared meanwhile: the window is smaller than ever.
    cluster.clear();
    trickle(cluster, ['1/app'], 20);
    cluster.poll();
  }
  return cluster;
};

/** Numbers are taken that no line has, in each other round with more lines than a window holds. */
const skippedNumbers = (): Cluster => {
  const cluster = start({cut: asOne(100), ...counted});
  return repeat(cluster, ['1/app'], round => {
    cluster.skipNumbers({source: '1/app', count: 5});
    if (round % 2 === 0) {
      burst(cluster, '1/app', 130);
    }
    trickle(cluster, ['1/app'], 4);
    cluster.skipNumbers({source: '1/app', count: 7});
  });
};

/** One line of an hour that is no clock's stands at the end of the log, and lines are lost beside it. */
const forged = (says: Says): Cluster => {
  const cluster = start({cut: asOne(100), show: 'stamp', ...says});
  cluster.emit({source: '1/app', count: 1, forgedAt: clusterStartAt + 5_460_000_000n * second});
  return repeat(cluster, ['1/app'], () => burst(cluster, '1/app', 150));
};

export const tableCases: readonly TableCase[] = [
  {
    name: 'a service that numbers its lines: a container starts anew under the same pod name, and its last four lines are gone',
    build: () => restarting(counted),
    lost: 20,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: a container starts anew under the same pod name, and its last four lines are gone',
    build: () => restarting(said),
    lost: 20,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: a container starts anew under the same pod name, and its last four lines are gone',
    build: () => restarting(inferred),
    lost: 20,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: one of eight sources in a pod bursts',
    build: () => manySources(counted),
    lost: 100,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts, and that a pod has eight sources: one of them bursts',
    build: () => manySources({says: 'cut', sources: 8}),
    lost: 100,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: lines come later than the window is long',
    build: () => batches(counted),
    lost: 74,
    gaps: 'some',
  },
  {
    name: 'a service that says how it cuts: lines come later than the window is long',
    build: () => batches(said),
    lost: 74,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: lines come later than the window is long',
    build: () => batches(inferred),
    lost: 74,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: one pod had the window that six have now, and they burst',
    build: () => scaledUp(counted),
    lost: 150,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: one pod had the window that six have now, and they burst',
    build: () => scaledUp(said),
    lost: 150,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: one pod had the window that six have now, and they burst',
    build: () => scaledUp(inferred),
    lost: 150,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: each pod is cut by characters, and long lines come',
    build: () => longLines(counted),
    lost: 165,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: each pod is cut by characters, and long lines come',
    build: () => longLines(said),
    lost: 165,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: each pod is cut by characters, and long lines come',
    build: () => longLines(inferred),
    lost: 165,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: the part of each pod becomes smaller, and they burst',
    build: () => shrinking(counted),
    lost: 150,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: the part of each pod becomes smaller, and they burst',
    build: () => shrinking(said),
    lost: 150,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: the part of each pod becomes smaller, and they burst',
    build: () => shrinking(inferred),
    lost: 150,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: an old line is delivered again in each burst',
    build: () => resending(counted),
    lost: 255,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: an old line is delivered again in each burst',
    build: () => resending(said),
    lost: 255,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: an old line is delivered again in each burst',
    build: () => resending(inferred),
    lost: 255,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: each pod is cut on its own, the list has one of two, and they burst',
    build: () => unlisted(counted),
    lost: 200,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: each pod is cut on its own, the list has one of two, and they burst',
    build: () => unlisted(said),
    lost: 200,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: each pod is cut on its own, the list has one of two, and they burst',
    build: () => unlisted(inferred),
    lost: 200,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: it starts anew, and lines that nobody saw are gone',
    build: () => newSeries(),
    lost: 35,
    gaps: 5,
  },
  {
    name: 'a service that numbers its lines: what came while nobody asked is gone, and the answer is empty',
    build: () => endsEmpty(),
    lost: 40,
    gaps: 5,
  },
  {
    name: 'a service that numbers its lines: some of the numbers are of no line',
    build: () => skippedNumbers(),
    lost: 162,
    gaps: 5,
  },
  {
    name: 'a service that numbers its lines: a pod is two hours ahead from its first line on, each branch cut by arrival',
    build: () => ahead(counted, {per: 'branch', by: 'arrival', lines: 150}),
    lost: 550,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: a pod is two hours ahead from its first line on, each pod cut by arrival',
    build: () => ahead(counted, {per: 'pod', by: 'arrival', lines: 150}),
    lost: 525,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: a pod is two hours ahead from its first line on, each branch cut by stamp',
    build: () => ahead(counted, {per: 'branch', by: 'stamp', lines: 150}),
    lost: 572,
    gaps: 'some',
  },
  {
    name: 'a service that says how it cuts: a pod is two hours ahead from its first line on, each branch cut by arrival',
    build: () => ahead(said, {per: 'branch', by: 'arrival', lines: 150}),
    lost: 550,
    gaps: 'some',
  },
  {
    name: 'a service that says how it cuts: a pod is two hours ahead from its first line on, each pod cut by arrival',
    build: () => ahead(said, {per: 'pod', by: 'arrival', lines: 150}),
    lost: 525,
    gaps: 'some',
  },
  {
    name: 'a service that says how it cuts: a pod is two hours ahead from its first line on, each branch cut by stamp',
    build: () => ahead(said, {per: 'branch', by: 'stamp', lines: 150}),
    lost: 572,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: a pod is two hours ahead from its first line on, each branch cut by arrival',
    build: () => ahead(inferred, {per: 'branch', by: 'arrival', lines: 150}),
    lost: 550,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: a pod is two hours ahead from its first line on, each pod cut by arrival',
    build: () => ahead(inferred, {per: 'pod', by: 'arrival', lines: 150}),
    lost: 525,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: a pod is two hours ahead from its first line on, each branch cut by stamp',
    build: () => ahead(inferred, {per: 'branch', by: 'stamp', lines: 150}),
    lost: 572,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: no stamp can be read',
    build: () => unreadable(counted),
    lost: 750,
    gaps: 'some',
  },
  {
    name: 'a service that says how it cuts: no stamp can be read',
    build: () => unreadable(said),
    lost: 750,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: no stamp can be read',
    build: () => unreadable(inferred),
    lost: 750,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: the last line is read while it is being written',
    build: () => torn(counted),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: the last line is read while it is being written',
    build: () => torn(said),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says nothing: the last line is read while it is being written',
    build: () => torn(inferred),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: windows begin within a character',
    build: () => cutInCharacter(counted),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: windows begin within a character',
    build: () => cutInCharacter(said),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: stamps are cut to milliseconds and seconds in some answers',
    build: () => changingPrecision(counted),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: stamps are cut to milliseconds and seconds in some answers',
    build: () => changingPrecision(said),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says nothing: stamps are cut to milliseconds and seconds in some answers',
    build: () => changingPrecision(inferred),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: an old answer comes once more',
    build: () => cached(counted),
    lost: 0,
    gaps: 0,
  },
  {name: 'a service that says how it cuts: an old answer comes once more', build: () => cached(said), lost: 0, gaps: 0},
  {name: 'a service that says nothing: an old answer comes once more', build: () => cached(inferred), lost: 0, gaps: 0},
  {
    name: 'a service that numbers its lines: one answer says nothing of itself, each branch cut',
    build: () => headerless(counted, {per: 'branch', by: 'arrival', lines: 60}),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: one answer says nothing of itself, each pod cut',
    build: () => headerless(counted, {per: 'pod', by: 'arrival', lines: 60}),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: one answer says nothing of itself, each branch cut',
    build: () => headerless(said, {per: 'branch', by: 'arrival', lines: 60}),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: one answer says nothing of itself, each pod cut',
    build: () => headerless(said, {per: 'pod', by: 'arrival', lines: 60}),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: an item is no string',
    build: () => noString(counted),
    lost: 5,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: an item is no string',
    build: () => noString(said),
    lost: 5,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: an item is no string',
    build: () => noString(inferred),
    lost: 5,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: its windows are ordered as “reversed”',
    build: () => ordered(counted, 'reversed'),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: its windows are ordered as “pods”',
    build: () => ordered(counted, 'pods'),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: its windows are ordered as “sources”',
    build: () => ordered(counted, 'sources'),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: its windows are ordered as “reversed”',
    build: () => ordered(said, 'reversed'),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: its windows are ordered as “pods”',
    build: () => ordered(said, 'pods'),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that says how it cuts: its windows are ordered as “sources”',
    build: () => ordered(said, 'sources'),
    lost: 0,
    gaps: 0,
  },
  {
    name: 'a service that numbers its lines: windows of a busy log come back empty, and it goes on with others',
    build: () => emptyWhileBusy(counted),
    lost: 500,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: windows of a busy log come back empty, and it goes on with others',
    build: () => emptyWhileBusy(said),
    lost: 500,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: windows of a busy log come back empty, and it goes on with others',
    build: () => emptyWhileBusy(inferred),
    lost: 500,
    gaps: 'some',
  },
  {
    name: 'a service that numbers its lines: a line has a stamp of the year 2199, and lines are lost beside it',
    build: () => forged(counted),
    lost: 250,
    gaps: 5,
  },
  {
    name: 'a service that says how it cuts: a line has a stamp of the year 2199, and lines are lost beside it',
    build: () => forged(said),
    lost: 250,
    gaps: 'some',
  },
  {
    name: 'a service that says nothing: a line has a stamp of the year 2199, and lines are lost beside it',
    build: () => forged(inferred),
    lost: 250,
    gaps: 'some',
  },
];
