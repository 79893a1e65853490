import {expect, test} from 'vitest';
import type {NotifyRules} from '#app/parts/call-user.ts';
import {answer, branchesNamed, give, type Play, sampleState, startAt} from '../../support/play.ts';

const openLog = (notifyRules: NotifyRules | undefined): Play => {
  const play = startAt(sampleState({notifyRules}));
  play.send({kind: 'started'});
  give(play, 'open');
  play.branchesArrive(branchesNamed('master'));
  give(play, 'open');
  return play;
};

/** A window of lines, one a second. */
const arrive = (play: Play, ...texts: readonly string[]): void =>
  play.windowArrives(
    answer({
      pods: [],
      lines: texts.map((text, index) => `2026-11-21T14:00:${String(index).padStart(2, '0')}.000000000Z ${text}`),
      sessionId: 's',
    }),
  );

const calls = (play: Play): readonly string[] =>
  play.effects.flatMap(effect => (effect.kind === 'callUser' ? [effect.text] : []));

const matchesFatal: NotifyRules = {firstError: false, quietMs: 60_000, matches: text => text.includes('fatal')};
const firstError: NotifyRules = {firstError: true, quietMs: 60_000};

test('the newest new line that matches calls; what the first window shows is no news', () => {
  const play = openLog(matchesFatal);
  arrive(play, 'fatal: old');
  expect(calls(play)).toEqual([]);
  arrive(play, 'fatal: old', 'calm', 'fatal: one', 'fatal: two', 'calm');
  expect(calls(play)).toEqual(['fatal: two']);
  arrive(play, 'fatal: old', 'calm', 'fatal: one', 'fatal: two', 'calm');
  expect(calls(play)).toEqual([]);
});

test.each([
  [3392, 1],
  [3393, 0],
])('of a window, the newest 200,000 characters are looked at: a first line of %i and 48 of 4,096', (length, count) => {
  const play = openLog(matchesFatal);
  arrive(play, 'calm');
  arrive(play, 'calm', 'fatal'.padEnd(length, 'x'), ...Array.from({length: 48}, () => 'x'.repeat(4096)));
  expect(calls(play)).toHaveLength(count);
});

test('the first error after a quiet calls, and the next one does not', () => {
  const play = openLog(firstError);
  arrive(play, 'ERROR before');
  play.wait(60_000);
  arrive(play, 'ERROR before', 'calm');
  expect(calls(play)).toEqual([]);
  arrive(play, 'ERROR before', 'calm', 'ERROR first', 'ERROR second');
  expect(calls(play)).toEqual(['ERROR first']);
  play.wait(59_000);
  arrive(play, 'ERROR before', 'calm', 'ERROR first', 'ERROR second', 'ERROR third');
  expect(calls(play)).toEqual([]);
});

test('a short quiet calls for nothing', () => {
  const play = openLog(firstError);
  arrive(play, 'calm');
  play.wait(59_000);
  arrive(play, 'calm', 'ERROR first');
  expect(calls(play)).toEqual([]);
});

test('a burst is looked through up to a bound, the newest lines first, and a long line up to its own', () => {
  const tried: string[] = [];
  const play = openLog({...matchesFatal, matches: text => tried.push(text) < 0});
  arrive(play, 'calm');
  arrive(play, 'calm', ...Array.from({length: 59}, (_, index) => `line ${index} ${'x'.repeat(9000)}`));
  expect(tried[0]).toMatch(/^line 58 /);
  expect(tried.length).toBeGreaterThan(40);
  expect(tried.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(200_000);
  expect(Math.max(...tried.map(text => text.length))).toBe(4096);
});

test('where nobody wants to be called nothing is looked at', () => {
  const play = openLog(undefined);
  arrive(play, 'calm');
  arrive(play, 'calm', 'fatal: one');
  expect(calls(play)).toEqual([]);
});
