import {describe, expect, test} from 'vitest';
import {doubtWords} from '../../../src/log/gone/doubt-words.ts';
import {createGoneWatch, type GoneWatch, judgeGone, takeGoneAnswer} from '../../../src/log/gone/gone-watch.ts';
import type {Entry, LineEntry} from '../../../src/log/line/entry.ts';
import {instantFromMs} from '../../../src/log/line/instant.ts';
import type {SourceName} from '../../../src/log/line/source-name.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const at = (second: number) => instantFromMs(startMs + second * 1000);
const line = (second: number, text: string, source?: SourceName): LineEntry => ({
  ...{kind: 'line', id: 1, at: at(second), raw: text, textIndex: 0, late: false, source},
});
const gap = (second: number): Entry => ({kind: 'gap', id: 1, at: at(second), after: at(second), before: at(second)});
const gone = (second: number, name: string, isWhole: boolean): Entry => ({
  ...{kind: 'pod', id: 1, at: at(second), change: 'gone', name, since: at(second), isWhole},
});

type Polls = readonly (readonly [second: number, ...entries: Entry[]])[];

/** Waits until no line says "refused" for a minute. The clock of the answers begins at the hour. */
const watched = (polls: Polls): GoneWatch =>
  polls.reduce<GoneWatch>(
    (watch, [second, ...entries]) =>
      takeGoneAnswer(watch, {cameMs: second * 1000, clockMs: startMs + second * 1000, isUnreadable: false}, entries),
    createGoneWatch(({raw}) => raw.includes('refused'), 60_000),
  );
const judge = (watch: GoneWatch) => {
  const {verdict, doubt} = judgeGone(watch);
  return {verdict, doubt: doubtWords(doubt, ms => `second ${ms / 1000}`)};
};
const watchFor = (...polls: Polls) => judge(watched(polls));

describe('is gone', () => {
  test('when no line matched for the time, and others came', () => {
    expect(watchFor([0, line(0, 'refused')], [59, line(59, 'fine')]).verdict).toBe('there');
    expect(watchFor([0, line(0, 'refused')], [61, line(60, 'fine')]).verdict).toBe('gone');
    expect(watchFor([0, line(0, 'fine')], [59, line(59, 'fine')]).verdict).toBe('unknown');
    expect(watchFor([0, line(0, 'fine')], [60, line(59, 'fine')]).verdict).toBe('gone');
  });

  test('at once, if the first answer reaches back far enough', () => {
    expect(watchFor([0, line(-90, 'refused'), line(-1, 'fine')]).verdict).toBe('gone');
    expect(watchFor([0, line(-90, 'fine'), line(-30, 'refused'), line(-1, 'fine')]).verdict).toBe('there');
    expect(watchFor([0, line(-30, 'fine'), line(-1, 'fine')]).verdict).toBe('unknown');
  });

  test('only when it did not come again, late or not', () => {
    expect(watchFor([0, line(-90, 'fine'), line(0, 'fine')], [10, line(-50, 'refused')]).verdict).toBe('there');
  });
});

describe('nobody can tell', () => {
  test('over a gap, until the time passed after it', () => {
    const polls = [
      [0, line(0, 'refused')],
      [30, gap(30), line(30, 'fine')],
      [70, line(70, 'fine')],
    ] as const;
    expect(watchFor(...polls)).toEqual({verdict: 'unknown', doubt: 'gap 14:00:30 to 14:00:30'});
    expect(watchFor(...polls, [91, line(91, 'fine')]).verdict).toBe('gone');
  });

  test('while nothing is written, or the service does not answer', () => {
    expect(watchFor([0, line(0, 'refused')], [61])).toEqual({
      verdict: 'unknown',
      doubt: 'nothing was written since second 0',
    });
    const watch = watched([
      [0, line(0, 'refused')],
      [61, line(61, 'fine')],
    ]);
    expect(judge(takeGoneAnswer(watch, undefined, []))).toEqual({
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
    expect(watchFor(...polls).verdict).toBe('unknown');
    expect(watchFor(...polls, [62, line(62, 'fine', one)]).verdict).toBe('gone');
    expect(watchFor(...polls, [62, gone(62, 'web-1', true)]).verdict).toBe('gone');
    expect(watchFor(...polls, [62, gone(62, 'web-1', false)]).verdict).toBe('unknown');
  });

  test('before any answer', () => {
    expect(watchFor().verdict).toBe('unknown');
  });
});

test('of matches, and of the sources that wrote them, so many are kept', () => {
  const match = line(0, 'refused');
  const matchesOf = (count: number): number => watched([[0, ...Array<Entry>(count).fill(match)]]).matchMs.length;
  expect([matchesOf(100_000), matchesOf(100_001)]).toEqual([100_000, 100_000]);
  const sourcesOf = (count: number): number =>
    watched([[0, ...Array.from({length: count}, (_, index) => line(0, 'refused', {pod: `web-${index}`}))]]).matched
      .size;
  expect([sourcesOf(256), sourcesOf(257)]).toEqual([256, 256]);
});
