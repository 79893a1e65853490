import {expect, test} from 'vitest';
import {createTerminalLines} from '#service/docker/engine/engine-logs.ts';
import {startEngineDouble} from '../../support/docker/start-engine-double.ts';
import {waitFor} from '../../support/wait-for.ts';
import {openEngineBackend} from './open-engine-backend.ts';

const shop = (service: string) => ({
  labels: {'com.docker.compose.project': 'shop', 'com.docker.compose.service': service},
});

test('the streams of a service are one log, each line with its container and its stream', async () => {
  const engine = await startEngineDouble();
  const [one, two] = [engine.create('shop-web-1', shop('web')), engine.create('shop-web-2', shop('web'))];
  engine.create('shop-db-1', shop('db')).write('not of web');
  one.write('first');
  two.write('second', {stream: 'stderr'});
  one.write('third');
  const {readStory} = await openEngineBackend(engine.host);
  expect(await readStory('shop', 'shop/web')).toEqual([
    'shop-web-1 stdout: first',
    'shop-web-2 stderr: second',
    'shop-web-1 stdout: third',
  ]);
  two.write('fourth');
  await waitFor(async () => (await readStory('shop', 'shop/web')).length === 4, {what: 'the fourth line'});
});

test('projects are sites, services are branches with their state, and the environment is not read', async () => {
  const engine = await startEngineDouble();
  engine.create('shop-web-1', shop('web')).setHealth('unhealthy');
  engine.create('shop-db-1', shop('db')).die(137, {isOomKilled: true});
  engine.create('shop-job-1', shop('job')).die(0);
  engine.create('alone');
  const {backend} = await openEngineBackend(engine.host);
  const branches = await backend.listBranches('shop');
  expect(branches?.map(({name, status, troubles}) => ({name, status, troubles}))).toEqual([
    {name: 'db', status: 'exited', troubles: [{state: 'now', reason: 'exited (137, OOMKilled)', pod: 'shop-db-1'}]},
    {name: 'job', status: 'exited', troubles: undefined},
    {name: 'web', status: 'running', troubles: [{state: 'now', reason: 'unhealthy', pod: 'shop-web-1'}]},
  ]);
  const [alone] = backend.containers().filter(({name}) => name === 'alone');
  const createdAt = new Date(alone?.createdAtMs ?? 0).toISOString();
  expect(await backend.listBranches('no project')).toMatchObject([{name: 'alone', createdAt}]);
  expect((await backend.listDeployed?.('shop'))?.map(({name}) => name)).toEqual(['web']);
  expect(JSON.stringify([branches, backend.containers()])).not.toContain('the-secret-of-the-environment');
});

test('a container that ends and starts again goes on with its log, and its end has a reason', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('before');
  const {backend, readStory} = await openEngineBackend(engine.host);
  await readStory('no project', 'no project/web');
  const read = () => backend.readWindow('no project', 'no project/web');
  const before = (await read())?.pods;
  await waitFor(() => web.followers() === 1, {what: 'the stream'});
  web.write('the last word, without a newline', {isPiece: true});
  web.die(137, {isOomKilled: true});
  web.start();
  web.write('after');
  await waitFor(async () => (await readStory('no project', 'no project/web')).length === 3, {what: 'the line after'});
  expect(await readStory('no project', 'no project/web')).toEqual([
    'web stdout: before',
    'web stdout: the last word, without a newline',
    'web stdout: after',
  ]);
  // A pod of another time is another pod: readers see that it went, with these words, and that one came.
  await waitFor(
    async () => (await read())?.pods[0]?.metadata.creationTimestamp !== before?.[0]?.metadata.creationTimestamp,
    {
      what: 'the new start',
    },
  );
  expect((await read())?.endings).toEqual(new Map([['web', 'exited with code 137 (OOMKilled)']]));
});

test('a service that is made anew goes on in its branch, and nothing is told to be missing', async () => {
  const engine = await startEngineDouble();
  const first = engine.create('shop-web-1', shop('web'));
  first.write('of the first');
  const {readStory} = await openEngineBackend(engine.host);
  await readStory('shop', 'shop/web');
  await waitFor(() => first.followers() === 1, {what: 'the stream'});
  first.write('the last of the first');
  first.remove();
  engine.create('shop-web-1', shop('web')).write('of the second');
  await waitFor(async () => (await readStory('shop', 'shop/web')).length === 3, {what: 'the new container'});
  expect(await readStory('shop', 'shop/web')).toEqual([
    'shop-web-1 stdout: of the first',
    'shop-web-1 stdout: the last of the first',
    'shop-web-1 stdout: of the second',
  ]);
});

test('streams that break, inside a frame too, lose no line and double none, with times that are the same', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  const {readStory} = await openEngineBackend(engine.host);
  const texts = ['one', 'two', 'too', 'three', 'four', 'five', 'six'];
  const nanos = engine.now();
  const written: string[] = [];
  for (const [index, text] of texts.entries()) {
    await readStory('no project', 'no project/web');
    await waitFor(() => web.followers() === 1, {what: 'the stream'});
    if (index % 2 === 1) {
      engine.cutInsideFrame('web');
    } else if (index > 0) {
      engine.cut();
    }
    web.write(text, {nanos, stream: index < 3 ? 'stdout' : 'stderr'});
    written.push(`web ${index < 3 ? 'stdout' : 'stderr'}: ${text}`);
    await waitFor(async () => (await readStory('no project', 'no project/web')).length >= written.length, {what: text});
  }
  expect(await readStory('no project', 'no project/web')).toEqual(written);
}, 60_000);

test('what an engine wrote while it could not be asked comes later', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('before');
  const {readStory} = await openEngineBackend(engine.host);
  await readStory('no project', 'no project/web');
  await waitFor(() => web.followers() === 1, {what: 'the stream'});
  await engine.stop();
  web.write('meanwhile');
  await engine.start();
  web.write('after');
  const lines = async () => (await readStory('no project', 'no project/web')).filter(text => !text.startsWith('('));
  await waitFor(async () => (await lines()).length === 3, {what: 'the lines', deadlineMs: 20_000});
  expect(await lines()).toEqual(['web stdout: before', 'web stdout: meanwhile', 'web stdout: after']);
}, 30_000);

test('lines that were rotated away between two streams are told to be missing in their place', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('before');
  const {readStory} = await openEngineBackend(engine.host);
  await readStory('no project', 'no project/web');
  await waitFor(() => web.followers() === 1, {what: 'the stream'});
  await engine.stop();
  web.write('rotated away');
  web.write('kept');
  web.rotate(1);
  await engine.start();
  await waitFor(async () => (await readStory('no project', 'no project/web')).some(text => text.endsWith('kept')), {
    what: 'the line that was kept',
    deadlineMs: 20_000,
  });
  const story = await readStory('no project', 'no project/web');
  expect(story.filter(text => !text.startsWith('(any'))).toEqual([
    'web stdout: before',
    '(web: the last line that was read did not reappear)',
    'web stdout: kept',
  ]);
}, 30_000);

test('a log that its driver does not keep is told with what to do', async () => {
  const engine = await startEngineDouble();
  engine.create('web', {driver: 'splunk'});
  const {readStory} = await openEngineBackend(engine.host);
  await expect(readStory('no project', 'no project/web')).rejects.toThrow(
    'Its logging driver only sends lines away: docker logs cannot read it either. Drivers that can be read are json-file, local and journald. The log of container web cannot be read.',
  );
});

test('lines that Docker sends a second time when it rotates a log are shown once', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('one');
  const {readStory} = await openEngineBackend(engine.host);
  await readStory('no project', 'no project/web');
  await waitFor(() => web.followers() === 1, {what: 'the stream'});
  web.write('two');
  web.write('two');
  web.write('three', {stream: 'stderr'});
  web.repeat(3);
  web.write('four');
  const read = () => readStory('no project', 'no project/web');
  await waitFor(async () => (await read()).includes('web stdout: four'), {what: 'the last line'});
  expect(await read()).toEqual([
    'web stdout: one',
    'web stdout: two',
    'web stdout: two',
    'web stderr: three',
    'web stdout: four',
  ]);
});

test('of a terminal, the carriage return before each newline is taken away, one of them', async () => {
  const passed: string[] = [];
  const take = createTerminalLines(bytes => passed.push(bytes.toString()));
  for (const piece of ['one\r\ntwo\r\r\n50%\r100%\r', '\nthr\u00e9e\r\n']) {
    take(Buffer.from(piece));
  }
  expect(passed.join('')).toBe('one\ntwo\r\n50%\r100%\nthr\u00e9e\n');
});

test('a container with a terminal has a log without frames', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web', {hasTerminal: true});
  web.write('typed');
  const {readStory} = await openEngineBackend(engine.host);
  expect(await readStory('no project', 'no project/web')).toEqual(['web stdout: typed']);
});

test('of more than a thousand containers the newest are watched, those that come later, too', async () => {
  const engine = await startEngineDouble();
  const create = (index: number): void =>
    void engine.create(`web-${index}`, {createdNanos: BigInt(index + 1) * 1_000_000_000n});
  for (let index = 0; index < 1_001; index += 1) {
    create(index);
  }
  const {backend, warnings} = await openEngineBackend(engine.host);
  const names = (): ReadonlySet<string> => new Set(backend.containers().map(({name}) => name));
  const isWatched = (index: number): boolean => names().has(`web-${index}`);
  expect([names().size, isWatched(0), isWatched(1), isWatched(1_000)]).toEqual([1_000, false, true, true]);
  create(1_001);
  await waitFor(() => isWatched(1_001), {what: 'the newest container'});
  expect([names().size, isWatched(1), isWatched(2)]).toEqual([1_000, false, true]);
  expect(new Set(warnings)).toEqual(
    new Set([expect.stringContaining('has more than 1000 containers: the oldest are left out.')]),
  );
});
