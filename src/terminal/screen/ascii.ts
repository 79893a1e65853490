import {cellWidth} from '#log/text/width.ts';

/**
 * What the screens draw with, each before what stands for it in ASCII. In the strip, the heights of columns and the
 * marks on them stay apart.
 */
const glyphs =
  '▁_ ▂- ▃: ▄= ▅+ ▆% ▇& █# ╳X ▓X ▲^ ◆* ▞* │| ▌| ┃| ▸> ✗x ●o ○- ◐% ⋮: ·. …~ ─- –- —- −- ×x ↑^ ↓v ←< →> ›> ‹< “" ”" ‘\' ’\' µu ≈~ ±~ ≥>';

/** With the space behind it, there is room for what cannot be mistaken: a bare `>` reads as greater than. */
const spaced: readonly (readonly [string, string])[] = [
  ['→ ', '->'],
  ['≥ ', '>='],
  ['± ', '+-'],
];

const asciiOf: ReadonlyMap<string, string> = new Map([
  ...spaced,
  ...glyphs.split(' ').map(([glyph = '', ascii = '']) => [glyph, ascii] as const),
]);

/**
 * Returns a text for a terminal that shows only ASCII, in as many cells: our own glyphs have their likes, and a cell of
 * any other character has a question mark.
 */
export const toAscii = (text: string): string =>
  text.replaceAll(/[→≥±] |\P{ASCII}/gu, character => asciiOf.get(character) ?? '?'.repeat(cellWidth(character)));
