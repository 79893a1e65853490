import {expect, test} from 'vitest';
import {doWork} from '#api/client/do-work.ts';
import type {Work} from '#log/work.ts';

/** Pauses until something else had its turn. */
function* waitFor(holds: () => boolean): Work<string> {
  while (!holds()) {
    yield;
  }
  return 'done';
}

test('whatever else is due has its turn between two slices', async () => {
  let isDue = false;
  setImmediate(() => {
    isDue = true;
  });
  expect(await doWork(waitFor(() => isDue))).toBe('done');
});

test('work ends with the reason of its signal, and what it throws is thrown', async () => {
  const controller = new AbortController();
  const endless = doWork(
    waitFor(() => false),
    controller.signal,
  );
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(endless).rejects.toThrow('enough');
  const broken = doWork(
    waitFor(() => {
      throw new Error('broken');
    }),
  );
  await expect(broken).rejects.toThrow('broken');
});
