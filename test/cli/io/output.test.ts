import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {createOutput, OutputClosed, OutputFailed} from '#cli/io/output.ts';

/** A stream that takes a piece only when it is told to. */
const createHeldStream = () => {
  const takes: ((error?: Error) => void)[] = [];
  const stream = new Writable({write: (_chunk, _encoding, done) => void takes.push(done)});
  return {stream, take: (error?: Error) => takes.shift()?.(error)};
};

const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await new Promise(resolve => setImmediate(resolve));
  return settled;
};

test('a write is done when the stream has taken it, and not before', async () => {
  const {stream, take} = createHeldStream();
  const written = createOutput(stream).write('text');
  expect(await isSettled(written)).toBe(false);
  take();
  await expect(written).resolves.toBeUndefined();
});

test('an aborted signal ends a write that nobody takes, with its reason', async () => {
  const {stream} = createHeldStream();
  const stop = new AbortController();
  const written = createOutput(stream).write('text', stop.signal);
  const reason = new Error('told to stop');
  stop.abort(reason);
  await expect(written).rejects.toBe(reason);
  await expect(createOutput(stream).write('more', stop.signal)).rejects.toBe(reason);
});

test.each<readonly [string, typeof OutputClosed | typeof OutputFailed, string]>([
  ['EPIPE', OutputClosed, 'the reader has gone'],
  ['ECONNRESET', OutputClosed, 'the reader has gone'],
  ['ENOSPC', OutputFailed, 'cannot write to standard output: no space left on the device (ENOSPC)'],
  ['EIO', OutputFailed, 'cannot write to standard output: the terminal or device is gone (EIO)'],
  ['EWHATEVER', OutputFailed, 'cannot write to standard output: went wrong (EWHATEVER)'],
])('%s', async (code, kind, message) => {
  const {stream, take} = createHeldStream();
  const output = createOutput(stream);
  const written = output.write('text');
  take(Object.assign(new Error('went wrong'), {code}));
  const error: unknown = await written.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({message});
  // What failed once is not tried again.
  await expect(output.write('more')).rejects.toBe(error);
});
