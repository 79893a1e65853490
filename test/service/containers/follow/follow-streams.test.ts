import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse} from '../../kubernetes/scripted-cluster.ts';

const stampOf = (line = ''): bigint | undefined => parseInstant(line.slice(0, line.indexOf(' ')));

test('a lost line is a loss of its container, in its place, and all other lines stay', async () => {
  const {addContainer, show, advance, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  await show(web, php);
  web.write('web 1');
  php.write('php 1');
  await advance(0);
  const before = await readWindow();
  php.write('php 2');
  web.breakStreams('cut');
  web.write('lost');
  web.rotate();
  web.write('web 3');
  await advance(2_000);
  expect(await readStory()).toEqual([
    'web 1',
    'php 1',
    'php 2',
    '(web: the last line that was read did not reappear)',
    'web 3',
  ]);
  const after = await readWindow();
  expect(after.numbering?.losses.map(loss => [loss.after, loss.before])).toEqual([
    [stampOf(after.lines[0]), stampOf(after.lines[3])],
  ]);
  // Readers that know no numbers of lines mark a gap.
  expect(after.arrivals?.series).toBe(before.arrivals?.series);
  expect(after.arrivals?.dropped).toBeGreaterThan(before.arrivals?.last ?? Number.POSITIVE_INFINITY);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The log of pod web, container app, may lack lines after 2026-11-22T12:00:00\.\d{9}Z: the last line that was read did not reappear\. Readers see a gap\.$/,
    ),
  ]);
});

test('a stream that died in silence is found by a read beside it, and the next one sooner', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.breakStreams('freeze');
  web.write('2');
  await advance(14_000);
  expect(await readTexts()).toEqual(['1']);
  await advance(8_000);
  expect(await readTexts()).toEqual(['1', '2']);
});

test('audits of a quiet container become rare, and none of them disturbs the stream', async () => {
  const {addContainer, show, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await advance(3_600_000);
  const audits = web.requests.filter(({tailLines}) => tailLines === 1).length;
  expect([audits > 10, audits < 20, web.requests.length - audits]).toEqual([true, true, 1]);
});

test('a pod that the API does not know yet is asked for slowly, and read once it is there', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.isGone = true;
  await show(web);
  await advance(10_000);
  expect(web.requests.length).toBeLessThan(6);
  web.isGone = false;
  web.write('here');
  await advance(11_000);
  expect(await readTexts()).toEqual(['here']);
});

test('what came into an empty log while its stream was broken may not be all that came: its file may be a new one', async () => {
  const {addContainer, show, advance, readTexts, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  php.write('php 1');
  await show(web, php);
  expect(await readTexts()).toEqual(['php 1']);
  web.breakStreams('cut');
  web.write('lost');
  web.rotate();
  web.write('1');
  await advance(2_000);
  expect(await readStory()).toEqual(['php 1', expect.stringMatching(/^\(web: it was empty when/), '1']);
  expect((await readWindow()).arrivals).toMatchObject({dropped: 2});
  expect(warnings).toEqual([expect.stringContaining('it was empty when its stream broke')]);
});

test.each([5, 8])('after an outage all streams are taken up when one is, and none is a loss: %d tries', async tries => {
  const {addContainer, show, advance, readWindow, readTexts} = openFeed();
  const pods = ['web', 'php', 'job'].map(name => addContainer(name));
  for (const pod of pods) {
    pod.write('before');
  }
  await show(...pods);
  for (const [index, pod] of pods.entries()) {
    // Each of the others would wait for longer than the one before.
    pod.answers.push(...Array.from({length: tries + index}, () => new KubeError('connection', 'No connection.')));
    pod.breakStreams('cut');
  }
  let isOut = true;
  for (let seconds = 0; seconds < 60 && isOut; seconds += 1) {
    await advance(1_000);
    isOut = pods.every(pod => pod.streamCount() === 0);
    if (isOut && seconds > 5) {
      await expect(readWindow()).rejects.toThrow('No connection.');
    }
  }
  for (const pod of pods) {
    pod.write('back');
  }
  for (let seconds = 0; seconds < 4; seconds += 1) {
    expect(await readWindow()).toMatchObject({unreadablePods: undefined, numbering: {losses: []}});
    await advance(1_000);
  }
  expect(await readTexts()).toEqual([...Array(3).fill('before'), ...Array(3).fill('back')]);
});

test.each([
  ['400', () => refuse(400, 'unable to retrieve container logs for containerd://0123.')],
  ['404', () => refuse(404, 'the server could not find the requested resource.')],
  ['the sentence of the node as a body', () => 'unable to retrieve container logs for containerd://0123'],
])('a log that cannot be read though its container runs is never quiet: %s', async (_, makeAnswer) => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  const answers = Array.from({length: 60}, () => makeAnswer());
  web.answers.push(...answers);
  web.write('1');
  php.write('1');
  await show(web, php);
  for (let seconds = 0; seconds < 30; seconds += 1) {
    await advance(1_000);
    if (seconds >= 6) {
      const {unreadablePods} = await readWindow();
      expect([...(unreadablePods ?? [])]).toEqual([
        ['web', expect.stringMatching(/^(Its node says: )?(unable|the s)/)],
      ]);
    }
  }
  php.answers.push(...answers);
  php.breakStreams('clean');
  await advance(8_000);
  await expect(readWindow()).rejects.toThrow(/cannot be read\. Nor can 1 more of branch master\./);
  web.answers.length = 0;
  php.answers.length = 0;
  await advance(35_000);
  expect(await readWindow()).toMatchObject({unreadablePods: undefined});
});

test.each([204, 400, 404])(
  'a container that waits for its start has no log, and nothing is wrong: %d',
  async status => {
    const {addContainer, show, readWindow, advance} = openFeed();
    const web = addContainer('web', {state: 'waiting'});
    web.answers.push(...Array.from({length: 60}, () => refuse(status, 'Not yet.')));
    await show(web);
    await advance(30_000);
    expect(await readWindow()).toMatchObject({lines: [], unreadablePods: undefined});
  },
);

test.each([
  ['400', () => refuse(400, 'unable to retrieve container logs')],
  ['the sentence of the node as a body', () => 'unable to retrieve container logs'],
])('a silent stream beside a log that cannot be read is not quiet: %s', async (_, makeAnswer) => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.answers.push(...Array.from({length: 3}, () => makeAnswer()));
  await advance(26_000);
  await expect(readWindow()).rejects.toThrow('unable to retrieve container logs');
});

test('silence is quiet only while it can be proven: an audit that fails makes the log unreadable, until one succeeds', async () => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.answers.push(refuse(500, 'The node cannot be reached.'));
  await advance(18_000);
  expect(await readWindow()).toMatchObject({unreadablePods: undefined});
  await advance(5_000);
  await expect(readWindow()).rejects.toThrow('The node cannot be reached. The log of pod web, container app,');
  await advance(15_000);
  expect(await readWindow()).toMatchObject({lines: [expect.stringContaining(' 1')], unreadablePods: undefined});
});

test('says that nothing can be read while it still looks for the proof of what was read before', async () => {
  const {addContainer, client, show, readWindow, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  client.open = async () => {
    await new Promise(resolve => setTimeout(resolve, 14_000));
    throw new KubeError('connection', 'The connection was dead.');
  };
  web.breakStreams('clean');
  await advance(20_000);
  await expect(readWindow()).rejects.toThrow('The connection was dead. The log of pod web, container app,');
});

test('a Retry-After is honoured and does not lengthen other pauses', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.answers.push(refuse(429, 'too many', 3_000), refuse(429, 'too many', 3_000), refuse(429, 'too many', 3_000));
  web.write('1');
  await show(web);
  await advance(9_000);
  expect(web.requests).toHaveLength(3);
  await advance(1_500);
  expect(await readTexts()).toEqual(['1']);
  web.breakStreams('cut');
  web.write('2');
  await advance(400);
  expect(await readTexts()).toEqual(['1', '2']);
});

test('an empty log after lines that were read means a rotation, and a frozen stream may have missed some', async () => {
  const {addContainer, show, advance, readTexts, readStory, warnings} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await readTexts();
  web.breakStreams('freeze');
  web.write('lost');
  web.rotate();
  await advance(60_000);
  const lost = '(web: the last line that was read did not reappear)';
  expect([await readStory(), warnings.length]).toEqual([['1', lost], 1]);
  web.write('3');
  await advance(0);
  expect(await readStory()).toEqual(['1', lost, '3']);
  await advance(3_600_000);
  expect([await readStory(), warnings.length]).toEqual([['1', lost, '3'], 1]);
});

test('a Retry-After leaves the pause after another failure short', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  for (let times = 0; times < 6; times += 1) {
    web.answers.push(refuse(429, 'too many', 100));
  }
  web.answers.push(refuse(500));
  web.write('1');
  await show(web);
  await advance(1_500);
  expect(await readTexts()).toEqual(['1']);
});
