import {describe, expect, test} from 'vitest';
import {ApiError} from '../../../src/api/api-error.ts';
import {compilePattern} from '../../../src/cli/arguments/compile-pattern.ts';
import {createGoneWatch, type GoneWatch} from '../../../src/cli/until/gone-watch.ts';
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

/** Waits until no line says "refused" for a minute. The clock of the answers begins at the hour. */
const watchFor = (...polls: readonly (readonly [second: number, ...entries: Entry[]])[]): GoneWatch => {
  const watch = createGoneWatch({pattern: compilePattern('until-gone', 'refused'), forMs: 60_000});
  for (const [second, ...entries] of polls) {
    const result = {value: {}, serviceTimeMs: startMs + second * 1000} as Parameters<GoneWatch['take']>[0]['result'];
    watch.take({result, times: {beganMs: second * 1000, cameMs: second * 1000}}, entries);
  }
  return watch;
};

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
    const watch = watchFor(...polls);
    expect([watch.verdict, watch.doubt]).toEqual(['unknown', 'lines may be missing']);
    expect(watchFor(...polls, [91, line(91, 'fine')]).verdict).toBe('gone');
  });

  test('while nothing is written, or the service does not answer', () => {
    const silent = watchFor([0, line(0, 'refused')], [61]);
    expect([silent.verdict, silent.doubt]).toEqual(['unknown', 'nothing was written']);
    const watch = watchFor([0, line(0, 'refused')], [61, line(61, 'fine')]);
    watch.take({result: new ApiError('network', 'refused'), times: {beganMs: 62_000, cameMs: 62_000}}, []);
    expect([watch.verdict, watch.doubt]).toEqual(['unknown', 'the service could not be reached']);
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
