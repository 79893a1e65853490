import {describe, expect, test} from 'vitest';
import {
  evidenceFor,
  hasBaseline,
  instantOf,
  linesPerMinute,
  nowFinding,
  rateFinding,
} from '../../../src/log/incident/rate-finding.ts';
import {evidenceOf, type Shift} from '../../../src/log/incident/statistics/find-shift.ts';
import {atSecond, eventsOf, linesEvery} from './events-of.ts';

const events = eventsOf(linesEvery(1, 0, 1201, 'INFO a'));

const shift: Shift = {
  ...{start: 0, end: 40, from: 900, to: 940, isOver: false},
  ...{during: 0.5, before: 0.1, evidence: 20, isUsual: false},
};

test('less than a minute can not be compared', () => {
  const held = (seconds: number) =>
    hasBaseline(
      eventsOf([
        [0, 'INFO a'],
        [seconds, 'INFO a'],
      ]),
    );
  expect([held(59.9), held(60)]).toEqual([false, true]);
});

test('seconds of the log are times', () => {
  expect(instantOf(events, 1.5)).toBe(atSecond(1.5));
});

test('all lines are counted by the minute, of less than one as if it were one', () => {
  expect(linesPerMinute(events, 0, 120)).toBe(60);
  expect(linesPerMinute(events, 0, 30)).toBe(30);
  expect(linesPerMinute({...events, weight: 3}, 0, 120)).toBe(180);
});

test('what comes with more of all lines is explained by these', () => {
  const times = linesEvery(1, 0, 100, '').map(([at]) => at);
  // In a tenth of the time came a tenth of the lines.
  const part = {...shift, start: 0, end: 40, from: 0, to: 120, evidence: 1000};
  expect(evidenceFor(events, times, part)).toBeCloseTo(evidenceOf(40, 100, 121 / 1201), 9);
  expect(evidenceFor(events, times, {...part, evidence: 7})).toBe(7);
  expect(evidenceFor({...events, clock: []}, times, {...part, end: 0})).toBe(0);
});

describe('a rise', () => {
  const of = (more: Partial<Shift>, kind: 'kind' | 'message' | 'request' = 'kind', evidence = 18) =>
    rateFinding(events, {of: kind, subject: 'x', weight: 2}, {...shift, ...more}, evidence);

  test('is told by the minute, with its times and all lines', () => {
    expect(of({})).toMatchObject({
      ...{what: 'rise', of: 'kind', subject: 'x', unit: 'per minute', evidence: 18},
      ...{since: atSecond(900), until: undefined, mayBeOlder: false, before: 12, now: 60, total: 40},
      confidence: 'sure',
    });
    expect(of({isOver: true})).toMatchObject({until: atSecond(940)});
    expect(of({before: undefined})).toMatchObject({mayBeOlder: true, before: undefined, confidence: 'sure'});
  });

  test.each([
    ['by evidence of 18', 18, {}, 'sure'],
    ['not by less', 17.9, {}, 'weak'],
    ['not if it is usual', 18, {isUsual: true}, 'weak'],
    ['if it is three times what it was', 18, {during: 0.75, before: 0.25}, 'sure'],
    ['not by less than that', 18, {during: 0.74, before: 0.25}, 'weak'],
  ] as const)('is sure %s', (_, evidence, more, confidence) => {
    expect(of(more, 'kind', evidence).confidence).toBe(confidence);
  });

  test.each([
    ['message', 29, true, 'weak'],
    ['request', 29, true, 'weak'],
    ['message', 30, true, 'sure'],
    ['message', 29, false, 'sure'],
    ['kind', 29, true, 'sure'],
  ] as const)('of a %s in %d s, over: %s, is %s: jobs write in bursts', (kind, seconds, isOver, confidence) => {
    expect(of({to: 900 + seconds, isOver}, kind).confidence).toBe(confidence);
  });
});

describe('where nothing can be compared', () => {
  const times = [1, 2, 100, 1199, 1200];

  test('what there is now is told, of at most fifteen minutes', () => {
    expect(nowFinding(events, {of: 'kind', subject: 'x', weight: 2}, times)).toMatchObject({
      ...{what: 'rise', of: 'kind', subject: 'x', unit: 'per minute', mayBeOlder: true, before: undefined},
      ...{since: atSecond(1), now: (60 * 2 * 2) / 900, total: (60 * 901) / 901, evidence: 5, confidence: 'weak'},
    });
  });

  test('it is sure if it is a fifth of the lines, and five', () => {
    const confidence = (share: number, count: number) =>
      nowFinding(events, {of: 'kind', subject: 'x', weight: 1, share}, times.slice(0, count)).confidence;
    expect([confidence(0.2, 5), confidence(0.19, 5), confidence(0.2, 4)]).toEqual(['sure', 'weak', 'weak']);
  });

  test('of less than a minute it is told as if it were one', () => {
    const short = eventsOf([
      [0, 'ERROR a'],
      [10, 'ERROR a'],
    ]);
    expect(nowFinding(short, {of: 'kind', subject: 'x', weight: 1}, [0, 10])).toMatchObject({now: 2, total: 2});
    expect(nowFinding(short, {of: 'kind', subject: 'x', weight: 1}, [])).toMatchObject({since: atSecond(0), now: 0});
  });
});
