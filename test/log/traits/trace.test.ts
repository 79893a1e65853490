import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createBuffer, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {type Entry, type LineEntry, textOf} from '#log/line/entry.ts';
import {continuationsOf} from '#log/traits/line-traits.ts';
import {countFolded, passedLinesMax, readTrace, traceLinesMax} from '#log/traits/trace.ts';
import {createLineFilter} from '#log/view/line-filter.ts';
import {runsOf} from '../../support/thorough.ts';
import {isContinuation} from '../line-alone.ts';
import {addWindow, arbitraryEdits, bufferFrom} from '../pattern/arbitrary-buffer.ts';

const entriesOf = (buffer: LineBuffer): readonly Entry[] => sliceEntries(buffer, 0, buffer.entryCount);
const continues = (line: LineEntry): boolean => isContinuation(textOf(line));
const foldAll = () =>
  createLineFilter({includes: [], excludes: [], levelMin: 0, contextLines: 0, foldsOf: continuationsOf});

/** A trace of so many lines after a head, and a line after it. */
const traceOf = (count: number): LineBuffer =>
  bufferFrom({
    windows: [
      [
        {at: 1, text: 'ERROR no such thing'},
        ...Array.from({length: count}, () => ({at: 1, text: '\tat a.b(C.java:1)'})),
        {at: 2, text: 'GET /a 200'},
      ],
    ],
    copies: 1,
    bytesMax: 1e9,
  });

test('folding hides the lines that continue another and no marker, and the counts tell how many', () => {
  fc.assert(
    fc.property(arbitraryEdits, ({windows, copies, bytesMax}) => {
      const filter = foldAll();
      let buffer = createBuffer(bytesMax);
      for (const window of windows) {
        buffer = addWindow(buffer, window, copies);
        const {list} = filter.apply(buffer);
        const seen = list.slice(0, list.entryCount);
        const seenIds = new Set(seen.map(({id}) => id));
        const hidden = entriesOf(buffer).filter(({id}) => !seenIds.has(id));
        expect(hidden.filter(entry => entry.kind !== 'line' || !continues(entry))).toEqual([]);
        const lines = entriesOf(buffer).filter(entry => entry.kind === 'line');
        const firstHead = lines.findIndex(line => !continues(line));
        const expected = firstHead === -1 ? [] : lines.slice(firstHead).filter(continues);
        expect(hidden).toEqual(expected);
        const counts = seen.map(entry => (entry.kind === 'line' ? countFolded(list, entry) : 0));
        if (Math.max(0, ...counts) <= traceLinesMax) {
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(hidden.length);
        }
      }
    }),
    {numRuns: runsOf(96)},
  );
});

test('a trace is read whole over chunks and past markers, up to a bound', () => {
  for (const count of [0, 1, traceLinesMax, traceLinesMax + 1, 1200]) {
    const buffer = traceOf(count);
    const [head] = entriesOf(buffer);
    const {list} = foldAll().apply(buffer);
    const trace = head && readTrace(buffer, head);
    expect(trace?.lines.length).toBe(Math.min(traceLinesMax, count));
    expect(trace?.hasMore).toBe(count > traceLinesMax);
    expect(trace?.lines.every(continues)).toBe(true);
    expect(head && countFolded(list, head)).toBe(Math.min(traceLinesMax + 1, count));
    expect(head && countFolded(listBuffer(buffer), head)).toBe(0);
  }
  const parted = bufferFrom({
    windows: [
      [
        {at: 1, text: 'ERROR x'},
        {at: 2, text: '\tat a'},
        {at: 3, text: undefined},
        {at: 4, text: '\tat b'},
        {at: 5, text: 'done'},
        {at: 6, text: '\tat c'},
      ],
    ],
    copies: 1,
    bytesMax: 1e9,
  });
  const [head] = entriesOf(parted);
  expect(head && readTrace(parted, head).lines.map(textOf)).toEqual(['\tat a', '\tat b']);
});

test('a line that continues another, or has left, heads no trace', () => {
  const buffer = traceOf(3);
  const [head, second] = entriesOf(buffer);
  expect(second && readTrace(buffer, second).lines).toEqual([]);
  expect(head && readTrace(buffer, {id: 999, at: head.at}).lines).toEqual([]);
});

test('as lines come a fold counts them', () => {
  const filter = foldAll();
  const first = traceOf(2);
  const grown = addWindow(first, [{at: 1, text: '\tat late'}], 1);
  const count = (buffer: LineBuffer): number | undefined => {
    const {list} = filter.apply(buffer);
    const [head] = list.slice(0, 1);
    return head && countFolded(list, head);
  };
  expect(count(first)).toBe(2);
  expect(count(grown)).toBe(3);
  expect(count(first)).toBe(2);
});

test('a trace is read past the lines of other sources, and none of theirs is counted to it', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const edit = editBuffer(createBuffer(1e9));
  const texts = [
    'ERROR a',
    'ERROR b',
    '\tat a.1',
    '\tat b.1',
    '\tat b.2',
    '\tat a.2',
    'INFO b',
    '\tat a.3',
    'INFO a',
    '\tat a.4',
  ];
  for (const [index, raw] of texts.entries()) {
    const source = raw.includes('a', raw.startsWith('\tat') ? 3 : 4) ? a : b;
    edit.insert({kind: 'line', id: edit.takeId(), at: BigInt(index), raw, textIndex: 0, late: false, source});
  }
  const buffer = edit.finish();
  const [errorA, errorB] = entriesOf(buffer);
  const read = (line: Entry | undefined) =>
    line?.kind === 'line' ? readTrace(buffer, line).lines.map(({raw}) => raw.trim()) : [];
  expect(read(errorA)).toEqual(['at a.1', 'at a.2', 'at a.3']);
  expect(read(errorB)).toEqual(['at b.1', 'at b.2']);
});

test('a trace is looked for after so many lines of other sources, and no further', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const framesAfter = (others: number): number => {
    const edit = editBuffer(createBuffer(1e9));
    const insert = (raw: string, source: object): void => {
      const id = edit.takeId();
      edit.insert({kind: 'line', id, at: BigInt(id), raw, textIndex: 0, late: false, source});
    };
    insert('ERROR it failed', a);
    for (let count = 0; count < others; count += 1) {
      insert('INFO ready', b);
    }
    insert('\tat a.1', a);
    const buffer = edit.finish();
    const [head] = sliceEntries(buffer, 0, 1);
    return head?.kind === 'line' ? readTrace(buffer, head).lines.length : -1;
  };
  expect([framesAfter(passedLinesMax), framesAfter(passedLinesMax + 1)]).toEqual([1, 0]);
});
