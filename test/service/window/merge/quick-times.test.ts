import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {createQuickTimes} from '#service/window/merge/quick-times.ts';
import {readOwnTime} from '#service/window/read-own-time.ts';
import {readSamples} from '../../../../scripts/format-samples.ts';
import {readCases} from '../../../cases/read-cases.ts';
import {createSeededRandom} from '../../../support/kubernetes/truth/seeded-random.ts';

const seed = Number(process.env.SEED ?? 20_261_127);
const now = parseInstant('2026-11-27T18:00:00Z') ?? 0n;

const lines = [
  ...readCases().flatMap(({path}) => readFileSync(path, 'utf8').split('\n')),
  ...readSamples().flatMap(samples => samples.lines.map(({text}) => text)),
].filter(line => !line.includes('\n'));

test(`a time is the same, however quickly it is read, whatever its digits are: seed ${seed}`, () => {
  const random = createSeededRandom(seed);
  const readTime = (text: string) => readOwnTime(text, {now});
  const {read, found} = createQuickTimes(readTime);
  let slowCount = 0;
  const counted = createQuickTimes(text => {
    slowCount += 1;
    return readTime(text);
  });
  let timedCount = 0;
  for (let round = 0; round < 30; round += 1) {
    for (const line of lines) {
      // Most of all the last digits of a time change, and those near the start of a line.
      const share = random.pick([0.02, 0.1, 0.5]) ?? 0;
      const text = line.replaceAll(/\d/g, digit => (random.next() < share ? String(random.between(0, 9)) : digit));
      const bytes = Buffer.from(`${text}\n`);
      const at = read(bytes, 0, bytes.length)
        ? BigInt(found.seconds) * 1_000_000_000n + BigInt(found.nanos)
        : undefined;
      expect([text, at]).toEqual([text, readTime(text.replace(/^\x00*\uFEFF?/, '').replace(/\r$/, ''))]);
      timedCount += at === undefined ? 0 : 1;
      counted.read(bytes, 0, bytes.length);
    }
  }
  expect(timedCount).toBeGreaterThan(lines.length);
  // A second of the same minute is not read anew.
  const minute = Array.from({length: 60}, (_, second) =>
    Buffer.from(`x 2026-11-27 17:00:${String(second).padStart(2, '0')} y\n`),
  );
  slowCount = 0;
  for (const each of minute) {
    counted.read(each, 0, each.length);
  }
  expect(slowCount).toBeLessThan(10);
});
