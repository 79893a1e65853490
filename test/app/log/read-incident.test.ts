import {expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {incidentSourceOf} from '#app/tail/incident-source.ts';
import {createTail, pollFailed, type Tail, windowArrived} from '#app/tail/tail.ts';
import {formatInstant} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';

const [branch = expect.fail()] = decodeBranches([makeBuiltBranch('b1', 'main')]).value;
const lines = ['2026-11-21T14:00:00Z one', '2026-11-21T14:00:01Z two', '2026-11-21T14:00:02Z three'];
const unreadable = {pods: 1, of: 2, why: 'no right'};

const answer = (value: object) => ({
  value: {lines, pods: [], sessionId: undefined, cut: 'branch', ...value} as const,
  ...{status: 200, durationMs: 1, bodyBytes: 1, serviceTimeMs: undefined, skipped: []},
});
const arrived = (tail: Tail, nowMs: number, value: object = {}): Tail =>
  windowArrived(tail, answer(value), {nowMs, random: 0}).tail;
const failed = (tail: Tail, nowMs: number): Tail =>
  pollFailed(tail, {kind: 'server', message: '503', retryAfterMs: undefined}, {nowMs, random: 0}).tail;

const start = createTail({intervalMs: 1000, bufferBytesMax: 1e6, keepsLateLines: false});
/** The service's clock is 14:00:00 when the monotonic one is 0. */
const clockOffsetMs = Date.UTC(2026, 10, 21, 14);
const sourceOf = (tail: Tail) => incidentSourceOf(branch, tail, noShapes, {clockOffsetMs, part: 'pod'});

test('pods that cannot be read are told with when the last answer came that said nothing of them', () => {
  const first = arrived(start, 5000);
  expect(sourceOf(first).unreadable).toBeUndefined();
  const later = arrived(arrived(arrived(first, 10_000), 15_000, {unreadable}), 20_000, {unreadable});
  const {why, since} = sourceOf(later).unreadable ?? expect.fail();
  expect([why, formatInstant(since ?? 0n)]).toEqual([
    '1 of 2 pods unreadable: no right',
    '2026-11-21T14:00:10.000000000Z',
  ]);
  // Nobody knows since when.
  expect(sourceOf(arrived(start, 5000, {unreadable})).unreadable).toEqual({why, since: undefined});
});

test('a service that does not answer is told with its last answer', () => {
  const tail = failed(failed(arrived(start, 5000), 6000), 7000);
  expect(formatInstant(sourceOf(tail).failingSince ?? 0n)).toBe('2026-11-21T14:00:05.000000000Z');
  expect(incidentSourceOf(branch, tail, noShapes).failingSince).toBe(0n);
  expect(sourceOf(arrived(tail, 8000)).failingSince).toBeUndefined();
});

test('items that are no lines are told with the line before the first', () => {
  expect(sourceOf(arrived(start, 5000)).notLinesFrom).toBeUndefined();
  const {notLinesFrom} = sourceOf(arrived(start, 5000, {notLines: [2, 3]}));
  expect(formatInstant(notLinesFrom ?? 0n)).toBe('2026-11-21T14:00:01.000000000Z');
  expect(sourceOf(arrived(start, 5000, {notLines: [0]})).notLinesFrom).toBe(0n);
});

test('only what is read once has come to an end', () => {
  const tail = arrived(start, 5000);
  expect(sourceOf(tail).hasEnded?.({pod: 'app.log'})).toBe(false);
  expect(incidentSourceOf(branch, tail, noShapes, {isAtEnd: true}).hasEnded?.({pod: 'app.log'})).toBe(true);
});

test('that a pod was made is a change, and that a file was there is none', () => {
  const pods = [{name: 'app', resourceVersion: '1', metadata: {}, createdAt: '2026-11-21T14:00:01Z'}];
  const tail = arrived(start, 5000, {pods});
  const cameOf = (part: string) =>
    incidentSourceOf(branch, tail, noShapes, {clockOffsetMs, part}).knownChanges.filter(({kind}) => kind === 'pod');
  expect(cameOf('pod')).toMatchObject([{change: 'appeared', name: 'app'}]);
  expect(cameOf('file')).toEqual([]);
});
