import {expect, test} from 'vitest';
import {createJoinedWindow} from '#api/recording/replay-client.ts';
import {numbersOf} from '#log/ingest/numbered.ts';

const answerOf = (first: number, count: number, change: object = {}) => ({
  lines: Array.from({length: count}, (_, index) => `line ${first + index}`),
  numbering: {series: 'a', first, sources: [{pod: 'web'}], runs: [[0, count] as const], losses: [], ...change},
});
const had = (last: number, series = 'a') => ({series, last}) as never;

test('answers that go on are one window, as long as the longest answer', () => {
  const joined = createJoinedWindow();
  joined.add(answerOf(1, 3), undefined);
  joined.add(answerOf(4, 2), had(3));
  const {lines, numbering} = joined.window() ?? expect.fail();
  expect(lines).toEqual(['line 3', 'line 4', 'line 5']);
  expect([...numbersOf(numbering, lines.length)]).toEqual([3, 4, 5]);
  expect(numbering.sources).toEqual([{pod: 'web'}]);
  for (let first = 6; first < 16; first += 2) {
    joined.add(answerOf(first, 2), had(first - 1));
  }
  expect(joined.window()?.lines).toEqual(['line 13', 'line 14', 'line 15']);
});

test('an answer that does not go on begins anew', () => {
  const joined = createJoinedWindow();
  const add = (after: ReturnType<typeof had> | undefined) => {
    joined.add(answerOf(1, 3), undefined);
    joined.add(answerOf(4, 1), after);
    return joined.window()?.lines;
  };
  expect(add(had(3))).toEqual(['line 2', 'line 3', 'line 4']);
  expect(add(undefined)).toEqual(['line 4']);
  expect(add(had(3, 'b'))).toEqual(['line 4']);
  expect(add(had(4))).toEqual(['line 4']);
});

test('without numbers there is no window, and the next one begins anew', () => {
  const joined = createJoinedWindow();
  expect(joined.window()).toBeUndefined();
  joined.add(answerOf(1, 3), undefined);
  joined.add(undefined, had(3));
  expect(joined.window()).toBeUndefined();
  joined.add(answerOf(4, 1), had(3));
  expect(joined.window()?.lines).toEqual(['line 4']);
});

test('what was lost is told once, with its source, and so is the last number', () => {
  const joined = createJoinedWindow();
  const loss = {number: 2, why: 'cut', source: 0} as const;
  joined.add(answerOf(3, 2, {losses: [loss], last: 9}), undefined);
  joined.add(answerOf(5, 1, {losses: [loss]}), had(4));
  const {numbering} = joined.window() ?? expect.fail();
  expect(numbering.losses).toHaveLength(1);
  expect(numbering.losses[0]).toMatchObject({number: 2, why: 'cut', source: 0});
  expect(Object.hasOwn(numbering, 'last')).toBe(false);
  joined.add(answerOf(6, 1, {last: 9}), had(5));
  expect(joined.window()?.numbering.last).toBe(9);
});
