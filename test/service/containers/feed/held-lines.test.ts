import {expect, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {openFeed} from '../../kubernetes/open-feed.ts';

const textsOf = (lines: readonly string[]): readonly string[] => lines.map(line => line.slice(line.indexOf(' ') + 1));

const startedAt = instantFromMs(Date.UTC(2026, 10, 22, 12));
const minuteNs = 60_000_000_000n;
const old = {isSeenFromStart: false, podCreatedAtMs: 0};

test('a reader with a place gets what arrived after it, each line with its source', async () => {
  const {addContainer, branch, show, advance, readWindow} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('web 1');
  php.write('php 1');
  await show(web, php);
  const {numbering} = await readWindow();
  expect(numbering).toMatchObject({
    first: 1,
    sources: [
      {pod: 'web', container: 'app'},
      {pod: 'php', container: 'app'},
    ],
  });
  web.write('late', startedAt - 1n);
  php.write('php 2');
  await advance(0);
  const next = await branch.readWindow({series: numbering?.series ?? '', last: 2});
  expect(textsOf(next.lines)).toEqual(['late', 'php 2']);
  expect(next.numbering).toMatchObject({
    first: 3,
    runs: [
      [0, 1],
      [1, 1],
    ],
  });
  expect(next.numbering?.sources).toEqual(numbering?.sources);
  expect(next.numbering?.sources[0]).toBe(numbering?.sources[0]);
});

test('a reader that is far behind gets so many lines at a time, and is told that there are more', async () => {
  const holds = {linesMax: 1_000, bytesMax: 1_000_000, answerLinesMax: 3};
  const {addContainer, branch, show, advance, readWindow} = openFeed({holds});
  const web = addContainer('web');
  await show(web);
  const series = (await readWindow()).numbering?.series ?? '';
  for (let number = 1; number <= 5; number += 1) {
    web.write(`${number}`);
  }
  await advance(0);
  const first = await branch.readWindow({series, last: 0});
  const second = await branch.readWindow({series, last: 3});
  expect([textsOf(first.lines), first.next]).toEqual([['1', '2', '3'], 'there']);
  expect([textsOf(second.lines), second.next]).toEqual([['4', '5'], undefined]);
});

test('lines of the first reads have numbers by their stamps, whichever container was read first', async () => {
  const {addContainer, show, readWindow} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('2', startedAt + 2n);
  php.write('1', startedAt + 1n);
  php.write('3', startedAt + 3n);
  await show(web, php);
  const {lines, numbering} = await readWindow();
  expect([textsOf(lines), numbering?.numbers]).toEqual([['1', '2', '3'], undefined]);
});

/** Answers the requests for a pod's log a second late. */
const slowDown = ({client}: Pick<ReturnType<typeof openFeed>, 'client'>, podName: string): void => {
  const {open} = client;
  client.open = async (path, options) => {
    if (path.includes(`/${podName}/`)) {
      await new Promise(resolve => setTimeout(resolve, 1_000));
    }
    return open(path, options);
  };
};

test.each([
  ['for slow containers', {}, undefined],
  ['only a moment where the first lines will do', {firstLinesMs: 50}, ['1']],
])('a first answer waits %s', async (_, options, expected) => {
  const feed = openFeed(options);
  const {addContainer, branch, advance} = feed;
  const [web, slow] = [addContainer('web'), addContainer('slow')];
  slowDown(feed, 'slow');
  web.write('1');
  slow.write('2');
  branch.setPlaces([web.place(), slow.place()]);
  let lines: readonly string[] | undefined;
  void branch.readWindow().then(window => {
    lines = textsOf(window.lines);
  });
  await advance(500);
  expect(lines).toEqual(expected);
  await advance(2_000);
  expect(textsOf((await branch.readWindow()).lines)).toEqual(['1', '2']);
});

test.each([
  ['nobody was told', {firstLinesMs: 50}, 0],
  ['readers were told', {firstReadMsMax: 200}, 1],
])('of a container that is read late, the lines before are a loss where %s that it had been read', async (...row) => {
  const [, options, losses] = row;
  const holds = {linesMax: 100, bytesMax: 10_000, answerLinesMax: 100};
  const feed = openFeed({...options, windowLines: 2, holds});
  const {addContainer, show, advance, readWindow, readStory} = feed;
  const [web, slow] = [addContainer('web', old), addContainer('slow', old)];
  slowDown(feed, 'slow');
  web.write('web');
  for (let number = 1; number <= 9; number += 1) {
    slow.write(`${number}`);
  }
  await show(web, slow);
  expect((await readWindow()).lines).toHaveLength(1);
  await advance(3_000);
  const told = (await readStory()).filter(text => text.startsWith('('));
  expect(told).toEqual(Array.from({length: losses}, () => '(slow: older lines of this container were not read)'));
});

test('with a time, each container is read from some seconds before it, by its last lines', async () => {
  const since = startedAt - 10n * minuteNs;
  const {addContainer, show, readWindow} = openFeed({firstRead: {since}});
  const web = addContainer('web', old);
  web.write('long before', since - 11_000_000_000n);
  web.write('before', since - 5_000_000_000n);
  web.write('1', since + minuteNs);
  await show(web);
  expect(await readWindow()).toMatchObject({heldFrom: undefined, lines: [{}, {}].map(() => expect.any(String))});
  const lastLines = {container: 'app', timestamps: true, tailLines: 1_000};
  expect(web.requests).toEqual([
    {...lastLines, limitBytes: 16_384},
    {...lastLines, follow: true},
  ]);
});

test.each([
  ['begins before it', -minuteNs, undefined],
  ['begins later', minuteNs, {at: startedAt - 9n * minuteNs, why: 'file'}],
])('with a time, a look finds that the file of a quiet container %s', async (_, offset, heldFrom) => {
  const since = startedAt - 10n * minuteNs;
  const {addContainer, show, readWindow} = openFeed({firstRead: {since}});
  const web = addContainer('web', old);
  web.write('first', since + offset);
  web.write('1', since + 2n * minuteNs);
  await show(web);
  expect((await readWindow()).heldFrom).toEqual(heldFrom);
});

test('with a time, a container that restarted since shows its previous instance too', async () => {
  const since = startedAt - 10n * minuteNs;
  const {addContainer, show, advance, readWindow, warnings} = openFeed({firstRead: {since}});
  const web = addContainer('web', old);
  web.write('long ago', since - minuteNs);
  web.write('crash', since + minuteNs);
  web.start();
  web.write('again', since + 2n * minuteNs);
  await show(web);
  await advance(1_000);
  expect([textsOf((await readWindow()).lines), warnings]).toEqual([['crash', 'again'], []]);
});

test('what does not fit is not held, from the oldest on', async () => {
  const holds = {linesMax: 1_000, bytesMax: 100, answerLinesMax: 10};
  const {addContainer, show, readWindow} = openFeed({firstRead: {since: startedAt - minuteNs}, holds});
  const web = addContainer('web', old);
  for (let number = 1; number <= 9; number += 1) {
    web.write(`${number}`, startedAt - minuteNs + BigInt(number));
  }
  await show(web);
  const {lines, heldFrom} = await readWindow();
  expect([textsOf(lines), heldFrom]).toEqual([['7', '8', '9'], {at: startedAt - minuteNs + 7n, why: 'memory'}]);
});

test('of a log of which some lines were to be read, the first of these says how far back it is held', async () => {
  const {addContainer, show, readWindow} = openFeed({windowLines: 2});
  const [web, short] = [addContainer('web', old), addContainer('short', old)];
  short.write('all', startedAt - minuteNs);
  for (let number = 1; number <= 9; number += 1) {
    web.write(`${number}`, startedAt + BigInt(number));
  }
  await show(web, short);
  expect((await readWindow()).heldFrom?.why).toMatch(/^(?:asked|memory)$/);
});
