import {expect, test} from 'vitest';
import {line, nanos, short} from './lines-at.ts';
import {createSubject} from './subject.ts';

/**
 * Found by soaks of a million polls: a log has just been opened, and the next answer is a replica's that is older than
 * the first one. On a fine clock it is older than all that is held. On a coarse one it ends with the same time as the
 * first, so that nothing tells it from a window that moved on: a marker is fair, one that spans nothing is not, and the
 * answers after it bring none.
 */
const watch = (windows: readonly (readonly string[])[]) => {
  const subject = createSubject({bufferBytesMax: 1e9});
  const added = windows.map(lines => subject.take({lines: lines.map(line), pods: [], cut: 'branch'}));
  return {
    gapsOf: added.map(entries => entries.flatMap(entry => (entry.kind === 'gap' ? [entry] : []))),
    handedOut: added.flat().flatMap(entry => (entry.kind === 'line' ? [short(entry.raw)] : [])),
    held: subject.lines().map(({raw}) => short(raw)),
  };
};

test('an older answer that ends with the time at which the log begins is held once, and no gap is empty', () => {
  const newer = ['40 line 34', '40 line 35', '40 line 36', '40 copy 37', '40 copy 37', '40 copy 37'];
  const older = ['20 line 28', '20 line 29', '20 line 30', '40 copy 31', '40 copy 31', '40 copy 31'];
  const {gapsOf, handedOut, held} = watch([newer, newer, older, newer, [...newer.slice(1), '60 line 40']]);
  expect(gapsOf.flat().filter(({after, before}) => after >= before)).toEqual([]);
  expect(gapsOf.map(gaps => gaps.length > 0).with(2, false)).toEqual([false, false, false, false, false]);
  expect(handedOut.toSorted()).toEqual([...newer, ...older, '60 line 40'].toSorted());
  expect(held.slice(0, 3)).toEqual(older.slice(0, 3));
  expect(held.at(-1)).toBe('60 line 40');
});

test('an older answer of which all has the one time that the log has too is held once, and no gap is empty', () => {
  const newer = ['1000000 line 162', '1000000 line 166', '1000000 line 167', '1000000 line 168'];
  const older = ['1000000 line 109', '1000000 line 110', '1000000 line 111', '1000000 line 112'];
  const {gapsOf, handedOut, held} = watch([newer, older, newer, [...newer.slice(2), '2000000 line 204']]);
  expect(gapsOf.flat().filter(({after, before}) => after >= before)).toEqual([]);
  // The marker, where there is one, holds the time in which lines may be missing.
  expect(gapsOf.flat().every(({after, before}) => after <= nanos(1_000_000) && before >= nanos(1_000_000))).toBe(true);
  expect(gapsOf.map(gaps => gaps.length > 0).with(1, false)).toEqual([false, false, false, false]);
  expect(handedOut.toSorted()).toEqual([...newer, ...older, '2000000 line 204'].toSorted());
  expect(held.at(-1)).toBe('2000000 line 204');
});

/** `2 copy` four times. */
const copies = (text: string, count: number): readonly string[] => Array.from({length: count}, () => text);

/**
 * Found by soaks of a million polls: all that two windows share are copies, but they stand in the same order at the end
 * of the one and at the front of the other, copies of one line after those of another. That joins them as one line
 * without copies would.
 */
test('a window that begins with the copies of two lines with which the one before ends brings no gap', () => {
  const ends = [...copies('20 copy 219', 4), ...copies('20 copy 223', 3)];
  const {gapsOf, held} = watch([
    ['20 line 217', '20 line 218', ...ends],
    [...ends, '20 line 226', '20 line 227'],
  ]);
  expect(gapsOf.flat()).toEqual([]);
  expect(held).toHaveLength(11);
});

test('nor does one whose front cuts the copies of the first of them', () => {
  const {gapsOf, held} = watch([
    ['1 line 40', '1 line 41', ...copies('1 copy 42', 4)],
    [...copies('1 copy 42', 3), ...copies('1 copy 46', 4)],
    [...copies('1 copy 42', 2), ...copies('1 copy 46', 4), '1 line 50'],
  ]);
  // All that the second shares with the first are copies of one line: nobody can know whether they are the same.
  expect(gapsOf.at(-1)).toEqual([]);
  expect(held).toHaveLength(11);
});

/**
 * Found by soaks of three million polls: on a coarse clock, an older answer may end with the same time as the newest. The
 * answer after it continues the newest all the same, however many older ones came between, and whatever copies it shares
 * with them.
 */
test('after several older answers that share nothing with the newest, a window continues that', () => {
  const older = ['20 line 1', '20 line 2', '20 line 3'];
  const {gapsOf, held} = watch([
    older,
    ['20 line 3', '20 line 4', '20 line 5'],
    ['20 line 5', '20 line 6', '20 line 7'],
    older,
    older,
    ['20 line 7', '20 line 8', '20 line 9'],
  ]);
  expect(gapsOf.flat()).toEqual([]);
  expect(held).toHaveLength(9);
});

test('after an older answer that shares only copies, a window continues the newest one, of which it has more', () => {
  const {gapsOf, held} = watch([
    ['20 line 1', '20 line 2', ...copies('20 copy 3', 3)],
    [...copies('20 copy 3', 3), '20 line 6'],
    ['20 line 1', '20 line 2', ...copies('20 copy 3', 3)],
    [...copies('20 copy 3', 2), '20 line 6', '20 line 7', '20 line 8'],
  ]);
  expect(gapsOf.slice(2).flat()).toEqual([]);
  expect(held).toHaveLength(8);
});

test('an older answer that reaches back beyond the first one brings no gap, nor does the window after it', () => {
  const {gapsOf, held} = watch([
    ['20 line 2', '20 line 3', '20 line 4', '20 line 5', '24 line 6'],
    ['20 line 3', '20 line 4', '20 line 5', '24 line 6', '24 copy 7'],
    ['10 line 1', '20 line 2', '20 line 3', '20 line 4', '20 line 5'],
    ['24 copy 7', '24 line 8', '30 line 9', '30 line 10', '30 line 11'],
  ]);
  expect(gapsOf.flat()).toEqual([]);
  expect(held).toHaveLength(11);
});

test('nor if all of them have one time', () => {
  const {gapsOf, held} = watch([
    ['20 line 2', '20 line 3', '20 line 4', '20 line 5'],
    ['20 line 1', '20 line 2', '20 line 3', '20 line 4'],
    ['20 line 5', '20 line 6', '20 line 7', '20 line 8'],
  ]);
  expect(gapsOf.flat()).toEqual([]);
  expect(held).toHaveLength(8);
});

test('one line that has no copies is enough to show that an answer is an older one, copies are not', () => {
  const shared = watch([
    ['20 line 5', '20 line 6', '20 line 7'],
    ['20 line 3', '20 line 4', '20 line 5'],
    ['20 line 7', '20 line 8', '20 line 9'],
  ]);
  expect(shared.gapsOf.flat()).toEqual([]);
  const moved = watch([
    [...copies('20 GET /', 3), '20 line 4'],
    ['20 line 7', '20 line 8', ...copies('20 GET /', 2)],
  ]);
  expect(moved.gapsOf.at(-1)).toHaveLength(1);
});

test('lines of one time ahead of all others may be of another source, until a stamp falls', () => {
  const first = ['20 line 3', '20 line 2', '20 line 1'];
  const {gapsOf, handedOut} = watch([
    first,
    ['20 line 5', '20 line 4', ...first],
    ['21 line 6', '20 line 5', '20 line 4', ...first.slice(0, 2)],
    ['21 line 8', '21 line 7', '21 line 6', '20 line 5', '20 line 4'],
  ]);
  expect(gapsOf.flat()).toEqual([]);
  expect(handedOut.slice(3)).toEqual(['20 line 5', '20 line 4', '21 line 6', '21 line 7', '21 line 8']);
});

test('a line after copies did not become a longer one after copies', () => {
  const {held} = watch([
    ['1 GET /', '1 line 7', '1 GET /', '1 line 9'],
    ['1 line 76', '1 GET /', '1 line 78', '1 GET /', '1 line 90'],
  ]);
  expect(held).toEqual(expect.arrayContaining(['1 line 7', '1 line 78', '1 line 9', '1 line 90']));
});
