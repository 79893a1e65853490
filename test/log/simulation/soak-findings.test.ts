import {expect, test} from 'vitest';
import {line, nanos, short} from './lines-at.ts';
import {createSubject} from './subject.ts';

/**
 * Found by soaks of a million polls: a log has just been opened, and the next answer is a replica's that is older than the first one.
 * On a fine clock it is older than all that is held. On a coarse one it ends with the same time as the first, so that nothing tells
 * it from a window that moved on: a marker is fair, one that spans nothing is not, and the answers after it bring none.
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
