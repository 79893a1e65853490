import {expect, test} from 'vitest';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {chunkEntriesMax, editBuffer} from '#log/buffer/buffer-edit.ts';
import {createMatches, type Matches} from '#log/pattern/matches.ts';

type Added = {readonly at: number; readonly isMarker?: boolean};

const add = (buffer: LineBuffer, ...entries: readonly Added[]): LineBuffer => {
  const edit = editBuffer(buffer);
  for (const {at: time, isMarker} of entries) {
    const [id, at] = [edit.takeId(), BigInt(time)];
    edit.insert(
      isMarker
        ? {kind: 'gap', id, at, after: at, before: at}
        : {kind: 'line', id, at, raw: `line ${time}`, textIndex: 0, late: false},
    );
  }
  return edit.finish();
};

const lines = (...times: readonly number[]): readonly Added[] => times.map(at => ({at}));

/** A buffer whose first chunk is full. */
const full = (): LineBuffer =>
  add(createBuffer(1e9), ...lines(...Array.from({length: chunkEntriesMax}, (_, index) => 10 * index)));

const known = (matches: Matches, {chunks}: LineBuffer): readonly unknown[] =>
  chunks.map(chunk => {
    const found = matches.of(chunk);
    return found && {offsets: [...found.offsets], unknown: [...found.unknown]};
  });

const takeFirst = (matches: Matches, {chunks: [chunk]}: LineBuffer, ...offsets: readonly number[]): void => {
  if (chunk !== undefined) {
    matches.take(chunk, Uint16Array.from(offsets));
  }
};

test('what was tried is known, and a state with more known has another version', () => {
  const buffer = add(createBuffer(1e9), ...lines(1, 2, 3));
  const matches = createMatches();
  expect(matches.version()).toBe(0);
  expect(known(matches, buffer)).toEqual([undefined]);
  takeFirst(matches, buffer, 1);
  expect(known(matches, buffer)).toEqual([{offsets: [1], unknown: []}]);
  expect(matches.version()).toBe(1);
});

test('chunks that were not tried are asked for, the newest first', () => {
  const buffer = add(full(), ...lines(6000));
  const matches = createMatches();
  expect(matches.pendingIn(buffer)).toEqual([buffer.chunks[1], buffer.chunks[0]]);
  takeFirst(matches, buffer);
  expect(matches.pendingIn(buffer)).toEqual([buffer.chunks[1]]);
});

test('lines that come do not make those before them unknown', () => {
  const before = add(createBuffer(1e9), ...lines(10, 20, 30));
  const matches = createMatches();
  takeFirst(matches, before, 0, 2);
  const after = add(before, ...lines(15, 40), {at: 25, isMarker: true});
  matches.carry(before, after);
  // 10, 15, 20, a marker, 30, 40: a marker has no text to try.
  expect(known(matches, after)).toEqual([{offsets: [0, 4], unknown: [1, 5]}]);
  expect(matches.version()).toBe(2);
  expect(matches.pendingIn(after)).toEqual(after.chunks);
});

test('a line that is not yet tried stays so when others come', () => {
  const before = add(createBuffer(1e9), ...lines(10));
  const matches = createMatches();
  takeFirst(matches, before, 0);
  const between = add(before, ...lines(20));
  matches.carry(before, between);
  const after = add(between, ...lines(30));
  matches.carry(between, after);
  expect(known(matches, after)).toEqual([{offsets: [0], unknown: [1, 2]}]);
});

test('a chunk of which only markers came is known', () => {
  const before = add(createBuffer(1e9), ...lines(10, 20));
  const matches = createMatches();
  takeFirst(matches, before, 1);
  const after = add(before, {at: 15, isMarker: true});
  matches.carry(before, after);
  expect(known(matches, after)).toEqual([{offsets: [2], unknown: []}]);
  expect(matches.pendingIn(after)).toEqual([]);
});

test('nothing is carried from a chunk that is still there, nor from one that was not tried', () => {
  const before = full();
  const matches = createMatches();
  takeFirst(matches, before, 3);
  const after = add(before, ...lines(6000));
  matches.carry(before, after);
  expect(known(matches, after)).toEqual([{offsets: [3], unknown: []}, undefined]);
  expect(matches.version()).toBe(1);
  const untried = createMatches();
  untried.carry(before, add(before, ...lines(5)));
  expect(untried.version()).toBe(0);
});

test('a chunk of other lines is not known by what is known of those that went', () => {
  const before = add(createBuffer(1e9), ...lines(10, 20));
  const matches = createMatches();
  takeFirst(matches, before, 0);
  // Not one line of it was there, but their times overlap.
  const edit = editBuffer({...createBuffer(1e9), nextId: 100});
  edit.insert({kind: 'line', id: edit.takeId(), at: 20n, raw: 'another', textIndex: 0, late: false});
  const other = edit.finish();
  matches.carry(before, other);
  expect(known(matches, other)).toEqual([undefined]);
});

test.each([
  ['ends', 20, true],
  ['ends before', 21, false],
])('what is known of a chunk is looked at where it %s the other begins', (_, firstAt, isKnown) => {
  const before = add(createBuffer(1e9), ...lines(10, 20));
  const matches = createMatches();
  takeFirst(matches, before, 1);
  const edit = editBuffer(createBuffer(1e9));
  edit.insert({kind: 'line', id: 2, at: BigInt(firstAt), raw: 'line 20', textIndex: 0, late: false});
  const after = edit.finish();
  matches.carry(before, after);
  expect(known(matches, after)).toEqual([isKnown ? {offsets: [0], unknown: []} : undefined]);
});

test.each([
  ['begins', 10, true],
  ['begins after', 9, false],
])('what is known of a chunk is looked at where it %s the other ends', (_, lastAt, isKnown) => {
  const before = add(createBuffer(1e9), ...lines(10, 20));
  const matches = createMatches();
  takeFirst(matches, before, 0);
  const edit = editBuffer(createBuffer(1e9));
  edit.insert({kind: 'line', id: 1, at: BigInt(lastAt), raw: 'line 10', textIndex: 0, late: false});
  const after = edit.finish();
  matches.carry(before, after);
  expect(known(matches, after)).toEqual([isKnown ? {offsets: [0], unknown: []} : undefined]);
});
