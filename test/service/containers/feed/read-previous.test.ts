import {expect, test} from 'vitest';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse} from '../../kubernetes/scripted-cluster.ts';

/** A container that wrote `1` and `2`, restarted, and wrote `3`. */
const restart = (feed: ReturnType<typeof openFeed>, podName = 'web', given = {}) => {
  const web = feed.addContainer(podName, given);
  web.write('1');
  web.write('2');
  web.start();
  web.write('3');
  return web;
};

test('reads the instance before to its end, which a further read proves, and then costs nothing', async () => {
  const feed = openFeed({isPrevious: true, streamsMax: 1});
  const web = restart(feed);
  await feed.show(web);
  await feed.advance(2_000);
  expect(await feed.readStory()).toEqual(['1', '2']);
  expect(web.requests.map(({previous, follow}) => [previous, follow])).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
  web.start();
  await feed.show(web);
  await feed.advance(600_000);
  expect(web.requests).toHaveLength(2);
});

test('a read that breaks off is taken up where it broke, and nothing comes twice', async () => {
  const feed = openFeed({isPrevious: true});
  const web = restart(feed);
  web.answers.push(new KubeError('connection', 'No connection.'), '2026-11-22T12:00:00.000000001Z 1\n');
  await feed.show(web);
  await feed.advance(5_000);
  expect(await feed.readStory()).toEqual(['1', '2']);
});

test('of an old pod the end is read, and that it is the end is told', async () => {
  const holds = {linesMax: 100, bytesMax: 10_000, answerLinesMax: 100};
  const feed = openFeed({isPrevious: true, windowLines: 1, holds});
  const web = feed.addContainer('web', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (const text of ['1', '2', '3', '4', '5']) {
    web.write(text);
  }
  web.start();
  await feed.show(web);
  await feed.advance(2_000);
  expect(web.requests[0]).toMatchObject({tailLines: 4});
  // The first of a tail may be the rest of a line.
  expect(await feed.readStory()).toEqual(['3', '4', '5']);
  expect((await feed.readWindow()).heldFrom).toMatchObject({why: 'asked'});
});

test('where no container restarted, nothing is asked, and the answer says so', async () => {
  const feed = openFeed({isPrevious: true});
  const web = feed.addContainer('web');
  await feed.show(web);
  await expect(feed.readWindow()).rejects.toThrow('No container of branch master has a previous instance');
  expect(web.requests).toEqual([]);
});

test('where no previous instance is left, the answer says so; beside one that is, it is no fault', async () => {
  const feed = openFeed({isPrevious: true});
  const [web, php] = [restart(feed), restart(feed, 'php')];
  php.answers.push(refuse(400, 'previous terminated container "app" in pod "php" not found'));
  await feed.show(php);
  await expect(feed.readWindow()).rejects.toThrow('No container of branch master has a previous instance');
  await feed.show(php, web);
  await feed.advance(2_000);
  expect(await feed.readStory()).toEqual(['1', '2']);
  expect(await feed.readWindow()).toMatchObject({unreadablePods: undefined});
});

test.each([
  ['a node that is away', () => refuse(500, 'The node cannot be reached.'), 'The node cannot be reached.'],
  [
    'its sentence',
    () => 'unable to retrieve container logs for containerd://0123',
    'unable to retrieve container logs',
  ],
])('a previous instance that cannot be read is told: %s', async (_, makeAnswer, words) => {
  const feed = openFeed({isPrevious: true});
  const web = restart(feed);
  web.answers.push(...Array.from({length: 20}, () => makeAnswer()));
  await feed.show(web);
  await feed.advance(6_000);
  await expect(feed.readWindow()).rejects.toThrow(words);
});

test('an instance that is thrown away while it is read is a loss', async () => {
  const feed = openFeed({isPrevious: true});
  const web = restart(feed);
  web.answers.push('2026-11-22T12:00:00.000000009Z 0\n');
  await feed.show(web);
  await feed.advance(2_000);
  expect(await feed.readStory()).toEqual([
    '0',
    '(web: the previous instance was deleted while its log was being read)',
  ]);
});
