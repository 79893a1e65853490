import {expect, test} from 'vitest';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {insertChange, insertEnd, insertHorizon} from '#log/ingest/place-markers.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {Entry} from '#log/line/entry.ts';
import {plotStrip} from '#log/overview/strip.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {following, oneRowPane, scrollBy, visibleEntries} from '#log/view/viewport.ts';
import {line, nanos, short} from '../simulation/lines-at.ts';
import {entriesOf} from '../simulation/subject.ts';

const take = (log: BranchLog, ...texts: readonly string[]): BranchLog =>
  takeWindow(log, {lines: texts.map(line), pods: [], cut: 'branch'}).log;
const change = {kind: 'status', before: 'A', now: 'B'} as const;
const describe = (entry: Entry): string => (entry.kind === 'line' ? short(entry.raw) : entry.kind);
const shown = (log: BranchLog): readonly string[] => entriesOf(log).map(describe);
const insertAt = (log: BranchLog, second: number | undefined): BranchLog =>
  insertChange(log, {change, happenedAt: second === undefined ? undefined : nanos(second)}, nanos(50));

const held = take(createBranchLog(1e6), '10 a', '20 b', '20 c', '30 d');

test('a change stands where it happened, after the lines of its time', () => {
  expect(shown(insertAt(held, 15))).toEqual(['10 a', 'change', '20 b', '20 c', '30 d']);
  expect(shown(insertAt(held, 20))).toEqual(['10 a', '20 b', '20 c', 'change', '30 d']);
  expect(shown(insertAt(held, 10))).toEqual(['10 a', 'change', '20 b', '20 c', '30 d']);
  expect(shown(insertAt(held, 30))).toEqual(['10 a', '20 b', '20 c', '30 d', 'change']);
});

test('one whose time is not known, or outside of what is held, stands after the newest line', () => {
  for (const second of [undefined, 9, 31, 5000]) {
    const log = insertAt(held, second);
    expect(shown(log)).toEqual(['10 a', '20 b', '20 c', '30 d', 'change']);
    // What comes later stands after it, and late lines ahead.
    expect(shown(take(log, '20 c', '25 late', '30 d', '31 e'))).toEqual([
      '10 a',
      '20 b',
      '20 c',
      '25 late',
      '30 d',
      'change',
      '31 e',
    ]);
  }
});

test('a log without lines shows it too, and its first lines go round it by time', () => {
  const empty = take(createBranchLog(1e6));
  expect(shown(take(insertAt(empty, 15), '10 a', '20 b'))).toEqual(['10 a', 'change', '20 b']);
  expect(shown(take(insertAt(empty, undefined), '10 a', '60 b'))).toEqual(['10 a', 'change', '60 b']);
});

test('it is no line: counts, strip and gaps are what they are without it', () => {
  const log = insertHorizon(insertAt(insertAt(held, 15), undefined), nanos(10));
  expect([log.buffer.lineCount, log.buffer.entryCount, log.buffer.newestLine?.at]).toEqual([4, 7, nanos(30)]);
  expect(plotStrip([listBuffer(log.buffer)], 10)).toEqual(plotStrip([listBuffer(held.buffer)], 10));
  const [plain, marked] = [held, log].map(each => takeWindow(each, {lines: ['30 d', '40 e'].map(line), pods: []}));
  expect(marked?.added.map(describe)).toEqual(plain?.added.map(describe));
  expect([marked?.verdict, marked?.overlapShare]).toEqual([plain?.verdict, plain?.overlapShare]);
});

test('nothing that is being read moves', () => {
  const viewport = scrollBy(following, mergeBuffers([held.buffer]), oneRowPane(2), -1);
  const seen = (log: BranchLog): readonly string[] =>
    visibleEntries(viewport, mergeBuffers([log.buffer]), oneRowPane(2)).map(({entry}) => describe(entry));
  expect(seen(held)).toEqual(['20 b', '20 c']);
  expect(seen(insertAt(held, 15))).toEqual(['20 b', '20 c']);
  expect(seen(insertHorizon(held, nanos(10)))).toEqual(['20 b', '20 c']);
});

test('the horizon stands ahead of the oldest line, and late lines on their side of it', () => {
  const log = insertHorizon(held, nanos(10));
  expect(shown(log)).toEqual(['horizon', '10 a', '20 b', '20 c', '30 d']);
  expect(shown(take(log, '5 older', '10 a', '10 tie', '20 b', '20 c', '30 d'))).toEqual([
    '5 older',
    'horizon',
    '10 a',
    '10 tie',
    '20 b',
    '20 c',
    '30 d',
  ]);
});

test('it leaves the buffer with the line that it stood ahead of', () => {
  // Each line takes 45 bytes.
  const small = take(createBranchLog(5 * 45), '10 aa', '20 bb', '30 cc');
  const marked = insertHorizon(small, nanos(10));
  expect(shown(take(marked, '30 cc', '40 dd', '50 ee'))).toEqual(['20 bb', '30 cc', '40 dd', '50 ee']);
});

test('what was given stays as it was', () => {
  insertAt(held, 15);
  insertHorizon(held, nanos(10));
  expect(shown(held)).toEqual(['10 a', '20 b', '20 c', '30 d']);
});

test('a horizon that moves leaves its old place, and an end is another marker than a beginning', () => {
  const marked = insertHorizon(held, nanos(20));
  expect(shown(marked)).toEqual(['10 a', 'horizon', '20 b', '20 c', '30 d']);
  expect(shown(insertHorizon(marked, nanos(10), nanos(20)))).toEqual(['horizon', '10 a', '20 b', '20 c', '30 d']);
  // It was not there.
  expect(shown(insertHorizon(marked, nanos(10), nanos(10)))).toEqual([
    'horizon',
    '10 a',
    'horizon',
    '20 b',
    '20 c',
    '30 d',
  ]);
  const ended = insertEnd(insertHorizon(held, nanos(30)), {at: nanos(30), why: 'unread'});
  expect(shown(ended)).toEqual(['10 a', '20 b', '20 c', 'horizon', '30 d', 'horizon']);
  const grown = insertEnd(take(ended, '30 d', '40 e'), {at: nanos(40), why: 'newest'}, nanos(30));
  expect(shown(grown)).toEqual(['10 a', '20 b', '20 c', 'horizon', '30 d', '40 e', 'horizon']);
  expect(entriesOf(grown).filter(({kind}) => kind === 'horizon')).toMatchObject([
    {at: nanos(30)},
    {at: nanos(40), why: 'newest', isEnd: true},
  ]);
  expect(entriesOf(grown)[3]).not.toHaveProperty('isEnd');
});

test('a horizon says why there is nothing older', () => {
  const log = insertHorizon({...held, heldFrom: {at: nanos(10), why: 'memory'}}, nanos(10));
  expect(entriesOf(log)[0]).toMatchObject({kind: 'horizon', why: 'memory'});
});

test('a change of a log without lines is at its time, after markers that are there', () => {
  const marked = insertHorizon(createBranchLog(1e6), nanos(20));
  expect(shown(insertAt(marked, 20))).toEqual(['horizon', 'change']);
  expect(entriesOf(insertAt(marked, 19)).map(({at}) => at)).toEqual([nanos(20), nanos(50)]);
});
