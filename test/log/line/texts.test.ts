import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  asStrings,
  BlockTexts,
  countEqual,
  findText,
  measureTexts,
  type TextBlock,
} from '../../../src/log/line/texts.ts';
import {finishWork} from '../../../src/log/work/work.ts';

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
