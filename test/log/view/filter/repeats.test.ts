import {describe, expect, test} from 'vitest';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {chunkEntriesMax} from '#log/buffer/buffer-edit.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {createMatches} from '#log/pattern/matches.ts';
import {areRepeatsKnown, foldList, foldRepeats, type RepeatWishes, readRepeats} from '#log/view/filter/repeats.ts';
import {createLineFilter} from '#log/view/line-filter.ts';
import {type Written, writtenLog} from '../../sourced-lines.ts';

const nothing: RepeatWishes = {before: undefined, kept: [], opened: []};

const chunkOf = (...written: readonly (string | Written)[]): Chunk => {
  const [chunk] = writtenLog(...written).chunks;
  if (chunk === undefined) {
    throw new Error('a chunk was expected');
  }
  return chunk;
};

const all = ({entryCount}: Chunk): Uint16Array => Uint16Array.from({length: entryCount}, (_, offset) => offset);

const fold = (chunk: Chunk, wishes: Partial<RepeatWishes> = {}, shown = all(chunk)) => {
  const {offsets, counts, leading, run} = foldRepeats(chunk, shown, {...nothing, ...wishes});
  return {offsets: [...offsets], counts: [...counts], leading, run};
};

describe('of lines that follow each other', () => {
  test.each<readonly [string, readonly (string | Written)[], readonly number[], readonly number[]]>([
    ['those that differ in numbers become one', ['job 1 done', 'job 2 done', 'job 3 done', 'end'], [0, 3], [2, 0]],
    ['those of another shape do not', ['job 1 done', 'task 1 done', 'job 2 done'], [0, 1, 2], [0, 0, 0]],
    ['those of another level do not', ['job 1 done', 'ERROR job 2 done'], [0, 1], [0, 0]],
    ['a marker ends a run', ['job 1 done', {}, 'job 2 done'], [0, 1, 2], [0, 0, 0]],
    ['two markers stay two', [{}, {}], [0, 1], [0, 0]],
    [
      'lines of a trace stay',
      ['Error: x', '    at a (a.js:1:1)', '    at a (a.js:2:1)', '    at a (a.js:3:1)'],
      [0, 1, 2, 3],
      [0, 0, 0, 0],
    ],
    [
      'those of another source do not',
      [
        {text: 'job 1', source: {pod: 'a'}},
        {text: 'job 2', source: {pod: 'b'}},
      ],
      [0, 1],
      [0, 0],
    ],
  ])('%s', (_, written, offsets, counts) => {
    expect(fold(chunkOf(...written))).toMatchObject({offsets, counts, leading: 0});
  });
});

const jobs = chunkOf('job 1 done', 'job 2 done', 'job 3 done', 'end');

test('only what is shown is folded', () => {
  expect(fold(jobs, {}, Uint16Array.from([0, 2, 3]))).toMatchObject({offsets: [0, 3], counts: [1, 0]});
  expect(fold(chunkOf('job 1', 'other', 'job 2'), {}, Uint16Array.from([0, 2]))).toMatchObject({
    offsets: [0],
    counts: [1],
  });
});

test('a line that is kept stays, and the next ones are folded into it', () => {
  expect(fold(jobs, {kept: [undefined, [1]]})).toMatchObject({offsets: [0, 1, 3], counts: [0, 1, 0]});
});

test('a run that was opened is shown whole', () => {
  expect(fold(jobs, {opened: [0]})).toMatchObject({offsets: [0, 1, 2, 3], counts: [0, 0, 0, 0]});
  expect(fold(jobs, {opened: [1]})).toMatchObject({offsets: [0, 3], counts: [2, 0]});
});

test('a run goes on from the chunk before', () => {
  const {run} = fold(jobs, {}, Uint16Array.from([0, 1, 2]));
  expect(fold(jobs, {before: run})).toMatchObject({offsets: [3], counts: [0], leading: 3});
  expect(fold(jobs, {before: run && {...run, isOpen: true}})).toMatchObject({offsets: [0, 1, 2, 3], leading: 0});
  expect(fold(jobs, {before: run && {...run, source: {pod: 'a'}}})).toMatchObject({offsets: [0, 3], leading: 0});
  expect(fold(jobs, {before: run, kept: [[0]]})).toMatchObject({offsets: [0, 3], counts: [2, 0], leading: 0});
});

test('the same is folded once, and anything else anew', () => {
  const shown = all(jobs);
  const foldedOnce = foldRepeats(jobs, shown, {...nothing});
  const hits = Uint16Array.from([1]);
  expect(foldRepeats(jobs, shown, {before: undefined, kept: [], opened: []})).toBe(foldedOnce);
  expect(fold(jobs, {opened: [0]}, shown).offsets).toEqual([0, 1, 2, 3]);
  expect(fold(jobs, {opened: [2]}, shown).offsets).toEqual([0, 3]);
  expect(fold(jobs, {kept: [hits]}, shown).offsets).toEqual([0, 1, 3]);
  expect(fold(jobs, {kept: [Uint16Array.from([2])]}, shown).offsets).toEqual([0, 2, 3]);
  expect(fold(jobs, {kept: []}, shown).offsets).toEqual([0, 3]);
  const {run} = fold(jobs, {}, Uint16Array.from([0, 1, 2]));
  expect(fold(jobs, {before: run}, shown).leading).toBe(3);
  expect(fold(jobs, {before: run && {...run, shape: 1}}, shown).leading).toBe(0);
  expect(fold(jobs, {before: run}, shown).leading).toBe(3);
  expect(fold(jobs, {before: run && {...run, source: {}}}, shown).leading).toBe(0);
  expect(fold(chunkOf('a', 'b', 'c', 'd'), {}, shown).offsets).toEqual([0, 1, 2, 3]);
});

test('shapes are known once they were read', () => {
  const chunk = chunkOf('job 1', 'job 22', {});
  expect(areRepeatsKnown(chunk)).toBe(false);
  const [one, other, marker] = readRepeats(chunk);
  expect(areRepeatsKnown(chunk)).toBe(true);
  expect([one === other, one === marker, marker]).toEqual([true, false, 0]);
});

/** A run over three chunks: it begins with the last line of the first one, and ends with the first of the third. */
const long = writtenLog(
  ...Array.from({length: chunkEntriesMax - 1}, (_, index) => (index % 2 === 0 ? 'begin' : 'go on')),
  ...Array.from({length: chunkEntriesMax + 2}, (_, index) => `job ${index} done`),
  'end',
);

const shownOf = ({chunks}: LineBuffer): readonly Uint16Array[] => chunks.map(all);
const entry = (index: number) => ({id: index + 1, at: BigInt(index)});

describe('a run over several chunks', () => {
  test('is counted into its first line', () => {
    for (const chunk of long.chunks) {
      readRepeats(chunk);
    }
    const {offsetsOfChunks, countInto} = foldList(long, shownOf(long), [], []);
    expect(offsetsOfChunks.slice(1).map(offsets => [...offsets])).toEqual([[], [1]]);
    expect(offsetsOfChunks[0]?.at(-1)).toBe(chunkEntriesMax - 1);
    expect(countInto(entry(chunkEntriesMax - 1))).toBe(chunkEntriesMax + 1);
    expect(countInto(entry(chunkEntriesMax - 2))).toBe(0);
    expect(countInto(entry(chunkEntriesMax))).toBe(0);
    expect(countInto(entry(2 * chunkEntriesMax + 1))).toBe(0);
    expect(countInto(entry(9999))).toBe(0);
  });

  test('is opened by its first line', () => {
    const {offsetsOfChunks, countInto} = foldList(long, shownOf(long), [], [entry(chunkEntriesMax - 1)]);
    expect(offsetsOfChunks.map(({length}) => length)).toEqual([chunkEntriesMax, chunkEntriesMax, 2]);
    expect(countInto(entry(chunkEntriesMax - 1))).toBe(0);
  });

  test('goes on over a chunk of which nothing is shown, and not over one whose shapes are not known', () => {
    const [first = new Uint16Array(), , third = new Uint16Array()] = shownOf(long);
    const none = new Uint16Array();
    const over = foldList(long, [first, none, third], [], []);
    expect(over.offsetsOfChunks.map(({length}) => length)).toEqual([chunkEntriesMax, 0, 1]);
    expect(over.countInto(entry(chunkEntriesMax - 1))).toBe(1);
    const unread = writtenLog('job 1', 'job 2');
    const asIs = foldList(unread, shownOf(unread), [], []);
    expect(asIs.offsetsOfChunks.map(offsets => [...offsets])).toEqual([[0, 1]]);
    expect(asIs.countInto(entry(0))).toBe(0);
  });

  test('ends where a chunk was not looked at', () => {
    const {offsetsOfChunks} = foldList(long, [], [], []);
    expect(offsetsOfChunks.map(({length}) => length)).toEqual([0, 0, 0]);
  });

  test('keeps what a search found', () => {
    const matches = createMatches();
    for (const chunk of long.chunks) {
      matches.take(chunk, Uint16Array.from(chunk === long.chunks[1] ? [7] : []));
    }
    const {offsetsOfChunks, countInto} = foldList(long, shownOf(long), [matches], []);
    expect([...(offsetsOfChunks[1] ?? [])]).toEqual([7]);
    expect(countInto(entry(chunkEntriesMax - 1))).toBe(7);
    expect(countInto(entry(chunkEntriesMax + 7))).toBe(chunkEntriesMax - 8 + 1);
  });
});

const options = {includes: [], excludes: [], levelMin: 0, contextLines: 0};
const textsIn = (list: EntryList): readonly string[] =>
  list.slice(0, 20).map(each => (each.kind === 'line' ? each.raw : each.kind));

test('a filter folds repeated lines and counts the lines that there are without folds', () => {
  const buffer = writtenLog('begin', 'job 1 done', 'job 2 done', {}, 'job 3 done');
  const filter = createLineFilter({...options, repeats: []});
  const {list, unfolded, lineCount, repeatsOf, offsetsOfChunks} = filter.apply(buffer);
  expect(textsIn(list)).toEqual(['begin', 'job 1 done', 'gap', 'job 3 done']);
  expect(textsIn(unfolded)).toEqual(['begin', 'job 1 done', 'job 2 done', 'gap', 'job 3 done']);
  expect([lineCount, repeatsOf(entry(1)), repeatsOf(entry(0))]).toEqual([4, 1, 0]);
  expect(offsetsOfChunks.map(offsets => [...offsets])).toEqual([[0, 1, 3, 4]]);
  const opened = createLineFilter({...options, repeats: [entry(1)]}).apply(buffer);
  expect([opened.list.entryCount, opened.repeatsOf(entry(1))]).toEqual([5, 0]);
  const plain = createLineFilter(options).apply(buffer);
  expect([plain.list.entryCount, plain.repeatsOf(entry(1)), plain.list === plain.unfolded]).toEqual([5, 0, true]);
});

test('shapes are read a bounded number of chunks at a time', () => {
  const buffer = writtenLog(...Array.from({length: 5 * chunkEntriesMax}, (_, index) => `job ${index} done`));
  let filter = createLineFilter({...options, repeats: [], chunksMax: 20});
  const looks = Array.from({length: 5}, () => {
    const {waitingCount, pendingCount, list} = filter.apply(buffer);
    filter = filter.next();
    return [waitingCount, pendingCount, list.entryCount];
  });
  // Of a chunk whose shapes were not read nothing is shown.
  expect(looks.map(([waiting]) => waiting)).toEqual([4, 3, 1, 0, 0]);
  expect(looks.map(([, pending]) => pending)).toEqual([4, 3, 1, 0, 0]);
  expect(looks.at(-1)?.[2]).toBe(1);
});
