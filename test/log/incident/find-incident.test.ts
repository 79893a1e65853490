import {expect, test} from 'vitest';
import {takeWindow} from '../../../src/log/answer/take-window.ts';
import {findIncident, type IncidentReport, type IncidentSource} from '../../../src/log/incident/find-incident.ts';
import type {ChangeMarker} from '../../../src/log/line/entry.ts';
import {formatClock, type Instant, instantFromMs} from '../../../src/log/line/instant.ts';
import {createBranchLog} from '../../../src/log/merge/branch-log.ts';
import {insertChange} from '../../../src/log/merge/insert-marker.ts';
import {noShapes, takeShapes} from '../../../src/log/shapes/shape-table.ts';
import {mergeBuffers} from '../../../src/log/view/merged-view.ts';
import {finishWork} from '../../../src/log/work/work.ts';

type Line = readonly [second: number, text: string];

const at = (second: number): Instant => instantFromMs(Date.UTC(2026, 10, 21, 14) + Math.round(second * 1000));
const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + Math.round(second * 1000)).toISOString().slice(0, -1)}000000Z`;

const change = {kind: 'activity', action: 'DEPLOY', status: 'SUCCESS', createdBy: 'user-9'} as const;
const activity = (second: number): ChangeMarker => ({
  kind: 'change',
  id: 0,
  at: at(second),
  happenedAt: at(second),
  change,
});

const sourceOf = (lines: readonly Line[], more: Partial<IncidentSource> = {}, changedAt?: number): IncidentSource => {
  const empty = createBranchLog(1e9);
  const raws = lines.toSorted(([a], [b]) => a - b).map(([second, text]) => `${stamp(second)} ${text}`);
  const {log} = takeWindow(empty, {lines: raws, pods: [], cut: 'branch'});
  const {buffer} = changedAt === undefined ? log : insertChange(log, {change, happenedAt: at(changedAt)}, at(0));
  const shapes = finishWork(takeShapes(noShapes, empty.buffer, buffer));
  return {buffer, shapes, podNames: [], wholeSince: at(0), proof: 'counted', knownChanges: [], ...more};
};

const request = (second: number, path: string, status: number): Line => [
  second,
  JSON.stringify({level: status >= 500 ? 'error' : 'info', msg: 'request', uri: path, status}),
];

/** Twenty minutes, two requests a second; from 14:15:00 for a minute every second one for /pay fails. */
const wave: readonly Line[] = Array.from({length: 1200}, (_, second): readonly Line[] => [
  request(second, `/cart/${second}`, 200),
  request(second + 0.5, '/pay', second >= 900 && second < 960 && second % 2 === 0 ? 503 : 200),
]).flat();

const carriers = ({shares}: IncidentReport): readonly string[] =>
  (shares?.shares ?? []).map(
    ({kind, key, before, during}) => `${kind} ${key}: ${Math.round(before * 100)} ${Math.round(during * 100)}`,
  );

test('a wave of failing requests: which status and path carry it, and where each is first', () => {
  const source = sourceOf(wave);
  const report = findIncident([source]);
  expect(report.search).toMatchObject({kind: 'rise', rise: {at: at(900.5), errorCount: 30, before: 0, course: 'over'}});
  // 30 of the 117 requests from the first to the last that failed.
  expect(carriers(report)).toEqual(['status 503: 0 26', 'path /pay: 0 26']);
  const view = mergeBuffers([source.buffer]);
  const firsts = report.shares?.shares.map(({first}) => view.slice(view.indexOf(first), 1)[0]?.entry.at);
  expect(firsts).toEqual([at(900.5), at(900.5)]);
  expect(report.newShapes.map(({shape, count}) => [shape, count])).toEqual([['request 503', 30]]);
});

test('of what is new, what came with the rise stands before what came earlier, however often that was', () => {
  const report = findIncident([
    sourceOf([
      ...Array.from({length: 1200}, (_, second): Line => [second, `INFO job ${second} done`]),
      ...Array.from({length: 60}, (_, index): Line => [700 + index * 5, 'WARN upstream is slow']),
      ...Array.from({length: 40}, (_, index): Line => [1000 + index * 3, 'ERROR upstream timed out']),
    ]),
  ]);
  expect(report.newShapes.map(({shape}) => shape)).toEqual(['ERROR upstream timed out', 'WARN upstream is slow']);
});

test('what is as it was before carries nothing, and what was new long before is not told as new', () => {
  const hour = Array.from({length: 3600}, (_, second): Line => [second, `INFO job ${second} done`]);
  const report = findIncident([
    sourceOf([
      ...hour,
      ...Array.from({length: 360}, (_, index) => request(index * 10 + 0.1, '/old', 404)),
      [1500, 'ERROR new once'],
      ...Array.from({length: 40}, (_, index): Line => [3500 + index, 'ERROR disk is full']),
    ]),
  ]);
  expect(report.search).toMatchObject({kind: 'rise', rise: {at: at(3500), errorCount: 40}});
  expect(carriers(report)).toEqual(['shape ERROR disk is full: 0 48']);
  expect(report.newShapes.map(({shape}) => shape)).toEqual(['ERROR disk is full']);
});

test('of a loud log only the lines around the beginning are read, and how many is said', () => {
  const loud = Array.from({length: 20_000}, (_, index): Line => [index / 10, `INFO job ${index}`]);
  const errors = Array.from({length: 6000}, (_, index): Line => [1000 + index / 10, `ERROR boom ${index}`]);
  const {shares} = findIncident([sourceOf([...loud, ...errors])]);
  expect(shares?.before).toEqual({read: 4096, held: 9000});
  expect(shares?.during.read).toBe(4096);
  expect(shares?.during.held).toBeGreaterThan(11_000);
});

test('a pod that crashes again and again carries its share of the errors', () => {
  const calm = Array.from({length: 900}, (_, second): Line => [second, `INFO job ${second} done`]);
  const crashes = [700, 760, 820, 880].flatMap((second): readonly Line[] => [
    [second + 0.1, 'ERROR web-2 cannot connect to db'],
    [second + 0.2, 'ERROR web-2 cannot connect to db'],
    [second + 0.3, 'FATAL web-2 gives up'],
  ]);
  const report = findIncident([sourceOf([...calm, ...crashes], {podNames: ['web-1', 'web-2']})]);
  expect(report.search).toMatchObject({kind: 'rise', rise: {at: at(700.1), errorCount: 12}});
  expect(carriers(report).at(-1)).toMatch(/^pod web-2: 0 6$/);
});

test('what changed in the fifteen minutes before, in order, and the last activity however old it is', () => {
  const knownChanges = [
    activity(-7200),
    {kind: 'pod', id: 0, at: at(600), change: 'appeared', name: 'web-2', since: undefined} as const,
    {kind: 'pod', id: 0, at: at(-3000), change: 'appeared', name: 'web-1', since: undefined} as const,
  ];
  const {changes} = findIncident([sourceOf(wave, {knownChanges}, 890)]);
  expect(changes.map(each => [formatClock(each.at), each.marker.kind, each.isInLog])).toEqual([
    ['12:00:00', 'change', false],
    ['14:10:00', 'pod', false],
    ['14:14:50', 'change', true],
  ]);
});

test('an activity that the log and the record both tell is told once', () => {
  const {changes} = findIncident([sourceOf(wave, {knownChanges: [activity(890)]}, 890)]);
  expect(changes.map(({isInLog}) => isInLog)).toEqual([true]);
});

test('what changed after it was over is not from before it', () => {
  expect(findIncident([sourceOf(wave, {knownChanges: [activity(1100)]}, 1000)]).changes).toEqual([]);
});

test('whether the log is whole: from when it is held, and the gaps', () => {
  const report = findIncident([sourceOf(wave, {wholeSince: at(300)})]);
  expect([formatClock(report.from), formatClock(report.wholeSince ?? 0n)]).toEqual(['14:00:00', '14:05:00']);
  expect(report.gaps).toEqual([]);
  const log = takeWindow(createBranchLog(1e9), {
    lines: [`${stamp(0)} a`, `${stamp(1)} b`],
    pods: [{name: 'a', createdAt: '1'}],
    cut: 'branch',
  }).log;
  const raws = wave.map(([second, text]) => `${stamp(second)} ${text}`).slice(200);
  const {buffer} = takeWindow(log, {lines: raws, pods: [{name: 'a', createdAt: '1'}], cut: 'branch'}).log;
  const gapped = findIncident([
    {buffer, shapes: noShapes, podNames: [], wholeSince: at(100), proof: 'said', knownChanges: []},
  ]);
  expect(gapped.gaps.map(({marker}) => formatClock(marker.before))).toEqual(['14:19:59']);
});

test('of several branches it rests on what the weakest rests on', () => {
  expect(findIncident([sourceOf(wave)]).proof).toBe('counted');
  expect(
    findIncident([sourceOf(wave), sourceOf(wave, {proof: 'inferred'}), sourceOf(wave, {proof: 'said'})]).proof,
  ).toBe('inferred');
});

test('without errors there is no rise, and the last fifteen minutes are looked at', () => {
  const calm = Array.from({length: 1800}, (_, second): Line => [second, `INFO job ${second} done`]);
  const report = findIncident([sourceOf(calm, {knownChanges: [activity(1200)]})]);
  expect(report.search).toMatchObject({kind: 'none', errorCount: 0});
  expect([formatClock(report.from), formatClock(report.to)]).toEqual(['14:14:59', '14:29:59']);
  expect(report.shares).toBeUndefined();
  expect(report.changes).toHaveLength(1);
});

test('of several branches the lines are taken together', () => {
  const calm = Array.from({length: 1200}, (_, second): Line => [second, `INFO job ${second} done`]);
  const report = findIncident([sourceOf(calm), sourceOf(wave)]);
  expect(report.search).toMatchObject({kind: 'rise', rise: {at: at(900.5)}});
  expect(report.firstError?.source).toBe(1);
  expect(report.newShapes.map(({source}) => source)).toEqual([1]);
});
