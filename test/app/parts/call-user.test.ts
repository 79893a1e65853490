import {expect, test} from 'vitest';
import {type CallState, callPauseMs, decideCall, newCallState} from '#app/parts/call-user.ts';

const settings = {firstError: true, quietMs: 60_000};

/** Plays what arrived, and answers what was called, by time. */
const play = (
  arrived: readonly {readonly atMs: number; readonly match?: string; readonly error?: string}[],
  wanted = settings,
): readonly (readonly [number, string])[] => {
  let state: CallState = newCallState(0);
  const calls: (readonly [number, string])[] = [];
  for (const {atMs, match, error} of arrived) {
    const decided = decideCall(state, {nowMs: atMs, match, error}, wanted);
    state = decided.state;
    if (decided.text !== undefined) {
      calls.push([atMs, decided.text]);
    }
  }
  return calls;
};

test('the first error after a quiet calls, the ones after it do not', () => {
  expect(
    play([
      {atMs: 59_999, error: 'too soon'},
      {atMs: 100_000, error: 'the quiet began anew at 59,999'},
      {atMs: 160_000, error: 'boom'},
      {atMs: 200_000, error: 'again'},
      {atMs: 259_999, error: 'and again'},
      {atMs: 319_999, error: 'after a quiet'},
    ]),
  ).toEqual([
    [160_000, 'boom'],
    [319_999, 'after a quiet'],
  ]);
});

test('lines that are no errors neither call nor end a quiet', () => {
  expect(play([{atMs: 50_000}, {atMs: 60_000, error: 'boom'}])).toEqual([[60_000, 'boom']]);
});

test('errors do not call where only a pattern was asked for', () => {
  expect(
    play(
      [
        {atMs: 90_000, error: 'boom'},
        {atMs: 95_000, match: 'order 17'},
      ],
      {...settings, firstError: false},
    ),
  ).toEqual([[95_000, 'order 17']]);
});

test('a match calls at once, and goes before an error', () => {
  expect(play([{atMs: 70_000, match: 'order 17', error: 'boom'}])).toEqual([[70_000, 'order 17']]);
});

test('one call in thirty seconds, and the next one tells how many were held back', () => {
  expect(callPauseMs).toBe(30_000);
  expect(
    play([
      {atMs: 1_000, match: 'one'},
      {atMs: 2_000, match: 'two'},
      {atMs: 30_999, match: 'three'},
      {atMs: 31_000, match: 'four'},
      {atMs: 61_000, match: 'five'},
    ]),
  ).toEqual([
    [1_000, 'one'],
    [31_000, '2 more before this: four'],
    [61_000, 'five'],
  ]);
});
