import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {stopReading} from '#terminal/screen/lifecycle.ts';

test('a stream that flowed flows again afterwards, and not before', async () => {
  const stdin = new PassThrough();
  const read: string[] = [];
  stdin.on('data', (bytes: Buffer) => read.push(bytes.toString()));
  const readAgain = await stopReading(stdin);
  stdin.write('typed for another program');
  await new Promise(resolve => setImmediate(resolve));
  expect(read).toEqual([]);
  readAgain();
  await new Promise(resolve => setImmediate(resolve));
  expect(read).toEqual(['typed for another program']);
});

test('a stream that was read with `readable` is not made to flow', async () => {
  const stdin = new PassThrough();
  stdin.on('readable', () => {});
  const readAgain = await stopReading(stdin);
  readAgain();
  expect(stdin.readableFlowing).not.toBe(true);
  expect(stdin.listenerCount('readable')).toBe(1);
});
