import {expect, test} from 'vitest';
import {nextProbe, type ProbeChoices} from '#app/lists/update-probes.ts';

const nowMs = 1_000_000;
const choose = (
  choices: Partial<ProbeChoices>,
  agesS: Readonly<Record<string, number>>,
  {failed = [], intervalMs = 1000}: {readonly failed?: readonly string[]; readonly intervalMs?: number} = {},
) => {
  const failure = {errorKind: 'forbidden', status: 403, message: ''} as const;
  const pulses = new Map(
    Object.entries(agesS).map(([id, ageS]) => [
      id,
      {probedAtMs: nowMs - ageS * 1000, ...(failed.includes(id) && {failure})},
    ]),
  );
  const next = nextProbe({shown: [], others: [], ...choices}, pulses, {nowMs, intervalMs});
  return next && [next.branchId, Math.max(-1, (next.dueAtMs - nowMs) / 1000)];
};

test('first comes what is on the screen and was never looked at, in the order of the list', () => {
  expect(choose({shown: ['a', 'b'], others: ['c']}, {})).toEqual(['a', -1]);
  expect(choose({shown: ['a', 'b'], others: ['c']}, {a: 3})).toEqual(['b', -1]);
  expect(choose({shown: ['a', 'b'], others: ['c', 'd']}, {a: 2, b: 1})).toEqual(['c', -1]);
});

test('then what is due on the screen, the oldest look first, then the others', () => {
  expect(choose({shown: ['a', 'b'], others: ['c']}, {a: 12, b: 15, c: 400})).toEqual(['b', -1]);
  expect(choose({shown: ['a', 'b'], others: ['c', 'd']}, {a: 2, b: 5, c: 40, d: 41})).toEqual(['d', -1]);
});

test('nothing is due: the time of the next look is told', () => {
  expect(choose({shown: ['a'], others: ['c']}, {a: 4, c: 28})).toEqual(['c', 2]);
  expect(choose({shown: ['a', 'b']}, {a: 4, b: 7})).toEqual(['b', 3]);
  expect(choose({}, {})).toBeUndefined();
});

test('a full screen leaves the others half of the looks', () => {
  const shown = Array.from({length: 40}, (_, index) => `s${index}`);
  const ages = Object.fromEntries(shown.map((id, index) => [id, 30 + index]));
  // Forty rows at one look a second are due every 80 s.
  expect(choose({shown, others: ['c']}, {...ages, c: 100})).toEqual(['c', -1]);
  expect(choose({shown, others: ['c']}, {...ages, s7: 81, c: 100})).toEqual(['s7', -1]);
  expect(choose({shown}, ages)).toEqual(['s39', -1]);
});

test('a branch whose look failed is left alone for a minute', () => {
  expect(choose({shown: ['a', 'b']}, {a: 50, b: 5}, {failed: ['a']})).toEqual(['b', 5]);
  expect(choose({shown: ['a', 'b']}, {a: 61, b: 5}, {failed: ['a']})).toEqual(['a', -1]);
});
