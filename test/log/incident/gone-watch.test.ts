import {describe, expect, test} from 'vitest';
import {doubtWords} from '#log/incident/doubt-words.ts';
import {
  createRecoveryWatch,
  judgeGoneAtEnd,
  judgeRecovery,
  type RecoveryAnswer,
  type RecoveryWatch,
  takeRecoveryAnswer,
} from '#log/incident/recovery-watch.ts';
import type {Entry, LineEntry, SourceName} from '#log/line/entry.ts';
import {instantFromMs} from '#log/line/instant.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const at = (second: number) => instantFromMs(startMs + second * 1000);
const line = (second: number, text: string, source?: SourceName): LineEntry => ({
  ...{kind: 'line', id: 1, at: at(second), raw: text, textIndex: 0, late: false, source},
});
const gap = (second: number): Entry => ({kind: 'gap', id: 1, at: at(second), after: at(second), before: at(second)});
const podGone = (second: number, name: string, isWhole: boolean): Entry => ({
  ...{kind: 'pod', id: 1, at: at(second), change: 'gone', name, since: at(second), isWhole},
});
const answer = (second: number, more: Partial<RecoveryAnswer> = {}): RecoveryAnswer => ({
  ...{cameMs: second * 1000, proof: 'counted', isNumbered: true, notLineCount: 0, isUnreadable: false},
  ...{podNames: [], hasMore: false},
  ...more,
});

/** Waits until no line says "refused" for a minute. */
const watch = createRecoveryWatch(({raw}) => raw.includes('refused'), 60_000);

type Polls = readonly (readonly [second: number, ...entries: Entry[]])[];

const watched = (polls: Polls): RecoveryWatch =>
  polls.reduce<RecoveryWatch>(
    (before, [second, ...entries]) => takeRecoveryAnswer(before, answer(second), entries),
    watch,
  );
const judge = (of: RecoveryWatch) => {
  const {verdict, doubt} = judgeRecovery(of);
  return {verdict, doubt: doubtWords(doubt, ms => `second ${ms / 1000}`)};
};
const watchFor = (...polls: Polls) => judge(watched(polls));

describe('is gone', () => {
  test('when no line matched for the time since the first answer, and others came at its end', () => {
    expect(watchFor([0, line(0, 'refused')], [59, line(59, 'fine')]).verdict).toBe('there');
    expect(watchFor([0, line(0, 'refused')], [61, line(60, 'fine')]).verdict).toBe('gone');
    expect(watchFor([0, line(0, 'fine')], [59, line(59, 'fine')]).verdict).toBe('unknown');
    expect(watchFor([0, line(0, 'fine')], [60, line(59, 'fine')]).verdict).toBe('gone');
  });

  test('not by what the first answer holds, however far back it reaches', () => {
    expect(watchFor([0, line(-90, 'refused'), line(-1, 'fine')]).verdict).toBe('unknown');
    expect(watchFor([0, line(-9000, 'fine'), line(-1, 'fine')]).verdict).toBe('unknown');
    expect(watchFor([0, line(-90, 'fine'), line(-30, 'refused'), line(-1, 'fine')]).verdict).toBe('there');
  });

  test('not since the first part of what is held, if that comes in parts', () => {
    const parts = [0, 30].reduce(
      (before, second) =>
        takeRecoveryAnswer(before, answer(second, {hasMore: second === 0}), [line(second, 'refused')]),
      watch,
    );
    const later = (second: number) => takeRecoveryAnswer(parts, answer(second), [line(second, 'fine')]);
    expect([judgeRecovery(later(61)).verdict, judgeRecovery(later(90)).verdict]).toEqual(['there', 'gone']);
  });

  test('only when it did not come again, late or not', () => {
    expect(watchFor([0, line(-90, 'fine'), line(0, 'fine')], [10, line(-50, 'refused')]).verdict).toBe('there');
  });

  test('whatever a clock ahead or behind says, it counts when a line came', () => {
    for (const seconds of [-86_400, -120, 120, 86_400]) {
      const pod = {pod: 'web-1'};
      const held = [line(0, 'fine'), line(seconds - 8, 'refused', pod), line(seconds - 1, 'fine', pod)];
      expect(watchFor([0, ...held]).verdict).toBe('there');
      expect(watchFor([0, ...held], [59, line(seconds + 59, 'fine', pod)]).verdict).toBe('unknown');
      expect(watchFor([0, ...held], [60, line(seconds + 60, 'fine', pod)]).verdict).toBe('gone');
    }
  });
});

describe('nobody can tell', () => {
  test('over a gap, until the time passed after it; at the end of a run, not even then', () => {
    const polls = [
      [0, line(0, 'refused')],
      [30, gap(30), line(30, 'fine')],
      [70, line(70, 'fine')],
    ] as const;
    expect(watchFor(...polls)).toEqual({verdict: 'unknown', doubt: 'gap 14:00:30 to 14:00:30'});
    const later = watched([...polls, [91, line(91, 'fine')]]);
    expect(judgeRecovery(later).verdict).toBe('gone');
    expect(judgeGoneAtEnd(later)).toMatchObject({verdict: 'unknown', doubt: {kind: 'gap'}});
    // A line that matched since is what is waited for.
    const again = takeRecoveryAnswer(later, answer(100), [line(100, 'refused')]);
    expect(judgeGoneAtEnd(again).verdict).toBe('there');
    expect(judgeGoneAtEnd(takeRecoveryAnswer(again, answer(160), [line(160, 'fine')])).verdict).toBe('gone');
  });

  test('while nothing is written, or the service does not answer', () => {
    expect(watchFor([0, line(0, 'refused')], [61])).toEqual({verdict: 'unknown', doubt: 'nothing was written'});
    const written = watched([
      [0, line(0, 'refused')],
      [61, line(61, 'fine')],
    ]);
    expect(judge(takeRecoveryAnswer(written, undefined, []))).toEqual({
      verdict: 'unknown',
      doubt: 'no answer since second 61',
    });
  });

  test('while who wrote it is silent, unless its pod is gone and read to its end', () => {
    const [one, two] = [{pod: 'web-1'}, {pod: 'web-2'}];
    const polls = [
      [0, line(0, 'refused', one)],
      [61, line(61, 'fine', two)],
    ] as const;
    expect(watchFor(...polls)).toEqual({verdict: 'unknown', doubt: 'nothing was written by web-1'});
    expect(watchFor(...polls, [62, line(62, 'fine', one)]).verdict).toBe('gone');
    expect(watchFor(...polls, [62, line(62, 'fine', two), podGone(62, 'web-1', true)]).verdict).toBe('gone');
    expect(watchFor(...polls, [62, podGone(62, 'web-1', false)]).verdict).toBe('unknown');
  });

  test('by a line that came before the time was up', () => {
    const one = {pod: 'web-1'};
    expect(watchFor([0, line(0, 'refused', one)], [30, line(30, 'fine', one)], [61, line(61, 'fine')])).toEqual({
      verdict: 'unknown',
      doubt: 'nothing was written by web-1 since second 30',
    });
  });

  test('while somebody else is silent who wrote steadily', () => {
    const every = (from: number, to: number) =>
      Array.from({length: to - from}, (_, index) => line(from + index, 'fine', {pod: 'web-2'}));
    const others = (second: number) => line(second, 'fine', {pod: 'web-1'});
    const silent = watchFor([0, ...every(-20, 0)], [30, others(30)], [60, others(60)]);
    expect(silent).toEqual({verdict: 'unknown', doubt: 'nothing was written by web-2'});
    expect(watchFor([0, ...every(-20, 0)], [30, ...every(0, 30)], [60, others(60)]).verdict).toBe('gone');
    const fallen = watchFor([0, ...every(-20, 0)], [20, ...every(0, 20)], [60, others(60)]);
    expect(fallen.doubt).toBe('nothing was written by web-2 since second 20');
  });

  test('while not every pod can be read', () => {
    const blind = takeRecoveryAnswer(watch, answer(0, {isUnreadable: true}), [line(0, 'fine')]);
    expect(judge(takeRecoveryAnswer(blind, answer(70, {isUnreadable: true}), [line(70, 'fine')])).doubt).toBe(
      'not all of it can be read',
    );
  });

  test('before any answer', () => {
    expect(watchFor()).toEqual({verdict: 'unknown', doubt: 'no answer since second 0'});
  });
});

test('a pod that is not listed any more at the first answer need not write', () => {
  const held = [line(0, 'refused', {pod: 'web-0'}), line(0, 'fine', {pod: 'web-1'})];
  const first = takeRecoveryAnswer(watch, answer(0, {podNames: ['web-1']}), held);
  expect(judgeRecovery(takeRecoveryAnswer(first, answer(60), [line(60, 'fine', {pod: 'web-1'})])).verdict).toBe('gone');
});

test('the last lines of a pod that went begin the time anew, and hide no other doubt', () => {
  const first = takeRecoveryAnswer(watch, answer(0), [line(0, 'fine')]);
  const went = takeRecoveryAnswer(first, answer(10), [podGone(10, 'web-1', false)]);
  expect(judge(takeRecoveryAnswer(went, answer(60), [line(60, 'fine')])).doubt).toBe(
    'the last lines of web-1 may be missing',
  );
  expect(judgeGoneAtEnd(takeRecoveryAnswer(went, answer(70), [line(70, 'fine')])).verdict).toBe('gone');
  const both = takeRecoveryAnswer(takeRecoveryAnswer(first, answer(5), [gap(5)]), answer(10), [
    podGone(10, 'web-1', false),
  ]);
  expect(judgeGoneAtEnd(takeRecoveryAnswer(both, answer(70), [line(70, 'fine')])).doubt).toMatchObject({kind: 'gap'});
});

test('changes and horizons are no doubt, and neither is what was so when it began', () => {
  const first = takeRecoveryAnswer(watch, answer(0, {notLineCount: 3, proof: 'inferred', isNumbered: false}), [
    gap(-300),
    {kind: 'horizon', id: 1, at: at(-80)},
  ]);
  const second = takeRecoveryAnswer(first, answer(60, {notLineCount: 3}), [
    {kind: 'horizon', id: 1, at: at(-80)},
    line(60, 'fine'),
  ]);
  expect(judgeGoneAtEnd(second).verdict).toBe('gone');
});

test('an outage is no doubt where numbers tell that nothing is missing', () => {
  const first = watched([[0, line(0, 'fine')]]);
  const after = (proof: RecoveryAnswer['proof']) =>
    judgeGoneAtEnd(
      takeRecoveryAnswer(
        takeRecoveryAnswer({...first, last: {...first.last, proof}}, undefined, []),
        answer(60, {proof}),
        [line(60, 'fine')],
      ),
    ).verdict;
  expect([after('counted'), after('said')]).toEqual(['gone', 'unknown']);
});

test('of matches, and of those who write, so many are kept', () => {
  const match = line(0, 'refused');
  const matchesOf = (count: number): number => watched([[0, ...Array<Entry>(count).fill(match)]]).matchMs.length;
  expect([matchesOf(100_000), matchesOf(100_001)]).toEqual([100_000, 100_000]);
  const writersOf = (count: number): number =>
    watched([[0, ...Array.from({length: count}, (_, index) => line(0, 'refused', {pod: `web-${index}`}))]]).writers
      .size;
  expect([writersOf(1000), writersOf(1001)]).toEqual([1000, 1000]);
});

test('matches are forgotten once they are older than the time', () => {
  const first = takeRecoveryAnswer(watch, answer(0), [line(0, 'refused')]);
  expect(takeRecoveryAnswer(first, answer(59), []).matchMs).toEqual([0]);
  expect(takeRecoveryAnswer(first, answer(60), []).matchMs).toEqual([]);
});
