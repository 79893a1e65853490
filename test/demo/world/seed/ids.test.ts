import {expect, test} from 'vitest';
import {compareEmitted, latestArrivalMs, momentOf, offsetNsMax} from '#demo/world/seed/log-source.ts';
import {createRandom, dayMs, hourMs, makeId, makeUuid, minuteMs, secondMs} from '#demo/world/seed/random.ts';

test('durations are milliseconds', () => {
  expect([secondMs, minuteMs, hourMs, dayMs]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
});

test('an id depends on its parts only, so that the command of yesterday still works', () => {
  expect([makeId('site', 1), makeId('site', 2), makeId('branch', 'a', 7)]).toMatchInlineSnapshot(`
    [
      "bbfef05776040d51754261ef",
      "bb0fcfc10045c5cf146bc22f",
      "f5f188eb08d6e44b94e19b06",
    ]
  `);
  expect(makeId('site', 1)).toMatch(/^[0-9a-f]{24}$/);
});

test('a UUID is one of version 4', () => {
  expect(makeUuid('pod', 1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(makeUuid('pod', 1)).toMatchInlineSnapshot(`"587c3503-9368-4579-9ac3-989414e463cf"`);
  expect(makeUuid('pod', 2)).not.toBe(makeUuid('pod', 1));
});

test('a moment in a second is told in whole milliseconds', () => {
  const slice = {index: 0, startMs: 5_000, demoMs: 0, random: createRandom('test')};
  expect([momentOf(slice, 0), momentOf(slice, 1_999_999), momentOf(slice, offsetNsMax)]).toEqual([5_000, 5_001, 5_999]);
});

test('lines are in the order of their times, equal ones in that of their arrival', () => {
  const line = (sinceStartNs: number, arrivesAtMs: number) => ({line: '', sinceStartNs, arrivesAtMs, source: 'a'});
  const lines = [line(2, 1), line(1, 9), line(1, 3)];
  expect(lines.toSorted(compareEmitted)).toEqual([line(1, 3), line(1, 9), line(2, 1)]);
  expect([latestArrivalMs(lines), latestArrivalMs([])]).toEqual([9, Number.NEGATIVE_INFINITY]);
});
