import {expect, test} from 'vitest';
import {believableThrough, newestBelieved} from '#log/ingest/completeness/believe.ts';

const hour = 3_600_000_000_000n;
const lines = (...times: readonly bigint[]) => ({length: times.length, timeAt: (index: number) => times[index]});

test.each([
  {what: 'an hour past the service’s clock', window: lines(10n, 20n, 30n), serviceAt: 100n, through: 100n + hour},
  {
    what: 'an hour past the middle line where that is later',
    window: lines(10n, 200n, 300n),
    serviceAt: 100n,
    through: 200n + hour,
  },
  {
    what: 'an hour past the middle line where no clock is known',
    window: lines(10n, 20n, 30n),
    serviceAt: undefined,
    through: 20n + hour,
  },
  {what: 'an hour past the clock in an empty window', window: lines(), serviceAt: 100n, through: 100n + hour},
  {what: 'anything where nothing is known', window: lines(), serviceAt: undefined, through: undefined},
])('stamps are believed up to $what', ({window, serviceAt, through}) => {
  expect(believableThrough(window, serviceAt)).toBe(through);
});

test('the newest that is believed is the last up to that time', () => {
  expect(newestBelieved(lines(10n, 20n, 30n), 20n)).toBe(20n);
  expect(newestBelieved(lines(10n, 20n, 30n), undefined)).toBe(30n);
  expect(newestBelieved(lines(10n), 5n)).toBeUndefined();
});
