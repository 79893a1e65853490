import fc from 'fast-check';
import type {ColourDepth} from '#terminal/screen/capabilities.ts';
import type {Piece, Seen} from './frame-model.ts';

/** Looks as frames ask for them, and what must be seen of them at each depth. */
const styles: Readonly<Record<string, Readonly<Record<string, Seen>>>> = {
  '': {true: {}},
  '31': {true: {foreground: 1}, 0: {}},
  '1;33': {true: {bold: true, foreground: 3}, 0: {bold: true}},
  '7': {true: {inverse: true}},
  '2': {true: {dim: true}},
  '4': {true: {underline: true}},
  '4:3': {true: {underline: true}},
  '96': {true: {foreground: 14}, 0: {}},
  '48;5;22': {true: {background: 22}, 16: {background: 0}, 0: {}},
  '38;2;250;10;20': {true: {foreground: '#fa0a14'}, 256: {foreground: 196}, 16: {foreground: 9}, 0: {}},
  '38:2::0:135:250;2': {
    true: {foreground: '#0087fa', dim: true},
    256: {foreground: 33, dim: true},
    16: {foreground: 6, dim: true},
    0: {dim: true},
  },
};

/** The nearest depth above that says something holds for those below it too. */
export const seenAt =
  (depth: ColourDepth) =>
  (sgr: string): Seen => {
    const found = styles[sgr] ?? {};
    const order =
      depth === 0
        ? ['0', '16', '256', 'true']
        : depth === 16
          ? ['16', '256', 'true']
          : depth === 256
            ? ['256', 'true']
            : ['true'];
    return order.map(name => found[name]).find(seen => seen !== undefined) ?? {};
  };

/** Texts by their characters: ASCII, marks, wide ones, and those that terminals give different widths. */
const words: readonly (readonly string[])[] = [
  [],
  [' '],
  ['a'],
  [...'GET /'],
  [...'200'],
  [...'error'],
  [...'2025-01-01T00:00:00Z '],
  ['│'],
  [...'▁▂▃'],
  ['é', 'e\u0301'],
  ['日', '本'],
  ['한', 'x'],
  [...'     '],
  ['😀'],
  ['☔', '😀'],
  ['का', 'x'],
  ['\u{17000}'],
  ['ｶﾞ'],
  ['䷀', 'ｱ'],
];

const piece: fc.Arbitrary<Piece> = fc.record({
  clusters: fc.constantFrom(...words),
  sgr: fc.oneof(fc.constant(''), fc.constantFrom(...Object.keys(styles))),
});

/** A row of a frame. */
export const anyRow = fc.array(piece, {maxLength: 6});
