import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createLineWindow, type KeptLine} from '#service/window/line-window.ts';
import {lossesMax} from '#service/window/window-losses.ts';
import {runsOf} from '../../support/thorough.ts';

const web = {pod: 'web'};

const line = (sequence: number, stamp: number, podKey = 1): KeptLine => ({
  sequence,
  podKey,
  source: web,
  stamp: BigInt(stamp),
  line: `${sequence}`,
});

const fill = (lines: readonly KeptLine[], options: Partial<Parameters<typeof createLineWindow>[0]> = {}) => {
  const window = createLineWindow({linesMax: 3, bytesMax: 1_000, isPerPod: false, ...options});
  for (const each of lines) {
    window.add(each);
  }
  return window;
};

const texts = (window: ReturnType<typeof fill>) => window.lines().map(each => each.line);

test('holds the last lines over all pods', () => {
  expect(texts(fill([line(1, 1), line(2, 2, 2), line(3, 3), line(4, 4, 2)]))).toEqual(['2', '3', '4']);
});

test('holds the lines that arrived last, whatever their stamps, and shows them by stamp', () => {
  expect(texts(fill([line(1, 10), line(2, 30), line(3, 20), line(4, 5)]))).toEqual(['4', '3', '2']);
});

test('lets the oldest lines by stamp leave while it gathers, and then those that arrived first', () => {
  const window = fill([line(1, 10), line(2, 30), line(3, 20), line(4, 5)], {isGathering: true});
  expect(texts(window)).toEqual(['1', '3', '2']);
  window.endGathering();
  window.add(line(5, 1));
  window.add(line(6, 2));
  expect([texts(window), window.dropped()]).toEqual([['5', '6', '2'], 4]);
});

test('holds fewer lines until it has gathered, where asked to', () => {
  const lines = [line(1, 10), line(2, 30), line(3, 20), line(4, 5)];
  const window = fill(lines, {isGathering: true, gatheredLinesMax: 2});
  expect(texts(window)).toEqual(['3', '2']);
  window.endGathering();
  window.add(line(5, 40));
  expect(texts(window)).toEqual(['3', '2', '5']);
});

test('names the highest number that left, however it left', () => {
  const window = fill([line(1, 1), line(2, 2), line(3, 3)]);
  expect(window.dropped()).toBe(0);
  window.add(line(7, 4));
  expect(window.dropped()).toBe(1);
  window.takeChanges();
  window.dropPod(1);
  expect([texts(window), window.dropped(), window.takeChanges().removed]).toEqual([[], 7, [2, 3, 7]]);
  window.raiseDropped(9);
  expect(window.dropped()).toBe(9);
});

test('keeps the order of reading among equal timestamps', () => {
  expect(texts(fill([line(1, 7), line(2, 7, 2), line(3, 7)]))).toEqual(['1', '2', '3']);
});

test('cuts each pod on its own where asked to', () => {
  const lines = [line(1, 1, 2), line(2, 2), line(3, 3), line(4, 4), line(5, 5)];
  expect(texts(fill(lines, {isPerPod: true}))).toEqual(['1', '3', '4', '5']);
});

test('lets the oldest lines of any pod leave once there are too many bytes', () => {
  const lines = [line(10, 1, 2), line(20, 2), line(30, 3), line(40, 4)];
  expect(texts(fill(lines, {isPerPod: true, bytesMax: 5}))).toEqual(['30', '40']);
});

test('names as changes only what came and stayed, and what had been there and left', () => {
  const window = fill([line(1, 1), line(2, 2)]);
  expect(window.takeChanges()).toEqual({added: [line(1, 1), line(2, 2)], removed: []});
  for (const each of [line(3, 3), line(4, 4), line(5, 5), line(6, 6)]) {
    window.add(each);
  }
  const {added, removed} = window.takeChanges();
  expect([added.map(each => each.sequence), removed]).toEqual([
    [4, 5, 6],
    [1, 2],
  ]);
});

test('is the last lines to arrive, sorted stably by timestamp', () => {
  const stamps = fc.array(fc.tuple(fc.integer({min: 0, max: 50}), fc.integer({min: 1, max: 3})), {
    minLength: 200,
    maxLength: 6_000,
    size: 'max',
  });
  fc.assert(
    fc.property(stamps, fc.boolean(), (all, isPerPod) => {
      const lines = all.map(([stamp, podKey], index) => line(index + 1, stamp, podKey));
      const expected = isPerPod
        ? [1, 2, 3].flatMap(key => lines.filter(each => each.podKey === key).slice(-40))
        : lines.slice(-40);
      const wanted = expected.toSorted((a, b) => Number(a.stamp - b.stamp) || a.sequence - b.sequence);
      expect(texts(fill(lines, {linesMax: 40, bytesMax: 1_000_000, isPerPod}))).toEqual(wanted.map(each => each.line));
    }),
    {numRuns: runsOf(50)},
  );
});

test('counts a control character as the six bytes that it takes in the answer', () => {
  const lines = [1, 2, 3].map(sequence => ({...line(sequence, sequence), line: '\u0001'.repeat(100)}));
  expect(fill(lines, {bytesMax: 1_300}).lines()).toHaveLength(2);
  expect(
    fill(
      lines.map(each => ({...each, line: 'x'.repeat(100)})),
      {bytesMax: 1_300},
    ).lines(),
  ).toHaveLength(3);
});

test('returns the lines after a number in order of arrival, whatever their stamps and holes', () => {
  const window = fill([line(1, 10), line(2, 30), line(3, 20), line(4, 5)]);
  const numbersAfter = (number: number) => window.linesAfter(number).map(({sequence}) => sequence);
  expect([numbersAfter(0), numbersAfter(2), numbersAfter(4), window.last()]).toEqual([[2, 3, 4], [3, 4], [], 4]);
});

test('a second loss of a source at the same number is another one', () => {
  const php = {pod: 'php'};
  const window = fill([{...line(1, 11, 2), source: php}], {linesMax: 4});
  window.noteLoss({source: php, why: 'it was emptied'});
  window.noteLoss({source: php, why: 'it was emptied'});
  const loss = {source: php, why: 'it was emptied', after: 11n, number: 2, count: 1};
  expect([window.losses(), window.arrivals()]).toEqual([[loss, loss], {last: 3, dropped: 3}]);
  window.add({...line(2, 13, 2), source: php});
  expect(window.losses()).toEqual([
    {...loss, before: 13n},
    {...loss, before: 13n},
  ]);
});

test('a loss of one source stands ahead of the next line, and takes no line with it', () => {
  const php = {pod: 'php'};
  const window = fill([line(1, 10), {...line(2, 11, 2), source: php}], {linesMax: 4});
  window.noteLoss({source: php, why: 'it ended'});
  const loss = {source: php, why: 'it ended', after: 11n, number: 3, count: 1};
  expect([texts(window), window.losses()]).toEqual([['1', '2'], [loss]]);
  // Readers of the header see it before a line follows.
  expect(window.arrivals()).toEqual({last: 3, dropped: 3});
  window.add(line(3, 12));
  expect([window.losses(), window.arrivals()]).toEqual([[loss], {last: 4, dropped: 3}]);
  window.add({...line(4, 13, 2), source: {...php, stream: 'stderr'}});
  expect(window.losses()).toEqual([{...loss, before: 13n}]);
  for (const number of [5, 6]) {
    window.add(line(number, 14));
  }
  expect(window.losses()).toHaveLength(1);
  window.add(line(7, 14));
  expect([window.losses(), window.arrivals()]).toEqual([[], {last: 8, dropped: 4}]);
});

test('a loss whose lines have left leaves with them: that of a pod with its own lines, that of all with the last', () => {
  const window = fill([line(1, 1), line(2, 2, 2)], {linesMax: 1, isPerPod: true});
  window.noteLoss({podKey: 1, why: 'of one pod'});
  window.noteLoss({source: {pod: 'php'}, why: 'of any pod'});
  const whys = () => window.losses().map(({why}) => why);
  window.add(line(3, 3));
  expect(whys()).toEqual(['of one pod', 'of any pod']);
  window.add(line(4, 4));
  // Line 2, which came before both, is still there.
  expect(whys()).toEqual(['of any pod']);
  window.add(line(5, 5, 2));
  expect(whys()).toEqual([]);
});

test('lines that no answer can show are numbered and counted without being held', () => {
  const window = fill([line(1, 10)], {linesMax: 2});
  window.noteLoss({why: 'gone'});
  expect([0, 2, 3, 5].map(window.countPassing)).toEqual([0, 0, 1, 3]);
  const version = window.version();
  window.pass({sequence: 2, source: web, stamp: 20n, text: 'abc'});
  expect([window.last(), window.dropped(), texts(window), window.version() === version]).toEqual([2, 2, ['1'], false]);
  expect(window.losses()).toMatchObject([{number: 2, before: 20n}]);
  expect(window.leftAfter(1)).toEqual({lines: 1, stamps: {earliest: 20n, latest: 20n}});
  // 30 bytes of a timestamp, a space, and the text.
  expect(window.tally.totals()).toMatchObject({bytes: 1 + 34, lines: new Map([[web, 2]])});
  window.add(line(3, 30));
  window.add(line(4, 40));
  expect([window.losses(), window.leftAfter(0)]).toEqual([
    [],
    {lines: undefined, stamps: {earliest: 10n, latest: 20n}},
  ]);
});

test('passes over no line while it gathers: their stamps decide which leave', () => {
  expect(fill([], {isGathering: true}).countPassing(100)).toBe(0);
});

test('thousands of lines that left make no difference to those that are there', () => {
  const count = 10_000;
  const window = fill(Array.from({length: count}, (_, index) => line(index + 1, index + 1)));
  expect(texts(window)).toEqual(['9998', '9999', '10000']);
  window.add(line(count + 1, 9_999));
  expect(texts(window)).toEqual(['9999', '10001', '10000']);
  window.dropPod(1);
  window.add(line(count + 2, 1));
  expect([texts(window), window.heldBytes()]).toEqual([['10002'], 5]);
});

test('lets go of lines until no more than so many bytes are held', () => {
  const window = fill([line(10, 1), line(20, 2), line(30, 3)]);
  const version = window.version();
  window.shrink(6);
  expect([window.heldBytes(), window.version() === version]).toEqual([6, true]);
  window.shrink(5);
  expect([texts(window), window.heldBytes(), window.version() === version]).toEqual([['20', '30'], 4, false]);
  window.shrink(0);
  expect([texts(window), window.heldBytes(), window.dropped(), window.newestStamp()]).toEqual([[], 0, 30, 3n]);
});

test('counts what was added since the last look, without what has left again', () => {
  const window = fill([line(1, 1), line(2, 2), line(3, 3), line(4, 4)]);
  expect(window.addedCount()).toBe(3);
  window.takeChanges();
  expect(window.addedCount()).toBe(0);
  window.add(line(5, 5));
  expect([window.addedCount(), window.takeChanges().removed]).toEqual([1, [2]]);
});

test('past its bound, the oldest losses become one that holds both', () => {
  const window = fill([], {linesMax: 1_000});
  for (let number = 1; number <= lossesMax + 1; number += 1) {
    window.add(line(number, number));
    window.noteLoss({why: `loss ${number}`});
  }
  expect([window.losses().length, window.losses()[0], window.lossCount()]).toEqual([
    lossesMax,
    {number: 3, count: 2, after: 1n, before: 3n, why: 'lines are missing at several places'},
    lossesMax + 1,
  ]);
});

test('says how many lines left after a number, and a range that holds their stamps and losses', () => {
  const window = fill([line(1, 1)], {linesMax: 2, past: {last: 0, dropped: 0, losses: [], lossCount: 0}});
  expect(window.leftAfter(0)).toBeUndefined();
  for (let number = 2; number <= 1_000; number += 1) {
    window.add(line(number, number));
  }
  expect(window.leftAfter(0)).toEqual({lines: 998, stamps: {earliest: 1n, latest: 998n}});
  // By blocks of 256 numbers.
  expect(window.leftAfter(900)).toEqual({lines: 98, stamps: {earliest: 768n, latest: 998n}});
  window.noteLoss({after: 5n, before: 2_000n, why: 'gone'});
  for (const number of [1_001, 1_002, 1_003]) {
    window.add(line(number, number));
  }
  expect(window.leftAfter(1_000)).toEqual({lines: undefined, stamps: {earliest: 5n, latest: 2_000n}});
  const restored = fill([line(9, 9)], {past: {last: 9, dropped: 7, losses: [], lossCount: 0}});
  expect([restored.leftAfter(5), restored.leftAfter(7)]).toEqual([
    {lines: 3, stamps: undefined},
    {lines: 1, stamps: undefined},
  ]);
});

test('summaries of a long log stay bounded, and hold every line that left', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({min: 0, max: 1_000}), {minLength: 300, maxLength: 40_000, size: 'max'}),
      stamps => {
        const window = fill(
          stamps.map((stamp, index) => line(index + 1, stamp)),
          {linesMax: 10},
        );
        for (const after of [0, 1, 100, stamps.length - 20]) {
          const gone = stamps.slice(after, -10);
          const left = window.leftAfter(after);
          expect(left?.lines).toBe(gone.length);
          expect(Number(left?.stamps?.earliest)).toBeLessThanOrEqual(Math.min(...gone));
          expect(Number(left?.stamps?.latest)).toBeGreaterThanOrEqual(Math.max(...gone));
        }
      },
    ),
    {numRuns: runsOf(20)},
  );
});
