import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {createSampleWorld} from '#demo/world/sample-backend.ts';
import {startMs} from '../../open-sample.ts';

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

test('the traffic of a day has the same waves, incidents and releases for the same seed and start', () => {
  const told = createSampleWorld({scenario: 'day', seed: 7, startMs})
    .flatMap(site => site.branches)
    .map(({setting, log}) => {
      const lines = log.listEmitted(startMs - 300_000, startMs + 900_000);
      const byMinute = lines.reduce(
        (counts, {sinceStartNs}) => {
          const minute = Math.floor(sinceStartNs / 60e9) + 5;
          counts[minute] = (counts[minute] ?? 0) + 1;
          return counts;
        },
        Array.from({length: 20}, () => 0),
      );
      return `${setting.branch.name}: ${digestOf(lines)}, by the minute ${byMinute.join(' ')}`;
    });
  expect(told).toMatchInlineSnapshot(`
    [
      "master: 39d7a81ce849, by the minute 239 88 321 215 97 194 252 241 176 196 99 219 325 91 236 138 108 381 144 115",
      "feature/checkout: dd1039798cec, by the minute 38 18 36 34 19 47 38 56 49 30 31 60 24 33 45 22 73 36 18 42",
      "feature/new-theme: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "hotfix/cart: c7dfabd77236, by the minute 0 0 0 0 0 9 18 24 19 25 29 16 28 28 14 35 29 12 43 42",
      "staging: 4d67e56a37cb, by the minute 47 43 62 55 35 101 45 30 70 49 34 83 45 40 63 39 56 61 33 57",
      "release/4.2: 17f4af9784bb, by the minute 88 64 51 77 54 45 85 44 41 83 54 42 63 41 41 86 28 52 86 39",
      "experiment/instant-search: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "feature/gift-cards: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "feature/loyalty-points: 5ce44c7ec6f9, by the minute 0 0 0 0 2 12 3 0 0 0 0 0 0 0 0 0 0 4 6 0",
      "feature/reviews: 06288d98be3a, by the minute 8 6 15 14 12 13 4 10 17 10 16 15 8 16 11 6 18 15 7 15",
      "bugfix/vat-rounding: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "master: 4f1ae71187e8, by the minute 52 94 127 182 87 116 46 102 132 213 138 89 48 120 74 75 215 110 70 133",
      "issue-48: d0859b80d08e, by the minute 10 7 9 11 7 19 13 8 12 9 9 16 8 11 20 7 17 18 12 21",
      "issue-49: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "paywall: a0aab961fbfc, by the minute 21 13 14 9 12 13 10 16 15 10 16 30 7 15 14 7 16 6 9 19",
      "archive: 99aba02cb8bb, by the minute 12 12 9 13 12 4 16 19 8 17 12 14 25 4 14 16 9 12 21 9",
      "master: 299f922b9684, by the minute 73 39 254 77 44 120 78 50 101 78 54 111 64 217 108 51 66 97 50 97",
      "develop: 36d2a988131c, by the minute 16 6 10 17 3 15 27 9 11 14 11 9 20 24 24 11 9 24 12 13",
      "feature/calendar-sync: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "feature/waiting-list: 8685bdaded78, by the minute 7 15 8 10 22 11 14 11 8 17 16 9 18 14 7 11 15 3 12 11",
      "master: dd3e10486e0c, by the minute 12 2 8 16 4 10 11 6 7 9 9 16 10 5 23 10 8 11 9 10",
      "drafts: cbea9ab75113, by the minute 2 5 0 5 5 0 5 2 2 1 6 6 2 3 4 4 3 3 5 1",
      "rewrite: 4f53cda18c2b, by the minute 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
    ]
  `);
});
