import {expect, test} from 'vitest';
import {createSampleNumbers} from '#demo/world/scenarios/sample-log.ts';
import type {EmittedLine} from '#demo/world/seed/log-source.ts';

const line = (name: string, arrivesAtMs: number): EmittedLine => ({
  line: name,
  sinceStartNs: 0,
  arrivesAtMs,
  source: name.slice(0, 1),
});

const [a, b, c, d] = [line('a1', 10), line('b1', 30), line('a2', 20), line('b2', 40)];

const open = (countArrived: (fromMs: number, toMs: number) => number | undefined = () => 0) =>
  createSampleNumbers({
    name: 'shop',
    sourceOf: ({source}) => (source === 'x' ? undefined : source),
    countArrived,
  });

test('lines have the numbers of their arrival, in the order of the window', () => {
  const {lines, numbering} = open().read({nowMs: 50, emitted: [a, b, c], leftOutAtMs: 0});
  expect(lines).toEqual(['a1', 'b1', 'a2']);
  expect(numbering).toMatchObject({series: 'demo-shop-0', first: 1, sources: [{pod: 'a'}, {pod: 'b'}]});
  expect(open().read({nowMs: 5, emitted: [line('x', 1)], leftOutAtMs: 0}).numbering.sources).toEqual([{}]);
});

test('a reader gets what arrived after its place, in that order, and all from any other place', () => {
  const {read} = open();
  const series = 'demo-shop-0';
  read({nowMs: 25, emitted: [a, c], leftOutAtMs: 0});
  const reading = {nowMs: 50, emitted: [d, a, b, c], leftOutAtMs: 0};
  expect(read(reading, {series, last: 2}).lines).toEqual(['b1', 'b2']);
  expect(read(reading, {series, last: 1}).lines).toEqual(['a2', 'b1', 'b2']);
  expect(read(reading, {series, last: 4}).lines).toEqual([]);
  expect(read(reading, {series, last: 4}).numbering.first).toBe(5);
  expect(read(reading, {series, last: 5}).lines).toHaveLength(4);
  expect(read(reading, {series: 'other', last: 2}).lines).toHaveLength(4);
});

test('what came and went between two readings has numbers, too', () => {
  const asked: (readonly number[])[] = [];
  const {read} = open((...times) => {
    asked.push(times);
    return 5;
  });
  read({nowMs: 15, emitted: [a], leftOutAtMs: 14});
  const {numbering} = read({nowMs: 50, emitted: [c, b], leftOutAtMs: 16});
  expect([numbering.first, asked]).toEqual([5, [[15, 50]]]);
  // Nothing left the window since, so that nothing is counted.
  expect(read({nowMs: 60, emitted: [c, b, d], leftOutAtMs: 50}).numbering.first).toBe(5);
  expect(asked).toHaveLength(1);
});

test('where too much came to be counted, a new series begins', () => {
  const {read} = open(() => undefined);
  read({nowMs: 15, emitted: [a], leftOutAtMs: 0});
  const {lines, numbering} = read({nowMs: 50, emitted: [a, b, c], leftOutAtMs: 20}, {series: 'demo-shop-0', last: 1});
  expect([lines, numbering.series, numbering.first]).toEqual([['a1', 'b1', 'a2'], 'demo-shop-1', 1]);
  expect(read({nowMs: 51, emitted: [a, b, c], leftOutAtMs: 20}, {series: 'demo-shop-1', last: 2}).lines).toEqual([
    'b1',
  ]);
});
