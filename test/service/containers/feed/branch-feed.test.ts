import {expect, test} from 'vitest';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse} from '../../kubernetes/scripted-cluster.ts';

test('a loss comes after the lines of its container that no answer has shown', async () => {
  const {addContainer, show, advance, readTexts, readStory} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  await show(web, php);
  web.write('web 1');
  php.write('php 1');
  await readTexts();
  web.write('web 2');
  await advance(0);
  web.breakStreams('cut');
  web.write('lost');
  web.rotate();
  web.write('web 4');
  await advance(2_000);
  web.write('web 5');
  await advance(0);
  const lost = '(web: the last line that was read did not reappear)';
  expect(await readStory()).toEqual(['web 1', 'php 1', 'web 2', lost, 'web 4', 'web 5']);
});

test('losses before any answer stay as many: each is between the lines that it is between', async () => {
  const {addContainer, show, advance, readTexts, readStory} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.write('web 1');
  await readTexts();
  for (const number of [2, 4, 6]) {
    web.write(`web ${number}`);
    await advance(2_000);
    web.breakStreams('cut');
    web.write('lost');
    web.rotate();
  }
  web.write('web 8');
  await advance(2_000);
  const lost = '(web: the last line that was read did not reappear)';
  expect(await readStory()).toEqual(['web 1', 'web 2', lost, 'web 4', lost, 'web 6', lost, 'web 8']);
});

test('containers that reach back unevenly count as cut each on its own, until those lines have left', async () => {
  const {addContainer, show, readWindow} = openFeed({windowLines: 10});
  const loud = addContainer('loud', {isSeenFromStart: false, podCreatedAtMs: 0});
  const quiet = addContainer('quiet', {isSeenFromStart: false, podCreatedAtMs: 0});
  const write = (count: number): void => {
    for (let number = 1; number <= count; number += 1) {
      loud.write(`request ${number} ${'x'.repeat(300)}`);
    }
  };
  write(100);
  quiet.write('once an hour');
  await show(loud, quiet);
  expect((await readWindow()).cut).toBe('source');
  write(5);
  await show(loud, quiet);
  expect((await readWindow()).cut).toBe('source');
  write(10);
  await show(loud, quiet);
  expect((await readWindow()).cut).toBe('branch');
});

test.each([
  ['after the first answer takes a number', 7, {last: 16, unread: 1}],
  ['before the first answer is what the log begins with', 0, {last: 10, unread: undefined}],
])('an old log of which only the end is read %s', async (_, failures, expected) => {
  const {addContainer, show, advance, readWindow} = openFeed({windowLines: 10});
  const web = addContainer('web', {isSeenFromStart: false});
  web.write('x'.repeat(20_000));
  for (let number = 1; number <= 15; number += 1) {
    web.write(`${number}`);
  }
  web.answers.push(...Array.from({length: failures}, () => refuse(500)));
  await show(web);
  const first = readWindow();
  await advance(2_000);
  expect((await first).lines).toHaveLength(failures > 0 ? 0 : 10);
  await advance(60_000);
  const {lines, arrivals} = await readWindow();
  expect(lines).toHaveLength(10);
  expect({last: arrivals?.last, unread: arrivals?.unread}).toEqual(expected);
});

test.each([
  ['with lines', ['one']],
  ['without a line', []],
])(
  'a new pod of the same name that was read before the watch told of it is shown once: an old pod %s',
  async (_, old) => {
    const {addContainer, show, advance, readTexts} = openFeed();
    const before = addContainer('db-0');
    for (const text of old) {
      before.write(text);
    }
    await show(before);
    await readTexts();
    before.end();
    const after = addContainer('db-0', {podUid: 'uid-of-the-next'});
    after.write('two');
    await advance(4_000);
    expect(await readTexts()).toEqual([...old, 'two']);
    // What has come in the moment before waits to be read when the watch tells.
    after.write('three');
    await advance(0);
    await show(after);
    after.write('four');
    await advance(12_000);
    expect(await readTexts()).toEqual([...old, 'two', 'three', 'four']);
  },
);

test('the first answer is full: it waits for the first reads, but never longer than two seconds', async () => {
  const {addContainer, branch, advance} = openFeed();
  const web = addContainer('web');
  web.write('1', BigInt(Date.now() - 1_000) * 1_000_000n);
  branch.setPlaces([web.place()]);
  let lines: readonly string[] | undefined;
  const reading = branch.readWindow().then(window => {
    lines = window.lines;
  });
  await advance(0);
  expect(lines).toBeUndefined();
  await advance(300);
  await reading;
  expect(lines).toHaveLength(1);
});

test('where no container can be read, the answer says why; where some can, their pods are left out', async () => {
  const {addContainer, show, readWindow, advance, branch} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  for (let times = 0; times < 20; times += 1) {
    web.answers.push(refuse(403, 'pods "web" is forbidden.'));
  }
  php.write('1');
  await show(web, php);
  expect(await readWindow()).toMatchObject({
    unreadablePods: new Map([['web', expect.stringContaining('forbidden')]]),
    lines: [expect.stringContaining(' 1')],
  });
  branch.setPlaces([web.place()]);
  await advance(0);
  await expect(readWindow()).rejects.toThrow(
    'pods "web" is forbidden. The log of pod web, container app, cannot be read.',
  );
});

test.each([
  ['no connection in time', () => new KubeError('timeout', 'No connection in time.')],
  ['503 with Retry-After', () => refuse(503, 'The cluster is busy.', 2_000)],
])('an answer says why nothing can be read, not that all is quiet: %s', async (_, makeError) => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const [web, job, next] = [addContainer('web'), addContainer('job'), addContainer('next', {state: 'waiting'})];
  web.write('1');
  job.write('done');
  job.end();
  next.answers.push(refuse(400, 'is waiting to start'));
  await show(web, job, next);
  await advance(1_000);
  web.answers.push(...Array.from({length: 20}, makeError));
  web.breakStreams('cut');
  await advance(3_000);
  expect(await readWindow()).toMatchObject({unreadablePods: undefined});
  await advance(5_000);
  await expect(readWindow()).rejects.toThrow('The log of pod web, container app, cannot be read.');
});

test('the windows of all branches together are bounded, and the largest gives first', async () => {
  const {addContainer, supply, advance} = openFeed({heldBytesMax: 100_000, windowLines: 10_000});
  const [loud, quiet] = [addContainer('loud'), addContainer('quiet')];
  const [one, two] = [supply.open('loud'), supply.open('quiet')];
  one.setPlaces([loud.place()]);
  two.setPlaces([quiet.place()]);
  await advance(300);
  quiet.write('a few words');
  for (let number = 0; number < 1_000; number += 1) {
    loud.write('x'.repeat(200));
  }
  await advance(1_000);
  expect([one.heldBytes() <= 100_000, one.heldBytes() > 90_000, two.heldBytes()]).toEqual([true, true, 42]);
});

test('containers beyond the bound of streams are left out, with a sentence', async () => {
  const {addContainer, show, readWindow, warnings} = openFeed({streamsMax: 1});
  const [web, php] = [addContainer('web'), addContainer('php')];
  await show(web, php);
  expect((await readWindow()).unreadablePods).toEqual(new Map([['php', 'No more containers can be followed.']]));
  expect(warnings).toEqual([expect.stringMatching(/^No more than 1 containers can be followed at once/)]);
});
