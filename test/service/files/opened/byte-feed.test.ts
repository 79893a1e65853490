import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {feedOfStream} from '#service/files/opened/stream-source.ts';

const nextTurn = () => new Promise(resolve => setImmediate(resolve));

const open = () => {
  const stream = new PassThrough({highWaterMark: 1024 * 1024});
  let changes = 0;
  const feed = feedOfStream(stream, () => {
    changes += 1;
  });
  return {stream, feed, changes: () => changes};
};

test('bytes are kept until they are taken, and each change is told', async () => {
  const {stream, feed, changes} = open();
  stream.write('one');
  stream.write('two');
  await nextTurn();
  expect(changes()).toBe(2);
  expect(feed.takeOutput()).toEqual({bytes: Buffer.from('onetwo'), hasMore: false});
  expect(feed.takeOutput()).toEqual({bytes: Buffer.alloc(0), hasMore: false});
  expect(feed.outcome()).toBeUndefined();
  stream.end();
  await nextTurn();
  expect([feed.outcome(), changes() > 2]).toEqual(['ended', true]);
});

test('whoever writes waits once a quarter of a megabyte is kept', async () => {
  const {stream, feed} = open();
  const bound = 256 * 1024;
  stream.write(Buffer.alloc(bound - 1));
  await nextTurn();
  expect([stream.isPaused(), feed.takeOutput().hasMore]).toEqual([false, false]);
  stream.write(Buffer.alloc(bound));
  await nextTurn();
  stream.write('more');
  await nextTurn();
  expect(stream.isPaused()).toBe(true);
  const {bytes, hasMore} = feed.takeOutput();
  expect([bytes.length, hasMore]).toEqual([bound, true]);
  await nextTurn();
  expect(feed.takeOutput()).toEqual({bytes: Buffer.from('more'), hasMore: false});
});

test('a stream that fails says why, and what came before is not lost', async () => {
  const {stream, feed} = open();
  stream.write('one');
  await nextTurn();
  stream.destroy(new Error('EIO: i/o error, read'));
  await nextTurn();
  expect([feed.outcome(), String(feed.takeOutput().bytes)]).toEqual(['cannot be read any further (i/o error)', 'one']);
});

test('a stream that is stopped is closed', async () => {
  const {stream, feed} = open();
  await feed.stop();
  await nextTurn();
  expect([stream.destroyed, feed.outcome()]).toEqual([true, 'ended']);
});
