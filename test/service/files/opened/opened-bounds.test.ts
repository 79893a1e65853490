import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {formatInstant} from '#log/line/instant.ts';
import {createArrivalTimes} from '#service/files/opened/opened-pods.ts';
import {feedOfDecompressor} from '#service/files/opened/stream-source.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {waitFor} from '../../../support/wait-for.ts';

test('a thousand lines are searched for a time of their own', () => {
  const openedAt = 1_795_269_600_000_000_000n;
  const fromAfter = (linesWithout: number): bigint | undefined => {
    const times = createArrivalTimes(openedAt, text => (text.startsWith('at ') ? 1n : undefined));
    const stamp = formatInstant(openedAt + 1n);
    times.look([...Array.from({length: linesWithout}, () => `${stamp} no time`), `${stamp} at one`]);
    return times.from();
  };
  expect([fromAfter(999), fromAfter(1_000)]).toEqual([undefined, 0n]);
});

test('of what a decompressor says the first kilobyte is kept', async () => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  const program = join(folder.path, 'unpack');
  writeFileSync(program, "#!/bin/sh\nhead -c 5000 /dev/zero | tr '\\0' x >&2\nexit 1\n");
  chmodSync(program, 0o755);
  const feed = feedOfDecompressor(program, 'a.xz', () => undefined);
  onTestFinished(() => feed.stop());
  const outcome = await waitFor(() => feed.outcome(), {what: 'the end of the program'});
  expect(outcome).toBe(`cannot be read any further (${'x'.repeat(1024)})`);
});
