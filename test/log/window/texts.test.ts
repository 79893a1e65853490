import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  asStrings,
  BlockTexts,
  countEqual,
  findText,
  forgetNewBlocks,
  keepNewBlock,
  measureTexts,
  type TextBlock,
} from '#log/window/texts.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../pauses-in.ts';

const blockOf = (texts: readonly string[], read = () => texts): TextBlock => ({
  length: texts.length,
  characters: texts.join('').length,
  longest: Math.max(...texts.map(text => text.length)),
  read,
});

const blocks = fc.array(fc.array(fc.constantFrom('', 'a', 'bb', 'ccc'), {minLength: 1, maxLength: 5}), {
  minLength: 1,
  maxLength: 30,
});

test('lines in blocks are what they would be as an array, in whatever order they are asked for', () => {
  const parts = fc.tuple(blocks, fc.nat(4), fc.nat(150), fc.nat(150), fc.array(fc.integer({min: -160, max: 160})));
  fc.assert(
    fc.property(parts, ([all, skip, from, to, indexes]) => {
      const skipped = Math.min(skip, (all[0]?.length ?? 1) - 1);
      const array = all.flat().slice(skipped);
      const texts = new BlockTexts(
        all.map(texts => blockOf(texts)),
        skipped,
      );
      expect([texts.length, [...texts], texts.toReversed()]).toEqual([array.length, array, array.toReversed()]);
      expect(indexes.map(index => texts.at(index))).toEqual(indexes.map(index => array.at(index)));
      const part = texts.slice(from, to);
      expect([part.length, asStrings(part)]).toEqual([array.slice(from, to).length, array.slice(from, to)]);
      expect(asStrings(part.slice(1))).toEqual(array.slice(from, to).slice(1));
      expect(finishWork(findText(texts, 'ccc', from))).toBe(array.indexOf('ccc', from));
      expect(texts.some((text, index) => text === 'bb' && index >= from)).toBe(array.includes('bb', from));
      const end = Math.min(to, array.length);
      expect(measureTexts(texts, from, end)).toEqual(measureTexts(array, from, end));
    }),
  );
});

test('what is the same in a row is counted, and a block that both have is not read for that', () => {
  fc.assert(
    fc.property(blocks, fc.nat(4), fc.nat(20), (all, skip, ahead) => {
      const skipped = Math.min(skip, (all[0]?.length ?? 1) - 1);
      const unread = all.map((texts, index) =>
        blockOf(texts, () => {
          expect(index).toBe(0);
          return texts;
        }),
      );
      const first = blockOf(Array.from({length: ahead + 1}, () => 'x'));
      const [before, now] = [new BlockTexts([first, ...unread], ahead), new BlockTexts(unread, skipped)];
      expect(finishWork(countEqual(before, 1 + skipped, now, 0))).toBe(all.flat().length - skipped);
    }),
  );
  expect(finishWork(countEqual(['a', 'b', 'c'], 1, new BlockTexts([blockOf(['b', 'x'])]), 0))).toBe(1);
  expect(finishWork(countEqual(['a', 'b'], 2, ['a'], 0))).toBe(0);
});

test('a block is read once while it is one of the last, however many of its lines are asked for', () => {
  let reads = 0;
  const texts = new BlockTexts([
    blockOf(['a', 'b'], () => {
      reads += 1;
      return ['a', 'b'];
    }),
    ...Array.from({length: 20}, (_, index) => blockOf([`${index}`])),
  ]);
  expect([texts.at(0), texts.at(1), texts.at(2), texts.at(0), reads]).toEqual(['a', 'b', '0', 'a', 1]);
  expect([[...texts].length, texts.at(1), reads]).toEqual([22, 'b', 2]);
});

test('sixteen blocks are kept, the ones that were read last', () => {
  const reads: number[] = [];
  const texts = new BlockTexts(
    Array.from({length: 17}, (_, index) =>
      blockOf([`${index}`], () => {
        reads.push(index);
        return [`${index}`];
      }),
    ),
  );
  for (let index = 0; index < 16; index++) {
    texts.at(index);
  }
  expect([texts.at(0), reads.length]).toEqual(['0', 16]);
  // The first one was read again in between, so the second one is the oldest.
  texts.at(16);
  expect([texts.at(0), texts.at(2), reads.length]).toEqual(['0', '2', 17]);
  expect([texts.at(1), reads.at(-1)]).toEqual(['1', 1]);
});

test('the first 64 new blocks of a window are not read again until the next window comes', () => {
  const reads: number[] = [];
  const all = Array.from({length: 65}, (_, index) =>
    blockOf([`${index}`], () => {
      reads.push(index);
      return [`${index}`];
    }),
  );
  forgetNewBlocks();
  for (const [index, block] of all.entries()) {
    keepNewBlock(block, [`${index}`]);
  }
  expect([...new BlockTexts(all)]).toEqual(all.map((_, index) => `${index}`));
  expect(reads).toEqual([64]);
  forgetNewBlocks();
  expect([new BlockTexts(all).at(1), reads]).toEqual(['1', [64, 1]]);
});

test('a block is known as a whole only where all of its lines are there', () => {
  const [first, second] = [blockOf(['a', 'b']), blockOf(['c', 'd'])];
  const texts = new BlockTexts([first, second]);
  expect([-1, 0, 1, 2, 3, 4].map(index => texts.blockAt(index))).toEqual([
    undefined,
    first,
    undefined,
    second,
    undefined,
    undefined,
  ]);
  expect(texts.slice(0, 3).blockAt(2)).toBeUndefined();
  expect(texts.slice(1).blockAt(0)).toBeUndefined();
  expect(texts.slice(1).blockAt(1)).toBe(second);
});

test('whole blocks are measured without reading them', () => {
  const unread = {length: 2, characters: 7, longest: 5, read: () => expect.unreachable()};
  const texts = new BlockTexts([unread, blockOf(['a', 'bbbbbb'])]);
  expect(measureTexts(texts, 0, 3)).toEqual({characters: 8, longest: 5});
  expect(measureTexts(texts)).toEqual({characters: 14, longest: 6});
  expect(measureTexts(texts, 2, 2)).toEqual({characters: 0, longest: 0});
});

test('searching and comparing pause each 512 lines', () => {
  const texts = Array.from({length: 1025}, () => 'a');
  expect(pausesIn(findText(texts, 'b', 1))).toEqual({pauses: 2, result: -1});
  expect(pausesIn(countEqual(texts, 0, texts, 0))).toEqual({pauses: 2, result: 1025});
});
