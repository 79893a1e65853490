import {expect, test} from 'vitest';
import {findIncident} from '#log/incident/find-incident.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {formatInstant} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const stamp = (second: number): string => `${new Date(startMs + second * 1000).toISOString().slice(0, -1)}000000Z`;

const find = (lines: readonly string[]) => {
  const {buffer} = takeWindow(createBranchLog(1e9), {lines, pods: [], cut: 'branch'}).log;
  const source = {
    buffer,
    shapes: noShapes,
    podNames: [],
    wholeSince: undefined,
    proof: 'counted',
    knownChanges: [],
  } as const;
  return finishWork(findIncident([source]));
};

const calm = (count: number, step: number) =>
  Array.from({length: count}, (_, index) => `${stamp(index * step)} level=info msg="order stored"`);

test('lines of a clock that is hours ahead are no rise', () => {
  const ahead = [1, 2, 3].map(index => `${stamp(90_000 + index)} level=error msg="payment refused"`);
  const {findings, to} = find([...calm(600, 1), ...ahead]);
  expect(findings).toEqual([]);
  expect(formatInstant(to)).toBe(stamp(599));
});

test('of a long log, a hundredth of the lines may be hours ahead', () => {
  const ahead = Array.from({length: 30}, (_, index) => `${stamp(90_000 + index)} level=info msg="order stored"`);
  expect(formatInstant(find([...calm(6000, 0.1), ...ahead]).to)).toBe(stamp(599.9));
});

test('a log of many hours that came at once is read to its end', () => {
  const {to} = find(calm(2000, 10));
  expect(formatInstant(to)).toMatch(/^2026-11-21T19:3/);
});

test('what a job writes at once, and then no more, may be chance', () => {
  const burst = Array.from(
    {length: 60},
    (_, index) => `${stamp(300 + index / 20)} level=info msg="record skipped" n=${index}`,
  );
  const {findings} = find([...calm(600, 1), ...burst].toSorted());
  expect(findings.map(({what, confidence}) => [what, confidence])).toEqual([['storm', 'weak']]);
});
