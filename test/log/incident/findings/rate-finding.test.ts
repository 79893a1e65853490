import {describe, expect, test} from 'vitest';
import {
  findWave,
  hasBaseline,
  instantOf,
  linesIn,
  linesPerMinute,
  pickWave,
  rateFinding,
} from '#log/incident/findings/rate-finding.ts';
import type {Run} from '#log/incident/statistics/find-runs.ts';
import {atSecond, eventsOf, linesEvery} from '../events-of.ts';

const events = eventsOf(linesEvery(1, 0, 1201, 'INFO a'));

const run: Run = {
  ...{start: 0, end: 40, from: 900, to: 940, isOver: false},
  ...{during: 0.5, before: 0.1, evidence: 20, factor: 5},
};
const waveOf = (more: Partial<Run>, count = 1) => ({run: {...run, ...more}, waves: {count, since: 100}});

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

test('lines are counted with both ends, and are one at least', () => {
  expect(linesIn(events, 10, 20)).toBe(11);
  expect(linesIn({...events, weight: 3}, 10, 20)).toBe(33);
  expect(linesIn(events, 5000, 6000)).toBe(1);
});

test('what comes with more of all lines is explained by these', () => {
  const times = linesEvery(1, 900, 1000, '').map(([at]) => at);
  const wanted = {weight: 1, isBad: true};
  expect(findWave(events, times, wanted)?.run).toMatchObject({from: 900, isOver: true});
  const busy = eventsOf([...linesEvery(1, 0, 1201, 'INFO a'), ...linesEvery(0.005, 900, 1000, 'INFO b')]);
  expect(findWave(busy, times, wanted)).toBeUndefined();
});

describe('of several runs', () => {
  const asked = {from: 0, to: 1200};
  const at = (from: number, to: number, more: Partial<Run> = {}): Run => ({...run, from, to, isOver: true, ...more});

  test('the last one that is sure matters, with those before it', () => {
    const runs = [at(100, 200), at(500, 600), at(900, 950, {evidence: 12})];
    expect(pickWave(runs, asked, true)).toEqual({run: runs[1], waves: {count: 2, since: 100}});
  });

  test('the likeliest one matters where none is sure', () => {
    const runs = [at(100, 200, {evidence: 12}), at(500, 600, {evidence: 11})];
    expect(pickWave(runs, asked, true)).toEqual({run: runs[0], waves: {count: 1, since: 100}});
  });

  test('only what was within the time asked matters, whenever it began', () => {
    const runs = [at(100, 200), at(500, 900)];
    expect(pickWave(runs, {from: 800, to: 1200}, true)?.run.from).toBe(500);
    expect(pickWave(runs, {from: 300, to: 400}, true)).toBeUndefined();
    expect(pickWave(runs, {from: 0, to: 300}, true)?.run.from).toBe(100);
  });

  test('errors in the third short burst are usual, in longer waves never', () => {
    const bursts = [at(100, 105), at(500, 505), at(900, 905)];
    expect(pickWave(bursts, asked, true)).toBeUndefined();
    expect(pickWave(bursts.slice(1), asked, true)?.run.from).toBe(900);
    const waves = [at(100, 112), at(500, 512), at(900, 912)];
    expect(pickWave(waves, asked, true)).toMatchObject({run: {from: 900}, waves: {count: 3, since: 100}});
  });

  test('other lines are usual as soon as half as many came at another time', () => {
    const lastFrom = (end: number) => pickWave([at(100, 200, {end}), at(900, 950)], asked, false)?.run.from;
    expect([lastFrom(19), lastFrom(20)]).toEqual([900, undefined]);
  });
});

describe('a rise', () => {
  const of = (more: Partial<Run>, kind: 'kind' | 'message' | 'request' = 'kind') =>
    rateFinding(events, {of: kind, subject: 'x', weight: 2}, waveOf(more));

  test('is told by the minute, with its times and all lines', () => {
    expect(of({})).toMatchObject({
      ...{what: 'rise', of: 'kind', subject: 'x', unit: 'per minute', evidence: 20},
      ...{since: atSecond(900), until: undefined, mayBeOlder: false, before: 12, now: 60, total: 40},
      confidence: 'sure',
    });
    expect(of({isOver: true})).toMatchObject({until: atSecond(940)});
    expect(of({}).waves).toBeUndefined();
    expect(rateFinding(events, {of: 'kind', subject: 'x', weight: 1}, waveOf({}, 8)).waves).toEqual({
      count: 8,
      since: atSecond(100),
    });
  });

  test.each([
    ['sure by evidence of 18', {evidence: 18}, 'sure'],
    ['likely by less', {evidence: 17.9}, 'likely'],
    ['weak by less than 14', {evidence: 13.9}, 'weak'],
    ['sure if it is three times what it was', {factor: 3}, 'sure'],
    ['likely if it is less than that', {factor: 2.9}, 'likely'],
  ] as const)('is %s', (_, more, confidence) => {
    expect(of(more).confidence).toBe(confidence);
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

  test('without anything before it is sure if it is a fifth of the lines, and five', () => {
    const confidence = (end: number, to: number) => of({before: undefined, end, to}).confidence;
    // Forty-one lines, and each of the times stands for two.
    expect([confidence(5, 940), confidence(4, 940), confidence(4, 910)]).toEqual(['sure', 'likely', 'likely']);
  });
});
