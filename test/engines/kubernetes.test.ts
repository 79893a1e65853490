import {afterAll, beforeAll, expect, test} from 'vitest';
import {runProgram, startKubernetes, startProgram} from './start-engines.ts';

let cluster: ReturnType<typeof startKubernetes>;

beforeAll(() => {
  cluster = startKubernetes();
}, 1_800_000);

afterAll(() => cluster.stop(), 120_000);

const print = ['logs', '--kube', 'shop', '--timestamps', 'none'];
const follow = [...print, '--follow', '--fail-on-gap'];
/** Of a command that Ctrl+C ended: a gap would have ended it with 7. */
const interrupted = 130;

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.trimEnd().split('\n'));
const withoutLate = (stdout: string): readonly string[] => linesOf(stdout).map(line => line.replace(/^late /, ''));
const restartsOf = (pod: string): number =>
  Number(cluster.kubectl('get', 'pod', pod, '--output', 'jsonpath={.status.containerStatuses[0].restartCount}'));

test('a pod in a crash loop is printed as kubectl prints it, with the instance before where the node has it', async () => {
  cluster.runPod('crash', 'say "one $(date +%s)"; say two; exit 1');
  await cluster.until('two restarts', () => restartsOf('crash') >= 2);
  await cluster.until('the back-off', () => cluster.kubectl('get', 'pod', 'crash').includes('CrashLoopBackOff'));
  const {code, stdout, stderr} = runProgram(cluster.env, ...print, 'crash');
  expect([code, linesOf(stdout)]).toEqual([0, linesOf(cluster.kubectl('logs', 'crash'))]);
  expect(stderr).not.toContain('gap');
}, 300_000);

test('a crash loop is followed from its first line on without a gap, and no line is lost or doubled', async () => {
  cluster.runPod(
    'loop',
    'sleep 4; touch /truth/$POD; n=$(wc -l </truth/$POD); say "$n a"; say "$n b"; sleep 0.4; say "$n c"; exit 1',
  );
  const running = startProgram(cluster.env, ...follow, 'pod/loop');
  await cluster.until('three restarts', () => restartsOf('loop') >= 3);
  await cluster.until('all lines', () => linesOf(running.stdout()).length >= cluster.truthOf('loop').length);
  const {code, stdout} = await running.stop();
  expect([code, linesOf(stdout)]).toEqual([interrupted, cluster.truthOf('loop')]);
}, 300_000);

test('the last line of a container that ended is printed, though no newline ends it', async () => {
  cluster.runPod('words', 'echo starting; printf "panic: last words" >&2; exit 2', {restart: 'Never'});
  await cluster.until('its end', () => cluster.kubectl('get', 'pod', 'words').includes('Error'));
  expect(runProgram(cluster.env, ...print, 'words')).toMatchObject({code: 0, stdout: 'starting\npanic: last words\n'});
}, 120_000);

test('a container that took too much memory says so', async () => {
  cluster.runPod('eats', 'say starting; tail /dev/zero', {restart: 'Never', memory: '24Mi'});
  await cluster.until('its end', () => cluster.kubectl('get', 'pod', 'eats').includes('OOMKilled'));
  expect(runProgram(cluster.env, ...print, 'eats')).toMatchObject({
    code: 0,
    stdout: 'starting\n',
    stderr: expect.stringContaining('OOMKilled exit 137'),
  });
}, 120_000);

test('the lines of an init container come before those of the others', async () => {
  cluster.runPod('prepared', 'say started; sleep 1000', {init: 'say preparing; say prepared'});
  // The API server refuses the log until the kubelet has told it that the container runs.
  await cluster.until('its lines', () => cluster.hasLog('prepared', 'started'));
  expect(linesOf(runProgram(cluster.env, ...print, 'prepared').stdout)).toEqual(['preparing', 'prepared', 'started']);
}, 120_000);

test('of a log that is rotated again and again while it is followed, no line is lost without a gap, and none is doubled', async () => {
  cluster.runPod(
    'rotated',
    'sleep 5; i=0; while [ $i -lt 5000 ]; do i=$((i+1)); say "$i xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; [ $((i % 200)) = 0 ] && sleep 1; done; sleep 1000',
  );
  const running = startProgram(cluster.env, ...print, '--follow', 'pod/rotated');
  await cluster.until('the last line', () => running.stdout().includes('\n5000 '));
  const {code, stdout, stderr} = await running.stop();
  const numbers = linesOf(stdout).map(line => Number(line.split(' ')[0]));
  // This kubelet may miss that a log is rotated, and says nothing more in its stream, to kubectl neither. The old file
  // cannot be read any more when that is noticed.
  const jumps = numbers.filter((number, index) => number !== (numbers[index - 1] ?? 0) + 1);
  expect([code, [...new Set(numbers)].toSorted((a, b) => a - b)]).toEqual([interrupted, numbers]);
  expect(jumps.length).toBeLessThanOrEqual(stderr.split('possible gap').length - 1);
}, 300_000);

test('twelve pods in crash loops lose no line of sixty instances, double none, and leave no gap', async () => {
  const command =
    'sleep 4; touch /truth/$POD; n=$(wc -l </truth/$POD); say "$POD $n a"; sleep 0.4; say "$POD $n b"; say "$POD $n c"; exit 1';
  cluster.runDeployment('loops', 12, command);
  const running = startProgram(cluster.env, ...follow, '--tail', '1000', 'loops');
  const restarts = (): readonly number[] =>
    cluster
      .kubectl('get', 'pods', '--selector=app=loops', '--output=jsonpath={.items[*].status..restartCount}')
      .split(' ')
      .map(Number);
  await cluster.until('five restarts of each', () => restarts().every(count => count >= 5), 600_000);
  cluster.kubectl('scale', 'deployment/loops', '--replicas=0');
  await cluster.until('their end', () => cluster.kubectl('get', 'pods', '--selector=app=loops') === '');
  const {code, stdout} = await running.stop();
  expect(code).toBe(interrupted);
  const byPod = Map.groupBy(withoutLate(stdout), line => line.split(' ')[0] ?? '');
  expect(byPod.size).toBe(12);
  for (const [pod, own] of byPod) {
    expect(own).toEqual(cluster.truthOf(pod));
  }
}, 900_000);

test('twenty roll-outs lose no line of any pod, double none, and leave no gap', async () => {
  cluster.runDeployment(
    'web',
    3,
    'trap "say \\"$POD bye\\"; exit 0" TERM; i=0; while true; do i=$((i+1)); say "$POD $i"; usleep 100000; done',
  );
  cluster.kubectl('rollout', 'status', 'deployment/web', '--timeout=120s');
  const running = startProgram(cluster.env, ...follow, 'web');
  await cluster.until('the first line', () => running.stdout() !== '');
  for (let revision = 1; revision <= 20; revision += 1) {
    const patch = {spec: {template: {metadata: {annotations: {revision: String(revision)}}}}};
    cluster.kubectl('patch', 'deployment', 'web', '--patch', JSON.stringify(patch));
    cluster.kubectl('rollout', 'status', 'deployment/web', '--timeout=120s');
  }
  await cluster.until(
    'the end of old pods',
    () => linesOf(cluster.kubectl('get', 'pods', '--selector=app=web')).length === 4,
  );
  const {code, stdout} = await running.stop();
  expect(code).toBe(interrupted);
  const byPod = Map.groupBy(withoutLate(stdout), line => line.split(' ')[0] ?? '');
  expect(byPod.size).toBe(63);
  for (const [pod, own] of byPod) {
    const truth = cluster.truthOf(pod);
    const [first = ''] = own;
    // Those that still run may have written more since.
    expect(own).toEqual(
      truth.slice(truth.indexOf(first)).slice(0, truth.at(-1)?.endsWith('bye') ? undefined : own.length),
    );
  }
}, 1_200_000);

test('a pod that is made anew under its name goes on in the same log', async () => {
  const command = (life: string): string =>
    `sleep 3; say "${life} begins"; trap "say '${life} ends'; exit 0" TERM; while true; do sleep 0.2; done`;
  cluster.runPod('again', command('first'));
  const running = startProgram(cluster.env, ...follow, 'pod/again');
  await cluster.until('the first line', () => running.stdout().includes('first begins'));
  cluster.kubectl('delete', 'pod', 'again');
  cluster.runPod('again', command('second'));
  await cluster.until('the second pod', () => running.stdout().includes('second begins'));
  const {code, stdout} = await running.stop();
  expect([code, linesOf(stdout)]).toEqual([interrupted, ['first begins', 'first ends', 'second begins']]);
}, 300_000);

test.each(['kubelet', 'kube-apiserver'] as const)(
  'a log that is followed while the %s is restarted loses no line, and doubles none',
  async name => {
    cluster.runPod(`under-${name}`, 'i=0; while true; do i=$((i+1)); say "$i"; usleep 50000; done');
    const running = startProgram(cluster.env, ...follow, `pod/under-${name}`);
    await cluster.until('the first line', () => running.stdout() !== '');
    await cluster.restart(name);
    const written = cluster.truthOf(`under-${name}`).length;
    await cluster.until('the lines of that time', () => linesOf(running.stdout()).length > written);
    const {code, stdout} = await running.stop();
    const lines = linesOf(stdout);
    expect([code, lines]).toEqual([interrupted, lines.map((_, index) => String(index + 1))]);
  },
  300_000,
);

test('a deployment that is scaled from 3 to 10 and to 2 pods loses no line of any, and leaves no gap', async () => {
  cluster.runDeployment(
    'scaled',
    3,
    'trap "say \\"$POD bye\\"; exit 0" TERM; i=0; while true; do i=$((i+1)); say "$POD $i"; usleep 200000; done',
  );
  cluster.kubectl('rollout', 'status', 'deployment/scaled', '--timeout=120s');
  const running = startProgram(cluster.env, ...follow, '--tail', '1000', 'scaled');
  await cluster.until('the first line', () => running.stdout() !== '');
  for (const count of [10, 2]) {
    cluster.kubectl('scale', 'deployment/scaled', `--replicas=${count}`);
    cluster.kubectl('rollout', 'status', 'deployment/scaled', '--timeout=120s');
    await cluster.until(
      `${count} pods`,
      () => linesOf(cluster.kubectl('get', 'pods', '--selector=app=scaled')).length === count + 1,
    );
  }
  const {code, stdout} = await running.stop();
  const byPod = Map.groupBy(withoutLate(stdout), line => line.split(' ')[0] ?? '');
  expect([code, byPod.size]).toEqual([interrupted, 10]);
  for (const [pod, own] of byPod) {
    const truth = cluster.truthOf(pod);
    // Those that still run may have written more since.
    expect(own).toEqual(truth.slice(0, truth.at(-1)?.endsWith('bye') ? undefined : own.length));
  }
}, 600_000);

test('a log is followed past a new authority and a new token, once the kubeconfig has them', async () => {
  cluster.runPod('renewed', 'i=0; while true; do i=$((i+1)); say "$i"; usleep 50000; done');
  const running = startProgram(cluster.env, ...print, '--follow', 'pod/renewed');
  await cluster.until('the first line', () => running.stdout() !== '');
  const giveKubeconfig = await cluster.renewAuthority();
  await cluster.until('the word of it', () => running.stderr().includes('certificate'));
  const written = cluster.truthOf('renewed').length;
  giveKubeconfig();
  await cluster.until('the lines of that time', () => linesOf(running.stdout()).length > written);
  const {code, stdout} = await running.stop();
  const lines = linesOf(stdout);
  expect([code, lines]).toEqual([interrupted, lines.map((_, index) => String(index + 1))]);
}, 300_000);
