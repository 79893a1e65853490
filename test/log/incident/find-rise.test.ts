import {describe, expect, test} from 'vitest';
import {takeWindow} from '../../../src/log/answer/take-window.ts';
import {findRise, type RiseSearch} from '../../../src/log/incident/find-rise.ts';
import {formatClock, type Instant, instantFromMs} from '../../../src/log/line/instant.ts';
import {createBranchLog} from '../../../src/log/merge/branch-log.ts';

const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString().slice(0, -1)}000000Z`;

const at = (second: number): Instant => instantFromMs(Date.UTC(2026, 10, 21, 14) + second * 1000);

/** A calm line a second up to `seconds`, and errors at these seconds after 14:00:00. */
const search = (seconds: number, errors: readonly number[]): RiseSearch => {
  const lines = [
    ...Array.from({length: seconds + 1}, (_, second) => ({second, text: 'INFO calm'})),
    ...errors.map(second => ({second, text: 'ERROR boom'})),
  ]
    .toSorted((a, b) => a.second - b.second)
    .map(({second, text}) => `${stamp(second)} ${text}`);
  return findRise([takeWindow(createBranchLog(1e9), {lines, pods: [], serviceAt: at(seconds)}).log.buffer]);
};

/** One error each so many seconds. */
const every = (step: number, from: number, to: number): readonly number[] =>
  Array.from({length: Math.ceil((to - from) / step)}, (_, index) => from + index * step);

const told = (found: RiseSearch): unknown => {
  if (found.kind !== 'rise') {
    return found.kind;
  }
  const {at, lastAt, errorCount, before, during, course} = found.rise;
  const rounded = (rate: number | undefined): number | undefined => rate && Math.round(rate * 10) / 10;
  return [formatClock(at), formatClock(lastAt), errorCount, rounded(before), rounded(during), course];
};

describe('a rise', () => {
  test('a burst that ended: its first and last error, and errors a minute before and in it', () => {
    const errors = [100, 200, ...every(0.5, 240, 254)];
    expect(told(search(360, errors))).toEqual(['14:04:00', '14:04:13', 28, 0.5, 28, 'over']);
  });

  test('one that goes on and grows is still rising', () => {
    const errors = [...every(120, 0, 600), ...every(5, 600, 700), ...every(1, 700, 780)];
    const found = search(780, errors);
    expect(told(found)).toEqual(expect.arrayContaining(['rising']));
  });

  test('one that goes on as it was is steady, and one that fades is falling', () => {
    expect(told(search(900, every(4, 600, 900)))).toEqual(['14:10:00', '14:14:56', 75, 0, 15.2, 'steady']);
    expect(told(search(900, [...every(1, 600, 700), ...every(8, 700, 900)]))).toEqual(
      expect.arrayContaining(['falling']),
    );
  });

  test('nine errors, six of them in the second half, prove no direction', () => {
    expect(told(search(900, [640, 670, 700, 790, 800, 810, 830, 860, 890]))).toEqual(
      expect.arrayContaining([9, 'steady']),
    );
  });

  test('35 errors, 25 of them in the second half, prove that they increase', () => {
    expect(told(search(900, [...every(15, 606, 750), ...every(6, 750, 900)]))).toEqual(
      expect.arrayContaining([35, 'rising']),
    );
  });

  test('five errors in a minute of a log without others are enough', () => {
    expect(told(search(890, every(12, 820, 880)))).toEqual(['14:13:40', '14:14:28', 5, 0, 5, 'steady']);
  });

  test('the later one of two matters, even if the first was larger', () => {
    expect(told(search(900, [...every(0.5, 200, 230), ...every(1, 850, 880)]))).toEqual(
      expect.arrayContaining(['14:14:10', 30]),
    );
  });

  test('a few errors after a large one are not the incident', () => {
    expect(told(search(900, [...every(0.125, 200, 230), ...every(1, 850, 858)]))).toEqual(
      expect.arrayContaining(['14:03:20', 240]),
    );
  });

  test('one that began long ago and goes on is found, not what is in it', () => {
    const hour = 3600;
    const errors = [...every(600, 0, 2 * hour), ...every(6, 2 * hour, 3 * hour)];
    expect(told(search(3 * hour, errors))).toEqual(['16:00:00', '16:59:54', 600, 0.1, 10, 'steady']);
  });

  test('one that is older than what is held has nothing before it', () => {
    expect(told(search(600, every(1, 0, 100)))).toEqual(['14:00:00', '14:01:39', 100, undefined, 60.6, 'over']);
  });
});

describe('none', () => {
  test('without errors, with a few, and with as many at all times', () => {
    expect(told(search(900, []))).toBe('none');
    expect(told(search(900, [10, 300, 301, 700]))).toBe('none');
    expect(told(search(900, every(10, 0, 900)))).toBe('none');
    expect(search(900, every(10, 0, 900))).toEqual({kind: 'none', errorCount: 90, heldNanos: 900_000_000_000n});
  });

  test('less than a minute of log is too short to compare', () => {
    expect(told(search(40, every(1, 30, 40)))).toBe('tooShort');
    expect(findRise([])).toEqual({kind: 'tooShort', heldNanos: 0n});
  });

  test('errors that chance throws about rarely look like a rise', () => {
    // Numerical Recipes' generator; the seed is 1.
    let state = 1;
    const random = (): number => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state / 2 ** 32;
    };
    const found = Array.from({length: 40}, () =>
      told(
        search(
          900,
          Array.from({length: 60}, () => random() * 900),
        ),
      ),
    );
    expect(found.filter(each => each !== 'none')).toHaveLength(0);
  });
});
