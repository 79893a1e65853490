import {expect, test} from 'vitest';
import {openFeed} from '../../kubernetes/open-feed.ts';

test('after a cut, reads from two whole seconds before, and shows nothing twice', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.write('one');
  web.write('two');
  await advance(100);
  await readTexts();
  web.breakStreams('cut');
  web.write('three');
  await advance(1_000);
  expect(await readTexts()).toEqual(['one', 'two', 'three']);
  expect(web.requests.at(-1)?.sinceTime).toBe('2026-11-22T11:59:58Z');
  expect((await readWindow()).arrivals).toMatchObject({last: 3, dropped: 0});
});

test('keeps true copies: the second of two equal lines in one nanosecond is a line of its own', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('tick', stamp);
  await show(web);
  web.breakStreams('cut');
  web.write('tick', stamp);
  await advance(1_000);
  expect(await readTexts()).toEqual(['tick', 'tick']);
});

test('shows late stamps, of a container whose two streams are stamped apart', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('out 1', stamp);
  web.write('out 2', stamp + 4_000_000n);
  await show(web);
  web.breakStreams('cut');
  web.write('err 1', stamp + 2_000_000n);
  await advance(1_000);
  web.write('err 2', stamp + 3_000_000n);
  await advance(0);
  expect(await readTexts()).toEqual(['out 1', 'err 1', 'err 2', 'out 2']);
});

test('a line that a stream skipped comes with the next read', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.breakStreams('freeze');
  web.write('skipped');
  web.write('3');
  // The next read brings the skipped line after the last one seen.
  await advance(25_000);
  expect(await readTexts()).toEqual(['1', 'skipped', '3']);
});

test('lines behind a clock that was set back while the stream was cut are found within three seconds', async () => {
  const {addContainer, show, advance, readStory} = openFeed();
  const web = addContainer('web');
  web.write('before');
  await show(web);
  const hourAgo = (BigInt(Date.now()) - 3_600_000n) * 1_000_000n;
  // Long quiet, so that audits have become rare.
  await advance(600_000);
  web.breakStreams('cut');
  web.write('behind 1', hourAgo);
  await advance(2_000);
  web.write('behind 2', hourAgo + 5_000_000_000n);
  await advance(1_000);
  const story = await readStory();
  expect([story.length, ...story.toSorted()]).toEqual([3, 'before', 'behind 1', 'behind 2']);
  web.breakStreams('cut');
  web.write('behind 3', hourAgo + 20_000_000_000n);
  await advance(2_000);
  expect((await readStory()).toSorted()).toEqual(['before', 'behind 1', 'behind 2', 'behind 3']);
});

test('behind a clock that was set back, a read goes back to the last line, however many came since', async () => {
  const {addContainer, show, advance, readStory} = openFeed({windowLines: 5_000});
  const web = addContainer('web');
  web.write('before');
  await show(web);
  await readStory();
  web.breakStreams('cut');
  const hourAgo = (BigInt(Date.now()) - 3_600_000n) * 1_000_000n;
  for (let number = 1; number <= 4_000; number += 1) {
    web.write(`behind ${number} ${'x'.repeat(400)}`, hourAgo + BigInt(number) * 1_000_000n);
  }
  await advance(3_000);
  const story = await readStory();
  expect([story.length, story.filter(text => text.startsWith('('))]).toEqual([4_001, []]);
});

test('reads a young pod from its first line, and of an old one its share, without the first line of the tail', async () => {
  const {addContainer, show, readTexts} = openFeed({windowLines: 100});
  const young = addContainer('young');
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (let number = 1; number <= 400; number += 1) {
    young.write(`young ${number} ${'x'.repeat(300)}`);
    old.write(`old ${number} ${'x'.repeat(300)}`);
  }
  await show(young, old);
  expect(young.requests.some(query => query.tailLines !== undefined)).toBe(false);
  expect(old.requests.map(({limitBytes, tailLines}) => limitBytes ?? tailLines)).toEqual([102]);
  const words = (await readTexts()).map(text => text.slice(0, text.indexOf(' x')));
  expect(words).toHaveLength(100);
  expect(words.at(-1)).toBe('old 400');
});

test('a short log of an old pod is read from its first line', async () => {
  const {addContainer, show, readTexts} = openFeed();
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  old.write('listening');
  await show(old);
  expect(await readTexts()).toEqual(['listening']);
});

test('a piece of a long line, which the newest line may be, is no sign of a dead stream', async () => {
  const {addContainer, show, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  // Only this answer has the piece, as if tailLines had cut a line in two.
  web.answers.push('2026-11-22T12:00:00.000000999Z the rest of a long line\n');
  await advance(20_000);
  expect(web.requests.filter(({follow}) => follow)).toHaveLength(1);
});

test('an error of the kubelet amid the lines is told once, and never shown as a line', async () => {
  const {addContainer, show, advance, readTexts, warnings} = openFeed();
  const web = addContainer('web');
  web.answers.push('2026-11-22T12:00:00.000000001Z one\nfailed to create fsnotify watcher: too many open files');
  web.write('one', BigInt(Date.UTC(2026, 10, 22, 12)) * 1_000_000n + 1n);
  await show(web);
  web.write('two');
  await advance(3_000);
  expect(await readTexts()).toEqual(['one', 'two']);
  expect(warnings).toEqual([
    'The log of pod web, container app, ends with a message from its node: failed to create fsnotify watcher: too many open files',
  ]);
});

test('the first line of a new instance is shown even if its stamp is older than every line read', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('first', stamp);
  await show(web);
  web.start();
  web.write('second', stamp - 1_000_000n);
  await advance(2_000);
  expect(await readTexts()).toEqual(['second', 'first']);
});

test('after a cut, lines from before the tail that was read first stay away', async () => {
  const {addContainer, show, advance, readTexts} = openFeed({windowLines: 3});
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (let number = 1; number <= 30; number += 1) {
    old.write(`${number} ${'x'.repeat(1_000)}`);
  }
  await show(old);
  await advance(40_000);
  old.breakStreams('cut');
  old.write('31');
  await advance(1_000);
  expect((await readTexts()).map(text => Number.parseInt(text, 10))).toEqual([29, 30, 31]);
  expect(old.requests.filter(({follow}) => follow)).toHaveLength(2);
});

test('the first line of a tail, which may be the rest of a long one, is left out', async () => {
  const {addContainer, show, readTexts} = openFeed({windowLines: 3});
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (let number = 1; number <= 30; number += 1) {
    old.write(`${number} ${'x'.repeat(1_000)}`);
  }
  old.write('31');
  await show(old);
  // The window has room for three lines: with the first one of the tail, the newest would be no other.
  expect(old.requests.at(-1)).toMatchObject({tailLines: 8, follow: true});
  expect((await readTexts()).map(text => Number.parseInt(text, 10))).toEqual([29, 30, 31]);
});

test('an unterminated last line of a container that ended is shown, once', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('one', stamp);
  await show(web);
  web.end();
  const log = '2026-11-22T12:00:00.000000000Z one\n2026-11-22T12:00:00.000000001Z prompt> ';
  web.answers.push(log, log, log, log, log, log);
  await show(web);
  await advance(10_000);
  expect(await readTexts()).toEqual(['one', 'prompt> ']);
});

test('a line that a stream skipped is found before the last one seen', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('1', stamp);
  await show(web);
  // Only the stream lacks it: a reader that is too slow loses a file between two rotations.
  web.skipNext = true;
  web.write('skipped', stamp + 1n);
  web.write('3', stamp + 2n);
  web.breakStreams('cut');
  web.write('4', stamp + 3n);
  await advance(1_000);
  expect(await readTexts()).toEqual(['1', 'skipped', '3', '4']);
  web.breakStreams('cut');
  await advance(1_000);
  expect(await readTexts()).toEqual(['1', 'skipped', '3', '4']);
});
