import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createBuffer, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {type Entry, textOf} from '#log/line/entry.ts';
import {findHit, listHits} from '#log/overview/find-in-log.ts';
import {createMatches, type Matches} from '#log/pattern/matches.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import {areTraitsKnown, continuationsOf} from '#log/traits/line-traits.ts';
import {applyWhole, createLineFilter, type FilteredEntries} from '#log/view/line-filter.ts';
import {anchorOf, mergeLists} from '#log/view/log-view.ts';
import {runsOf} from '../../support/thorough.ts';
import {isContinuation} from '../line-alone.ts';
import {addWindow, arbitraryEdits, arbitraryStart, bufferFrom} from '../pattern/arbitrary-buffer.ts';

const entriesOf = (buffer: LineBuffer): readonly Entry[] => sliceEntries(buffer, 0, buffer.entryCount);

/** Looks through a chunk as the thread would. */
const matchIn = (chunk: Chunk, needle: string): Uint16Array =>
  Uint16Array.from(textsOf(chunk).flatMap((text, offset) => (text?.includes(needle) ? [offset] : [])));

const takeAll = (matches: Matches, buffer: LineBuffer, needle: string): void => {
  for (const chunk of matches.pendingIn(buffer)) {
    matches.take(chunk, matchIn(chunk, needle));
  }
};

type Wish = {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
  readonly levelMin: number;
  readonly contextLines: number;
  readonly folds: boolean;
  readonly unfolds: readonly string[];
  /** Nanoseconds after `arbitraryStart`. */
  readonly range: {readonly from?: number | undefined; readonly to?: number | undefined};
};

const arbitraryWish: fc.Arbitrary<Wish> = fc.record({
  includes: fc.array(fc.constantFrom('GET', '500', 'error', 'at ', 'long', 'a'), {maxLength: 2}),
  excludes: fc.array(fc.constantFrom('/a', 'ERROR', 'WARN', 'é'), {maxLength: 2}),
  levelMin: fc.constantFrom(0, 0, 3, 4, 5),
  contextLines: fc.constantFrom(0, 0, 1, 3, 9),
  folds: fc.boolean(),
  unfolds: fc.array(fc.constantFrom('a.b', 'C', 'GET'), {maxLength: 1}),
  range: fc.oneof(
    {weight: 2, arbitrary: fc.constant({})},
    {weight: 1, arbitrary: fc.record({from: fc.nat(400), to: fc.nat(2000)}, {requiredKeys: []})},
  ),
});

const rangeOf = ({range: {from, to}}: Pick<Wish, 'range'>): TimeRange => ({
  from: from === undefined ? undefined : arbitraryStart + BigInt(from),
  to: to === undefined ? undefined : arbitraryStart + BigInt(to),
});

/** What is to be seen of entries, worked out from all of them at once. */
const filterNaively = (entries: readonly Entry[], wish: Wish): readonly Entry[] => {
  let headRank = 0;
  let hasHead = false;
  const {from, to} = rangeOf(wish);
  const isInTime = ({entry}: {readonly entry: Entry}): boolean =>
    entry.at >= (from ?? entry.at) && entry.at <= (to ?? entry.at);
  const all = entries.map(entry => {
    if (entry.kind !== 'line') {
      return {entry, fate: 'marker'} as const;
    }
    const text = textOf(entry);
    const rank = levelRank(levelOf(text));
    const continues = isContinuation(text);
    headRank = continues ? headRank : rank;
    hasHead ||= !continues;
    const isFolded = wish.folds && continues && hasHead && !wish.unfolds.some(needle => text.includes(needle));
    const matches = wish.includes.some(needle => text.includes(needle));
    if (wish.excludes.some(needle => text.includes(needle)) || (isFolded && !matches)) {
      return {entry, fate: 'hidden'} as const;
    }
    const isWanted = (wish.includes.length === 0 || matches) && headRank >= wish.levelMin;
    return {entry, fate: isWanted ? 'wanted' : 'nearby'} as const;
  });
  const judged = all.filter(isInTime);
  const lines = judged.filter(({fate}) => fate === 'wanted' || fate === 'nearby');
  const shown = new Set<Entry>();
  for (const [index, {fate}] of lines.entries()) {
    if (fate === 'wanted') {
      for (const {entry} of lines.slice(Math.max(0, index - wish.contextLines), index + wish.contextLines + 1)) {
        shown.add(entry);
      }
    }
  }
  return judged.filter(({entry, fate}) => fate === 'marker' || shown.has(entry)).map(({entry}) => entry);
};

const openFilter = (wish: Wish, chunksMax?: number) => {
  const tables = new Map(
    [...wish.includes, ...wish.excludes, ...wish.unfolds].map(needle => [needle, createMatches()]),
  );
  const tableOf = (needle: string): Matches => tables.get(needle) ?? createMatches();
  const filter = createLineFilter({
    includes: wish.includes.map(tableOf),
    excludes: wish.excludes.map(tableOf),
    levelMin: wish.levelMin,
    range: rangeOf(wish),
    contextLines: wish.contextLines,
    foldsOf: wish.folds ? continuationsOf : undefined,
    unfolds: wish.unfolds.map(tableOf),
    chunksMax,
  });
  return {filter, tables};
};

test('a filter leaves what going through all lines would leave, while windows come, late lines too, and the oldest leave', () => {
  fc.assert(
    fc.property(arbitraryEdits, arbitraryWish, ({windows, copies, bytesMax}, wish) => {
      const {filter, tables} = openFilter(wish);
      let buffer = createBuffer(bytesMax);
      for (const window of windows) {
        const before = buffer;
        buffer = addWindow(buffer, window, copies);
        for (const [needle, matches] of tables) {
          matches.carry(before, buffer);
          takeAll(matches, buffer, needle);
        }
        const {list, pendingCount} = filter.apply(buffer);
        expect(list.slice(0, list.entryCount)).toEqual(filterNaively(entriesOf(buffer), wish));
        expect(pendingCount).toBe(0);
      }
    }),
    {numRuns: runsOf(48)},
  );
});

test('while the answers are awaited, what was shown stays, and nothing is shown that goes again', () => {
  fc.assert(
    fc.property(arbitraryEdits, arbitraryWish, ({windows, copies}, wish) => {
      const {filter, tables} = openFilter({...wish, levelMin: 0, folds: false});
      let buffer = createBuffer(1e9);
      for (const window of windows) {
        const before = buffer;
        const seenBefore = filter.apply(before).list;
        buffer = addWindow(before, window, copies);
        for (const matches of tables.values()) {
          matches.carry(before, buffer);
        }
        const {list} = filter.apply(buffer);
        const seen = new Set(list.slice(0, list.entryCount).map(({id}) => id));
        if (wish.contextLines === 0) {
          expect(seenBefore.slice(0, seenBefore.entryCount).filter(({id}) => !seen.has(id))).toEqual([]);
        }
        for (const [needle, matches] of tables) {
          takeAll(matches, buffer, needle);
        }
        const final = filter.apply(buffer).list;
        const finallySeen = new Set(final.slice(0, final.entryCount).map(({id}) => id));
        // A line that comes in near a wanted one may take the place of one that stood there: only with context.
        if (wish.contextLines === 0) {
          expect([...seen].filter(id => !finallySeen.has(id))).toEqual([]);
        }
      }
    }),
    {numRuns: runsOf(32)},
  );
});

test('a chunk that was not tried shows its markers alone, and is told', () => {
  const buffer = bufferFrom({
    windows: [
      [
        {at: 1, text: 'one'},
        {at: 2, text: undefined},
        {at: 3, text: 'two'},
      ],
    ],
    copies: 1,
    bytesMax: 1e9,
  });
  const {filter, tables} = openFilter({
    includes: ['one'],
    excludes: [],
    levelMin: 0,
    contextLines: 0,
    folds: false,
    unfolds: [],
    range: {},
  });
  const kindsSeen = (): readonly string[] =>
    filter
      .apply(buffer)
      .list.slice(0, 9)
      .map(entry => (entry.kind === 'line' ? textOf(entry) : entry.kind));
  expect([kindsSeen(), filter.apply(buffer).pendingCount]).toEqual([['gap'], 1]);
  for (const [needle, matches] of tables) {
    takeAll(matches, buffer, needle);
  }
  expect([kindsSeen(), filter.apply(buffer).pendingCount]).toEqual([['one', 'gap'], 0]);
  expect(filter.apply(buffer)).toBe(filter.apply(buffer));
});

test('chunks to be tried are told newest first, and one that lines were added to is tried again', () => {
  const window = Array.from({length: 600}, (_, at) => ({at, text: `line ${at}`}));
  const before = addWindow(createBuffer(1e9), window, 1);
  const matches = createMatches();
  expect(matches.pendingIn(before)).toEqual(before.chunks.toReversed());
  takeAll(matches, before, 'line 5');
  const after = addWindow(before, [{at: 700, text: 'line 5 again'}], 1);
  matches.carry(before, after);
  expect(matches.pendingIn(after)).toEqual(after.chunks.slice(-1));
  const newest = after.chunks.at(-1);
  const known = newest && matches.of(newest);
  expect(known && [[...known.offsets], [...known.unknown]]).toEqual([
    Array.from({length: 599 - 511}, (_, index) => index).filter(index => `${512 + index}`.startsWith('5')),
    [88],
  ]);
});

test('hits are counted and stepped through in both directions, of several buffers and of what a filter shows', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryEdits, {minLength: 1, maxLength: 3}),
      fc.nat(),
      fc.boolean(),
      (branches, pick, isFiltered) => {
        const buffers = branches.map(bufferFrom);
        const wish: Wish = {
          includes: ['e'],
          excludes: ['/a'],
          levelMin: 0,
          contextLines: 0,
          folds: false,
          unfolds: [],
          range: {},
        };
        const opened = buffers.map(() => openFilter(wish));
        const lists = buffers.map((buffer, source) => {
          const {filter, tables} = opened[source] ?? openFilter(wish);
          for (const [needle, matches] of tables) {
            takeAll(matches, buffer, needle);
          }
          const matches = createMatches();
          takeAll(matches, buffer, 'o');
          return listHits(buffer, matches, isFiltered ? filter.apply(buffer).offsetsOfChunks : undefined);
        });
        const isHit = (entry: Entry): boolean =>
          entry.kind === 'line' &&
          textOf(entry).includes('o') &&
          (!isFiltered || (textOf(entry).includes('e') && !textOf(entry).includes('/a')));
        const all = buffers
          .flatMap((buffer, source) => entriesOf(buffer).map(entry => ({source, entry})))
          .toSorted((a, b) => Number(a.entry.at - b.entry.at));
        const expected = all.filter(({entry}) => isHit(entry));
        const hits = mergeLists(lists);
        expect(hits.entryCount).toBe(expected.length);
        const numbered = (hit: (typeof all)[number] | undefined) =>
          hit && {number: expected.indexOf(hit) + 1, anchor: anchorOf(hit)};
        expect(findHit(hits, undefined, 'next')).toEqual(numbered(expected[0]));
        expect(findHit(hits, undefined, 'previous')).toEqual(numbered(expected.at(-1)));
        const index = pick % Math.max(1, all.length);
        const from = all[index];
        if (from !== undefined) {
          const anchor = anchorOf(from);
          expect(findHit(hits, anchor, 'next')).toEqual(numbered(all.slice(index + 1).find(({entry}) => isHit(entry))));
          expect(findHit(hits, anchor, 'previous')).toEqual(
            numbered(all.slice(0, index).findLast(({entry}) => isHit(entry))),
          );
          expect(findHit(hits, anchor, 'here')).toEqual(isHit(from.entry) ? numbered(from) : undefined);
        }
      },
    ),
    {numRuns: runsOf(40)},
  );
});

const plain: Wish = {includes: [], excludes: [], levelMin: 0, contextLines: 0, folds: false, unfolds: [], range: {}};

/** Lines a second apart, which fill chunks of 512; and what a filter leaves of them, with another line put in before `after`. */
const showAround = (texts: readonly string[], wish: Wish, late?: {readonly at: number; readonly text: string}) => {
  const {filter, tables} = openFilter(wish);
  const apply = (buffer: LineBuffer): readonly string[] => {
    for (const [needle, matches] of tables) {
      takeAll(matches, buffer, needle);
    }
    const {list} = filter.apply(buffer);
    return list.slice(0, list.entryCount).map(entry => (entry.kind === 'line' ? textOf(entry) : entry.kind));
  };
  const first = addWindow(
    createBuffer(1e9),
    texts.map((text, at) => ({at, text})),
    1,
  );
  const shown = apply(first);
  return late === undefined ? shown : apply(addWindow(first, [late], 1));
};

test('context reaches over chunks, and into one that did not change when another did', () => {
  const texts = Array.from({length: 1600}, (_, index) => `n ${index}`);
  const around = (index: number): readonly string[] =>
    Array.from({length: 7}, (_, distance) => `n ${index - 3 + distance}`);
  const wish = {...plain, includes: ['wanted'], contextLines: 3};
  expect(showAround(texts.with(511, 'wanted'), wish)).toEqual(around(511).with(3, 'wanted'));
  expect(showAround(texts.with(512, 'wanted'), wish)).toEqual(around(512).with(3, 'wanted'));
  expect(showAround(texts, wish, {at: 511, text: 'wanted'})).toEqual([
    ...['n 509', 'n 510', 'n 511'],
    'wanted',
    ...['n 512', 'n 513', 'n 514'],
  ]);
  // Nearly all of the chunk in between is excluded, so that its neighbours are near each other.
  const excluded = texts.map((text, index) => (index >= 512 && index < 1023 ? 'excluded' : text));
  expect(showAround(excluded.with(510, 'wanted'), {...wish, excludes: ['excluded']})).toEqual([
    ...['n 507', 'n 508', 'n 509'],
    'wanted',
    ...['n 511', 'n 1023', 'n 1024'],
  ]);
  expect(showAround(excluded.with(1025, 'wanted'), {...wish, excludes: ['excluded']})).toEqual([
    ...['n 511', 'n 1023', 'n 1024'],
    'wanted',
    ...['n 1026', 'n 1027', 'n 1028'],
  ]);
});

test('lines that continue one in the chunk before have its level, also when that one comes late', () => {
  const texts = Array.from({length: 1100}, (_, index) => (index === 512 ? '\tat a.b(C.java:1)' : `INFO ${index}`));
  const wish = {...plain, levelMin: levelRank('error')};
  expect(showAround(texts, wish)).toEqual([]);
  expect(showAround(texts.with(511, 'ERROR no'), wish)).toEqual(['ERROR no', '\tat a.b(C.java:1)']);
  expect(showAround(texts, wish, {at: 511, text: 'ERROR late'})).toEqual(['ERROR late', '\tat a.b(C.java:1)']);
});

test('what is not known of lines stays unknown when more come before the answer', () => {
  const matches = createMatches();
  const first = addWindow(createBuffer(1e9), [{at: 1, text: 'hit one'}], 1);
  takeAll(matches, first, 'hit');
  const second = addWindow(first, [{at: 2, text: 'hit two'}], 1);
  matches.carry(first, second);
  const third = addWindow(second, [{at: 3, text: 'hit three'}], 1);
  matches.carry(second, third);
  const known = third.chunks.map(chunk => matches.of(chunk));
  expect(known.map(each => each && [[...each.offsets], [...each.unknown]])).toEqual([[[0], [1, 2]]]);
  takeAll(matches, third, 'hit');
  expect(third.chunks.map(chunk => matches.of(chunk)?.offsets.length)).toEqual([3]);
  expect(matches.pendingIn(third)).toEqual([]);
});

const listed = ({list}: FilteredEntries): readonly Entry[] => list.slice(0, list.entryCount);

/** Are the entries among the others, in their order? */
const isPartOf = (part: readonly Entry[], whole: readonly Entry[]): boolean => {
  const ids = new Set(part.map(({id}) => id));
  const found = whole.filter(({id}) => ids.has(id)).map(({id}) => id);
  return found.length === part.length && found.every((id, index) => id === part[index]?.id);
};

test('piece by piece it leaves the same in the end, and on the way there nothing that goes again', () => {
  fc.assert(
    fc.property(
      arbitraryEdits,
      arbitraryWish,
      fc.integer({min: 1, max: 8}),
      fc.option(fc.nat(200), {nil: undefined}),
      fc.nat(3),
      ({windows, copies, bytesMax}, wish, chunksMax, nearChunk, looksBetween) => {
        const opened = openFilter(wish, chunksMax);
        let {filter} = opened;
        let buffer = createBuffer(bytesMax);
        const applyHere = (): FilteredEntries =>
          filter.apply(buffer, nearChunk === undefined ? undefined : buffer.chunks[nearChunk]?.firstAt);
        for (const [index, window] of windows.entries()) {
          const before = buffer;
          buffer = addWindow(buffer, window, copies);
          for (const [needle, matches] of opened.tables) {
            matches.carry(before, buffer);
            takeAll(matches, buffer, needle);
          }
          const whole = filterNaively(entriesOf(buffer), wish);
          let filtered = applyHere();
          // A window may come before the one before it is done with.
          const looksMax = index === windows.length - 1 ? 7 * buffer.chunks.length + 7 : looksBetween;
          for (let looks = 0; looks < looksMax && filtered.waitingCount > 0; looks++) {
            expect(isPartOf(listed(filtered), whole)).toBe(true);
            expect(filtered.pendingCount).toBe(filtered.waitingCount);
            const earlier = filter;
            filter = filter.next();
            const next = applyHere();
            expect(earlier.apply(buffer)).toBe(filtered);
            expect(isPartOf(listed(filtered), listed(next))).toBe(true);
            filtered = next;
          }
          expect(isPartOf(listed(filtered), whole)).toBe(true);
          if (index === windows.length - 1) {
            expect(filtered.waitingCount).toBe(0);
            expect(listed(filtered)).toEqual(whole);
          }
        }
      },
    ),
    {numRuns: runsOf(48)},
  );
});

test('while the answers come in pieces too, nothing is shown that goes again', () => {
  fc.assert(
    fc.property(arbitraryEdits, arbitraryWish, fc.integer({min: 1, max: 8}), (edits, wish, chunksMax) => {
      const alone = {...wish, contextLines: 0};
      const opened = openFilter(alone, chunksMax);
      let {filter} = opened;
      const buffer = bufferFrom(edits);
      const whole = filterNaively(entriesOf(buffer), alone);
      const look = (): FilteredEntries => {
        filter = filter.next();
        const filtered = filter.apply(buffer);
        expect(isPartOf(listed(filtered), whole)).toBe(true);
        return filtered;
      };
      for (const [needle, matches] of opened.tables) {
        for (const chunk of matches.pendingIn(buffer)) {
          matches.take(chunk, matchIn(chunk, needle));
          look();
        }
      }
      const filtered = applyWhole(filter, buffer);
      expect([filtered.waitingCount, filtered.pendingCount]).toEqual([0, 0]);
      expect(listed(filtered)).toEqual(whole);
    }),
    {numRuns: runsOf(32)},
  );
});

/** So many chunks of lines a second apart, of which `textAt` gives the texts. */
const chunksOf = (count: number, textAt: (index: number) => string): LineBuffer =>
  addWindow(
    createBuffer(1e9),
    Array.from({length: count * 512}, (_, at) => ({at, text: textAt(at)})),
    1,
  );

test('the newest chunks come first, or those next to a time', () => {
  const buffer = chunksOf(9, index => `ERROR ${index}`);
  lookThrough(buffer);
  const shownChunks = (near?: number): readonly number[] =>
    openFilter({...plain, levelMin: levelRank('error')}, 3)
      .filter.apply(buffer, near === undefined ? undefined : buffer.chunks[near]?.lastAt)
      .offsetsOfChunks.flatMap(({length}, index) => (length > 0 ? [index] : []));
  expect(shownChunks()).toEqual([6, 7, 8]);
  expect(shownChunks(4)).toEqual([3, 4, 5]);
  expect(shownChunks(0)).toEqual([0, 1, 2]);
});

const lookThrough = (buffer: LineBuffer): void => {
  for (const chunk of buffer.chunks) {
    continuationsOf(chunk);
  }
};

test('of chunks that were never looked through no more are read at a time than the bound allows', () => {
  const buffer = chunksOf(30, index => `INFO ${index}`);
  const knownCount = (): number => buffer.chunks.filter(areTraitsKnown).length;
  let {filter} = openFilter({...plain, levelMin: levelRank('info')}, 12);
  const counts = Array.from({length: 4}, () => {
    filter.apply(buffer);
    filter = filter.next();
    return knownCount();
  });
  expect(counts.map((count, index) => count - (counts[index - 1] ?? 0)).every(count => count >= 1 && count <= 3)).toBe(
    true,
  );
});

test('a log in which every line continues another is shown whole in the end, though nothing is known before its beginning is', () => {
  const buffer = chunksOf(20, index => (index === 0 ? 'ERROR first' : `\tat a.b(C.java:${index})`));
  let {filter} = openFilter({...plain, levelMin: levelRank('error')}, 12);
  const counts: number[] = [];
  for (let looks = 0; looks < 50; looks++) {
    const {list, waitingCount} = filter.apply(buffer);
    counts.push(list.entryCount);
    if (waitingCount === 0) {
      break;
    }
    filter = filter.next();
  }
  expect(counts[0]).toBe(0);
  expect(counts.at(-1)).toBe(buffer.entryCount);
});

test('a chunk of which no answer came waits for the answer, and not for the filter', () => {
  const buffer = chunksOf(9, index => `line ${index}`);
  const {filter} = openFilter({...plain, includes: ['line 7']}, 3);
  const {pendingCount, waitingCount} = filter.apply(buffer);
  expect([pendingCount, waitingCount]).toEqual([9, 0]);
});

test('context never reaches over a chunk of which nothing is known', () => {
  const buffer = chunksOf(3, index => (index === 510 ? 'wanted' : `line ${index}`));
  const {filter, tables} = openFilter({...plain, includes: ['wanted'], excludes: ['line 9'], contextLines: 9});
  const [oldest, middle, newest] = buffer.chunks;
  for (const [needle, matches] of tables) {
    for (const chunk of buffer.chunks.filter(each => each !== middle)) {
      matches.take(chunk, matchIn(chunk, needle));
    }
  }
  const {list, offsetsOfChunks, pendingCount} = filter.apply(buffer);
  expect([oldest?.entryCount, newest?.entryCount, pendingCount]).toEqual([512, 512, 1]);
  expect(offsetsOfChunks.map(({length}) => length)).toEqual([11, 0, 0]);
  expect(list.entryCount).toBe(11);
});
