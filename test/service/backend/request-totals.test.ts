import {expect, test} from 'vitest';
import {createLineTally} from '#service/backend/line-tally.ts';
import {createRequestTally, nameOperation} from '#service/backend/metrics.ts';

test.each([
  ['branches', 'branches'],
  ['deployed-branches', 'deployed_branches'],
  ['pulses', 'pulses'],
  ['logs', 'logs'],
  ['metrics', 'metrics'],
  ['livez', 'health'],
  ['readyz', 'health'],
  ['healthz', 'health'],
  ['', 'other'],
  ['*', 'other'],
  [undefined, 'other'],
])('a path that ends in %s is the operation %s', (name, operation) => {
  expect(nameOperation(name)).toBe(operation);
});

test('requests are counted by operation and status, and refusals by reason', () => {
  const tally = createRequestTally();
  tally.add('logs', 200, 10);
  tally.add('logs', 200, 5);
  tally.add('logs', 401, 1);
  tally.add('branches', 200, 2);
  tally.addRefusal('no_token');
  tally.addRefusal('tenant');
  tally.addRefusal('tenant');
  expect(tally.totals()).toEqual({
    answers: [
      {operation: 'logs', status: 200, count: 2},
      {operation: 'logs', status: 401, count: 1},
      {operation: 'branches', status: 200, count: 1},
    ],
    refusals: new Map([
      ['no_token', 1],
      ['tenant', 2],
    ]),
    bodyBytes: 18,
  });
});

test('a line that is served as late as a bound counts there, one later in the next place', () => {
  const second = 1_000_000_000n;
  const lagOf = (lag: bigint) => {
    const tally = createLineTally();
    tally.arriveAt(1_000n * second);
    tally.add({pod: 'web'}, 1_000n * second - lag, 1);
    const {lagCounts, lagSeconds} = tally.totals();
    return [lagCounts.indexOf(1), lagSeconds, lagCounts.length];
  };
  expect([lagOf(second), lagOf(second + 1_000_000n)]).toEqual([
    [2, 1, 10],
    [3, 1.001, 10],
  ]);
  expect([lagOf(300n * second), lagOf(301n * second)]).toEqual([
    [8, 300, 10],
    [9, 301, 10],
  ]);
  // Ahead of the clock: no lag, not a negative one.
  expect(lagOf(-second)).toEqual([0, 0, 10]);
});

test('a thousand sources are counted each, the others together', () => {
  const tally = createLineTally();
  const first = {pod: 'web-0'};
  tally.add(first, 0n, 1);
  for (let index = 1; index <= 1_000; index += 1) {
    tally.add({pod: `web-${index}`}, 0n, 1);
  }
  tally.add(first, 0n, 1);
  const {lines, otherLines, bytes} = tally.totals();
  expect([lines.size, lines.get(first), otherLines, bytes]).toEqual([1_000, 2, 1, 1_002]);
});
