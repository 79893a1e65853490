import {expect, test} from 'vitest';
import {createGapGrowth} from '#cli/logs/print/branch-printer.ts';
import type {Entry, GapMarker} from '#log/line/entry.ts';

const gap = (after: number, before: number, grows?: boolean): GapMarker => ({
  kind: 'gap',
  id: after,
  at: BigInt(before),
  after: BigInt(after),
  before: BigInt(before),
  reason: 'unproven',
  ...(grows === undefined ? {} : {grows}),
});
const line = (at: number): Entry => ({kind: 'line', id: at, at: BigInt(at), raw: `${at}`, textIndex: 0, late: false});

const short = (entries: readonly Entry[]): readonly string[] =>
  entries.map(entry =>
    entry.kind === 'gap' ? `gap ${entry.after}-${entry.before}${entry.grows ? ' grown' : ''}` : `line ${entry.at}`,
  );

/** What is told of each poll, and at the end. */
const tell = (...polls: readonly (readonly Entry[])[]): readonly (readonly string[])[] => {
  const growth = createGapGrowth();
  const told = polls.map(entries => short(growth.take(entries)));
  const last = growth.end();
  expect(growth.end()).toEqual([]);
  return [...told, short(last)];
};

test('a gap that does not grow is told as it comes, and nothing at the end', () => {
  expect(tell([line(1)], [gap(1, 5), line(5)], [line(6)], [])).toEqual([
    ['line 1'],
    ['gap 1-5', 'line 5'],
    ['line 6'],
    [],
    [],
  ]);
});

test('a gap that grows is told when it begins, and with all of its range ahead of the first poll that continues the log', () => {
  expect(
    tell([gap(1, 5), line(5)], [gap(1, 8, true), line(8)], [gap(1, 9, true), line(9)], [line(10)], [line(11)]),
  ).toEqual([['gap 1-5', 'line 5'], ['line 8'], ['line 9'], ['gap 1-9 grown', 'line 10'], ['line 11'], []]);
});

test('it has ended where a poll brings nothing at all', () => {
  expect(tell([gap(1, 5)], [gap(1, 8, true)], [])).toEqual([['gap 1-5'], [], ['gap 1-8 grown'], []]);
});

test('it has ended where another gap begins', () => {
  expect(tell([gap(1, 5)], [gap(1, 8, true)], [gap(20, 30), line(30)])).toEqual([
    ['gap 1-5'],
    [],
    ['gap 1-8 grown', 'gap 20-30', 'line 30'],
    [],
  ]);
});

test('one that still grows is told at the end', () => {
  expect(tell([gap(1, 5)], [gap(1, 8, true), line(8)])).toEqual([['gap 1-5'], ['line 8'], ['gap 1-8 grown']]);
});

test('two that grow at once are each told with all of their range', () => {
  expect(tell([gap(1, 5), gap(2, 6)], [gap(1, 8, true)], [gap(2, 9, true)], [line(10)])).toEqual([
    ['gap 1-5', 'gap 2-6'],
    [],
    [],
    ['gap 1-8 grown', 'gap 2-9 grown', 'line 10'],
    [],
  ]);
});
