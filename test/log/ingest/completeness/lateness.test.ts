import {expect, test} from 'vitest';
import {
  type Lateness,
  latenessBesideOf,
  learnLateness,
  marginOf,
  noLateness,
  turnLateness,
} from '#log/ingest/completeness/learned.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos} from '../../simulation/lines-at.ts';

type LatenessInput = Parameters<typeof learnLateness>[1];

const before = finishWork(readWindow([line('10 a'), line('50 b')], () => []));

const entry = (at: number): LineEntry => ({
  kind: 'line',
  id: at,
  at: nanos(at),
  raw: line(`${at} x`),
  textIndex: 31,
  late: false,
});

const learn = (lateness: Lateness, times: readonly number[], more: Partial<LatenessInput> = {}): Lateness =>
  learnLateness(lateness, {
    before,
    added: times.map(entry),
    newestBefore: nanos(50),
    newestNow: nanos(Math.max(50, ...times)),
    sawLeave: true,
    isBanner: () => false,
    ...more,
  });

test.each([
  {what: 'nothing late', times: [51, 60], lateness: 0n, isShown: false},
  {what: 'by all that the log had moved on to', times: [30, 60], lateness: 30n, isShown: true},
  {what: 'the latest of several', times: [20, 40, 60], lateness: 40n, isShown: true},
  {
    what: 'a line with nothing newer beside it: a clock may have been set back, so no window is too short for it',
    times: [30],
    lateness: 20n,
    isShown: false,
  },
  {what: 'older than all of the window before: it reaches further back', times: [5, 60], lateness: 0n, isShown: false},
])('learns from $what', ({times, lateness, isShown}) => {
  const learned = learn(noLateness, times);
  expect([learned.ever, learned.isShown]).toEqual([lateness, isShown]);
});

test('lines older than all of the window before are late as long as no line has left: it was all there was', () => {
  const learned = learn(noLateness, [5, 60], {sawLeave: false});
  expect([learned.ever, latenessBesideOf(learned), learned.isShown]).toEqual([55n, 45n, true]);
  expect(learn(learned, [4, 70]).isShown).toBe(false);
});

test('how late lines are at the least is told from the oldest of them, which came when the log had hardly moved on', () => {
  expect(latenessBesideOf(learn(noLateness, [30, 90]))).toBe(20n);
});

test('where the window’s newest line is older than before, lines were late by what the log had come to before', () => {
  expect(learn(noLateness, [30], {newestNow: nanos(30)}).ever).toBe(20n);
});

test('a banner that the service stamps anew is no late line, nor is one without a timestamp', () => {
  const banner = learn(noLateness, [30, 60], {isBanner: ({at}) => at === nanos(30)});
  const unstamped = learn(noLateness, [], {
    added: [{...entry(30), raw: '}', textIndex: 0}, entry(60)],
    newestNow: nanos(60),
  });
  expect([banner, unstamped].map(({ever, isShown}) => [ever, isShown])).toEqual([
    [0n, false],
    [0n, false],
  ]);
});

test('a poll without lines teaches nothing', () => {
  expect(learn(noLateness, [])).toBe(noLateness);
});

test('a service that shows lines older than all of the window before does not hide late ones', () => {
  const shown = learn(noLateness, [30, 60]);
  expect(learn(shown, [5, 30, 60]).isShown).toBe(false);
});

test('a second is assumed until ten polls brought lines', () => {
  let lateness = noLateness;
  for (let poll = 0; poll < 9; poll++) {
    lateness = learn(lateness, [60]);
  }
  expect(marginOf(lateness)).toBe(1_000_000_000n);
  expect(marginOf({...lateness, ever: 5_000_000_000n})).toBe(5_000_000_000n);
  lateness = learn(lateness, [30, 60]);
  expect(marginOf(lateness)).toBe(30n);
});

test('how late lines were is never forgotten, and beside newer ones for one turn more', () => {
  const learned = learn(noLateness, [30, 90]);
  const once = turnLateness(learned);
  const twice = turnLateness(once);
  expect([once, twice].map(lateness => [lateness.ever, latenessBesideOf(lateness)])).toEqual([
    [60n, 20n],
    [60n, 0n],
  ]);
  expect(learn(twice, [40, 60]).ever).toBe(60n);
});

test('a stamp that lost its decimals is not late, nor does a tick without a newer stamp hide that others are', () => {
  const fine = finishWork(readWindow([line('10000001 a'), line('50000000 b')], () => []));
  const coarse = {before: fine, newestBefore: nanos(50_000_000), newestNow: nanos(50_000_000)};
  expect(learn(noLateness, [49_000_000, 50_000_000], coarse).ever).toBe(1_000_000n);
  expect(learn(noLateness, [49_999_000], {...coarse, newestBefore: nanos(49_999_500)}).ever).toBe(0n);
  expect(latenessBesideOf(learn(noLateness, [30, 50]))).toBe(20n);
  expect(latenessBesideOf(learn(noLateness, [30]))).toBe(0n);
});
