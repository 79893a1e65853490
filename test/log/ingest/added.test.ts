import {expect, test} from 'vitest';
import {
  type Added,
  AddedRun,
  asEntries,
  countLate,
  insertAdded,
  markersIn,
  measureAdded,
  timesIn,
} from '#log/ingest/added.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takingWindow} from '#log/ingest/take-window.ts';
import type {Entry, LineEntry} from '#log/line/entry.ts';
import {formatInstant} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';

const lineAt = (second: number, text = `GET /${second}`): string =>
  `${formatInstant(BigInt(second) * 1_000_000_000n)} ${text}`;
const linesFrom = (first: number, count: number): readonly string[] =>
  Array.from({length: count}, (_, index) => (index % 1000 === 999 ? `at ${first + index}` : lineAt(first + index)));

/** A log that begins with a few lines, and then gets as many as are no longer held as objects. */
const takeMany = () => {
  const pods = [{name: 'web-1', createdAt: undefined}];
  const first = finishWork(takingWindow(createBranchLog(1e9), {lines: linesFrom(1000, 10), pods}));
  const lines = [lineAt(1003, 'late'), ...linesFrom(5000, 30_000)];
  const {added} = finishWork(takingWindow(first.log, {lines, pods: [...pods, {name: 'web-2', createdAt: undefined}]}));
  return {added, lines};
};

test('a window of many new lines hands them out as the few would be, with what came late and the markers ahead', () => {
  const {added, lines} = takeMany();
  expect(added).toBeInstanceOf(AddedRun);
  const entries = asEntries(added);
  expect(entries.filter(({kind}) => kind === 'line').map(entry => 'raw' in entry && entry.raw)).toEqual(lines);
  expect(entries.flatMap(entry => (entry.kind === 'line' && entry.late ? [entry.raw] : []))).toEqual([lines[0]]);
  expect(new Set(entries.map(({id}) => id)).size).toBe(entries.length);
  expect(markersIn(added)).toEqual(entries.filter(({kind}) => kind !== 'line'));
  expect(markersIn(added).map(({kind}) => kind)).toContain('pod');
  expect(countLate(added)).toBe(1);
});

test('what is asked of it is what an array of its entries would say', () => {
  const {added} = takeMany();
  const entries: Added = asEntries(added);
  const [middle, last] = [added.length >> 1, added.length - 1];
  for (const index of [0, 1, middle, last, last + 1, -1, -last - 1, -last - 2]) {
    expect(added.at(index), `${index}`).toEqual(entries.at(index));
  }
  const isLate = (entry: Entry): boolean => entry.kind === 'line' && entry.late;
  const isUnstamped = (entry: Entry): boolean => entry.kind === 'line' && entry.textIndex === 0;
  for (const matches of [isLate, isUnstamped, () => false]) {
    expect(added.find(matches)).toEqual(entries.find(matches));
    expect(added.findLast(matches)).toEqual(entries.findLast(matches));
    expect(added.some(matches)).toBe(entries.some(matches));
    expect(added.filter(matches)).toEqual(entries.filter(matches));
  }
  expect(added.map(({id}, index) => [id, index])).toEqual(entries.map(({id}, index) => [id, index]));
  expect(measureAdded(added)).toEqual(measureAdded(entries));
  const isLine = (entry: Entry): entry is LineEntry => entry.kind === 'line';
  const lines = asEntries(added).filter(isLine);
  expect([...timesIn(added as Added<LineEntry>)].filter(at => at !== undefined).slice(-29_970)).toEqual(
    [...timesIn(lines)].slice(-29_970),
  );
});

test('entries are put among what was added', () => {
  const {added} = takeMany();
  const marker: Entry = {kind: 'quiet', id: 1e9, at: 0n, since: 0n};
  const entries = asEntries(added);
  for (const index of [0, 1, added.length]) {
    expect(asEntries(insertAdded(added, index, [marker]))).toEqual(entries.toSpliced(index, 0, marker));
  }
  expect(insertAdded(added, 0, [])).toBe(added);
  expect(insertAdded([marker], 1, [marker])).toEqual([marker, marker]);
});
