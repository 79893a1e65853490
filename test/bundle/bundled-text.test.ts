import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test, vi} from 'vitest';
import {cellWidth} from '#log/text/width.ts';
import {isUnitByUnit, plainColumns} from '../../scripts/bundled-columns.ts';
import {'Intl.Segmenter' as Segmenter} from '../../scripts/bundled-segmenter.ts';
import {anyCharacter} from '../support/any-character.ts';

const seed = Math.floor(Math.random() * 2 ** 31);
console.log(`bundled text: seed ${seed}`);

const unitsWhere = (holds: (unit: string) => boolean): string[] =>
  Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code)).filter(holds);
const plainUnits = unitsWhere(unit => plainColumns(unit) !== undefined);
const separateUnits = unitsWhere(isUnitByUnit);

const textOf = (units: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...units), {maxLength: 40}).map(picked => picked.join(''));
const sgr = fc.constantFrom('\u001b[0m', '\u001b[1;36m', '\u001b[m', '\u001b[38;5;12m');
const hardTexts = fc.oneof(
  fc.string({unit: anyCharacter, maxLength: 20}),
  fc.constantFrom('e\u0301', '👩‍👩‍👧', '🇩🇪', '\r\n', '한', '❤\ufe0f', '1\ufe0f\u20e3', '\ud800'),
);
const segmentsOf = (segmenter: {segment(text: string): Iterable<Intl.SegmentData>}, text: string): Intl.SegmentData[] =>
  [...segmenter.segment(text)].map(({segment, index, input}) => ({segment, index, input}));

test('what is taken for plain is as wide as Ink and our own layout take it', () => {
  expect(plainUnits.length).toBeGreaterThan(1000);
  expect(plainUnits.join('')).toContain('▸');
  for (const unit of plainUnits) {
    expect([unit, plainColumns(unit), stringWidth(unit), cellWidth(unit)]).toEqual([unit, 1, 1, 1]);
  }
});

test('plain texts with colours have the columns that string-width counts', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(textOf(plainUnits), sgr)), pieces => {
      const text = pieces.join('');
      expect(plainColumns(text)).toBe(stringWidth(text));
    }),
    {seed},
  );
});

test('texts that are not plain are left to string-width', () => {
  for (const text of ['e\u0301', '漢', '🙂', 'soft\u00adhyphen', '\u0007', '\u001b]8;;x\u0007', 'a\u200db']) {
    expect([text, plainColumns(text)]).toEqual([text, undefined]);
  }
});

test('segments are those of Intl.Segmenter, for plain and for other texts', () => {
  const real = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
  const ours = new Segmenter(undefined, {granularity: 'grapheme'});
  fc.assert(
    fc.property(fc.array(fc.oneof(textOf(separateUnits), hardTexts), {maxLength: 4}), fc.nat(60), (pieces, index) => {
      const text = pieces.join('');
      expect(segmentsOf(ours, text)).toEqual(segmentsOf(real, text));
      expect(ours.segment(text).containing(index)?.segment).toBe(real.segment(text).containing(index)?.segment);
    }),
    {seed},
  );
});

test('words are not taken for clusters', () => {
  const words = new Segmenter('en', {granularity: 'word'});
  expect(segmentsOf(words, 'two words').map(({segment}) => segment)).toEqual(['two', ' ', 'words']);
});

test('a plain text needs no Intl.Segmenter, another one makes one, once', () => {
  const made = vi.spyOn(Intl, 'Segmenter');
  try {
    const segmenter = new Segmenter();
    expect(segmentsOf(segmenter, 'plain ▸ text')).toHaveLength(12);
    expect(made).not.toHaveBeenCalled();
    expect(segmentsOf(segmenter, 'e\u0301')).toHaveLength(1);
    expect(segmentsOf(segmenter, '🇩🇪')).toHaveLength(1);
    expect(made).toHaveBeenCalledTimes(1);
  } finally {
    made.mockRestore();
  }
});
