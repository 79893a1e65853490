import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {createSampleWorld} from '../../../src/demo/sample-world.ts';
import {startMs} from '../open-sample.ts';

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** What the branches of the day wrote in some hours, and how busy each was by the minute. */
test('the traffic of a day has the same waves, incidents and releases for the same seed and start', () => {
  const told = createSampleWorld({scenario: 'day', seed: 7, startMs})
    .flatMap(site => site.branches)
    .slice(0, 4)
    .map(({setting, log}) => {
      const lines = log.listEmitted(startMs - 600_000, startMs + 1_200_000);
      const byMinute = lines.reduce(
        (counts, {sinceStartNs}) => {
          const minute = Math.floor(sinceStartNs / 60e9) + 10;
          counts[minute] = (counts[minute] ?? 0) + 1;
          return counts;
        },
        Array.from({length: 30}, () => 0),
      );
      return `${setting.branch.name}: ${digestOf(lines)}, by the minute ${byMinute.join(' ')}`;
    });
  expect(told).toMatchInlineSnapshot(`
    [
      "master: b03acd1d0959, by the minute 153 109 251 186 128 239 88 321 215 97 194 252 241 176 196 99 219 325 91 236 138 108 381 144 115 211 125 319 225 114",
      "feature/checkout: be5da07490c6, by the minute 22 54 39 20 59 38 18 36 34 19 47 38 56 49 30 31 60 24 33 45 22 73 36 18 42 43 17 63 37 30",
      "feature/new-theme: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "hotfix/cart: ec7eb5d1f66a, by the minute 0 0 0 0 0 0 0 0 0 0 9 18 24 19 25 29 16 28 28 14 35 29 12 43 42 19 32 16 19 42",
    ]
  `);
});
