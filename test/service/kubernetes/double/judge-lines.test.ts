import {afterEach, expect, test} from 'vitest';
import {askDouble} from '../../../support/kubernetes/double-request.ts';
import {type KubeDouble, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';
import {startKubeDoubleProcess} from '../../../support/kubernetes/start-kube-double-process.ts';
import {formatVerdict, judgeLines, type Seen} from '../../../support/kubernetes/truth/judge-lines.ts';
import {createSeededRandom} from '../../../support/kubernetes/truth/seeded-random.ts';
import {createFaultDriver, faultKinds, startFaults} from '../../../support/kubernetes/truth/start-faults.ts';
import {startWriters} from '../../../support/kubernetes/truth/start-writers.ts';
import {formatNumbered, type InstanceTruth} from '../../../support/kubernetes/truth/truth.ts';
import {waitFor} from '../../../support/wait-for.ts';

const key = 'web.1f3a/php/0';

const wrote = (count: number): readonly InstanceTruth[] => [
  {
    namespace: 'shop',
    pod: 'web',
    podUid: '1f3a',
    container: 'php',
    restart: 0,
    key,
    lines: Array.from({length: count}, (_, index) => ({
      number: index + 1,
      stampNs: BigInt(index),
      stream: 'stdout',
      text: formatNumbered(key, index + 1),
    })),
    linesWritten: count,
  },
];

const saw = (...entries: readonly (number | 'hole')[]): readonly Seen[] =>
  entries.map(entry => (entry === 'hole' ? {kind: 'hole'} : {kind: 'line', text: formatNumbered(key, entry)}));

test('finds nothing wrong with lines seen once each, in whatever order', () => {
  expect(formatVerdict(judgeLines(wrote(3), saw(1, 3, 2)))).toBe(
    '3 of 3 lines, lost without a word 0, at the start 0, at the end 0, in 0 holes 0, doubled 0, changed 0, foreign 0',
  );
});

test('tells lost lines in the middle from those at the start and the end, and from those in a hole', () => {
  expect(judgeLines(wrote(9), saw(2, 3, 'hole', 5, 7, 8))).toMatchObject({
    lost: [{key, from: 6, to: 6}],
    lostAtStart: [{key, from: 1, to: 1}],
    lostAtEnd: [{key, from: 9, to: 9}],
    linesLostInHoles: 1,
  });
});

test('counts an instance of which nothing came as lost', () => {
  expect(judgeLines(wrote(4), [])).toMatchObject({lost: [{key, from: 1, to: 4}]});
});

test('takes a hole of one pod for that pod alone', () => {
  const seen: readonly Seen[] = [...saw(1), {kind: 'hole', pod: 'other'}, ...saw(3)];
  expect(judgeLines(wrote(3), seen).lost).toEqual([{key, from: 2, to: 2}]);
});

test('finds doubled, changed and foreign lines', () => {
  const seen: readonly Seen[] = [
    ...saw(1, 1, 2),
    {kind: 'line', text: `${formatNumbered(key, 3)} and more`},
    {kind: 'line', text: 'failed to create fsnotify watcher'},
    {kind: 'line', text: formatNumbered(key, 4)},
  ];
  expect(judgeLines(wrote(3), seen)).toMatchObject({
    doubled: 1,
    changed: [`${formatNumbered(key, 3)} and more`],
    foreign: ['failed to create fsnotify watcher', formatNumbered(key, 4)],
  });
});

let double: KubeDouble;

afterEach(() => double?.close());

test('a double in a process of its own writes, counts and takes orders', async () => {
  const child = await startKubeDoubleProcess({
    deployments: [{namespace: 'shop', name: 'main', replicas: 3}],
    writers: {seed: 3, linesPerSecond: 1_000},
  });
  try {
    const counts = await waitFor(
      async () => {
        const now = await child.count();
        return now.linesWritten > 0 && now;
      },
      {what: 'lines'},
    );
    expect(counts).toMatchObject({logStreams: 0, watches: 0, requests: 0, faults: 0});
    child.order({kind: 'startFaults', seed: 1});
    child.order({kind: 'stopFaults'});
  } finally {
    await child.close();
  }
});

test('a follower of each container sees every line that the writers write', async () => {
  double = await startKubeDouble({listener: 'plain', pieceBytes: 8_192});
  const main = double.workloads.createDeployment({
    namespace: 'shop',
    name: 'main',
    replicas: 2,
    containers: [{name: 'php'}, {name: 'nginx'}],
  });
  const following = main
    .pods()
    .flatMap(pod =>
      pod.containers.map(({spec}) =>
        askDouble(double, `/api/v1/namespaces/shop/pods/${pod.name}/log?follow=true&container=${spec.name}`),
      ),
    );
  const writers = startWriters(double, {
    seed: 7,
    linesPerSecond: 500,
    stderrShare: 0.2,
    stderrLateMs: 4,
    longShare: 0.01,
  });
  await waitFor(() => double.pods.truth().every(({linesWritten}) => linesWritten > 60), {what: 'lines'});
  writers.stop();
  // Who comes after the rotation finds the newest file only.
  await waitFor(() => double.streams('log').length === following.length, {what: 'the followers'});
  for (const pod of main.pods()) {
    double.pods.rotate(pod, 'php');
    double.pods.succeed(pod);
  }
  const bodies = await Promise.all(following);
  const seen = bodies.flatMap(({body}) =>
    body
      .trimEnd()
      .split('\n')
      .map(text => ({kind: 'line', text}) as const),
  );
  const verdict = judgeLines(double.pods.truth(), seen);
  expect({...verdict, linesWritten: verdict.linesSeen}).toEqual({
    linesWritten: verdict.linesSeen,
    linesSeen: verdict.linesWritten,
    lost: [],
    lostAtStart: [],
    lostAtEnd: [],
    linesLostInHoles: 0,
    holes: 0,
    doubled: 0,
    changed: [],
    foreign: [],
  });
});

test('every fault can be applied, and the double still serves', async () => {
  double = await startKubeDouble({hasRelay: true});
  const main = double.workloads.createDeployment({namespace: 'shop', name: 'main', replicas: 2});
  let token = double.token;
  const options = {
    seed: 11,
    workloads: [main],
    onToken: (next: string) => {
      token = next;
    },
  };
  const driver = createFaultDriver(double, options, createSeededRandom(options.seed));
  for (const kind of faultKinds) {
    driver.apply(kind);
  }
  await waitFor(driver.isIdle, {what: 'roll-outs to end'});
  double.throttle(0);
  const {status, body} = await askDouble(double, '/api/v1/namespaces/shop/pods?fieldSelector=status.phase%3DRunning', {
    token,
  });
  expect(status).toBe(200);
  expect((JSON.parse(body) as {items: readonly unknown[]}).items).toHaveLength(2);
});

test('the same seed gives the same faults in the same order', async () => {
  double = await startKubeDouble({listener: 'plain'});
  const main = double.workloads.createDeployment({namespace: 'shop', name: 'main'});
  const run = async (): Promise<readonly string[]> => {
    const kinds = ['rotate', 'restart once', 'roll out'] as const;
    const faults = startFaults(double, {seed: 5, workloads: [main], kinds, everyMs: {min: 0, max: 1}});
    await waitFor(() => faults.applied.length >= 12, {what: 'faults'});
    faults.stop();
    return faults.applied.slice(0, 12);
  };
  expect(await run()).toEqual(await run());
});
