import {isDisputed} from '#log/text/code-point-class.ts';
import {cellWidth} from '#log/text/width.ts';
import type {Emulator, ScreenCell} from '../support/emulator.ts';

/** What a look is on a screen; what is absent is the terminal's own. */
export type Seen = Partial<Omit<ScreenCell, 'text' | 'columns'>>;

/** A piece of a row: its characters, each with its marks, and the SGR in front of them. */
export type Piece = {readonly clusters: readonly string[]; readonly sgr: string};

export const paintPieces = (pieces: readonly Piece[]): string =>
  pieces
    .map(({clusters, sgr}) => (sgr === '' ? clusters.join('') : `\u001b[${sgr}m${clusters.join('')}\u001b[0m`))
    .join('');

const plainCell: ScreenCell = {
  text: ' ',
  columns: 1,
  foreground: undefined,
  background: undefined,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/** A cell that must be on the screen; with `loose` the terminal may have its own idea of the character's width. */
type WantedCell = ScreenCell & {readonly loose?: string};

/**
 * What a screen must show of a row, worked out without the writer: cell after cell by the layout's widths, cut at the edge. A
 * character that could reach over the edge is replaced.
 */
const wantedRow = (pieces: readonly Piece[], columns: number, seen: (sgr: string) => Seen): readonly WantedCell[] => {
  const cells: WantedCell[] = [];
  row: for (const {clusters, sgr} of pieces) {
    const style = {...plainCell, ...seen(sgr)};
    for (const cluster of clusters) {
      const width = cellWidth(cluster);
      const reach = isDisputed(cluster) ? 2 * [...cluster].length : width;
      if (cells.length + width > columns) {
        break row;
      }
      if (cells.length + reach > columns) {
        cells.push({...style, text: '\ufffd'}, ...Array<WantedCell>(width - 1).fill(style));
      } else if (isDisputed(cluster)) {
        cells.push(...Array.from({length: width}, () => ({...style, loose: cluster})));
      } else {
        cells.push({...style, text: cluster, columns: width});
        cells.push(...Array.from({length: width - 1}, () => ({...style, text: '', columns: 0})));
      }
    }
  }
  return [...cells, ...Array<WantedCell>(columns - cells.length).fill(plainCell)];
};

/** A cell as it is seen: of a blank without background or line, no look of its text. */
const asSeen = <C extends ScreenCell>(cell: C): C =>
  cell.text === ' ' && cell.background === undefined && !cell.underline && !cell.inverse
    ? {...cell, ...plainCell}
    : cell;

/** What differs between a screen and what it must show, in words; empty where nothing does. */
const findDifferences = (shown: readonly ScreenCell[], wanted: readonly WantedCell[]): readonly string[] =>
  wanted.flatMap((want, column) => {
    const cell = shown[column];
    const next = wanted[column + 1];
    if (cell === undefined) {
      return [`column ${column} is not there`];
    }
    if (want.loose !== undefined) {
      // Nothing stale: the character, a part of it, or nothing at all.
      const isOurs = [...cell.text].every(part => part === ' ' || want.loose?.includes(part));
      return isOurs
        ? []
        : [`column ${column}: ${JSON.stringify(cell.text)} where ${JSON.stringify(want.loose)} belongs`];
    }
    const {loose: _, ...exact} = want;
    // A mark that this terminal gives no column hangs on the character before it.
    const text = next?.loose !== undefined && cell.text.startsWith(want.text) ? want.text : cell.text;
    const isEqual = JSON.stringify(asSeen({...cell, text})) === JSON.stringify(asSeen(exact));
    return isEqual ? [] : [`column ${column}: ${JSON.stringify(cell)} and not ${JSON.stringify(exact)}`];
  });

/** The same for a whole screen, row by row. */
export const findScreenDifferences = (
  cells: readonly (readonly ScreenCell[])[],
  rows: readonly (readonly Piece[])[],
  seen: (sgr: string) => Seen,
): readonly string[] =>
  cells.flatMap((shown, index) =>
    findDifferences(shown, wantedRow(rows[index] ?? [], shown.length, seen)).map(words => `row ${index}, ${words}`),
  );

/** How many columns a terminal gives a character whose width is disputed. */
export type WidthPolicy = 'as we do' | 'one' | 'two' | 'none';

const columnsBy: Readonly<Record<WidthPolicy, (character: string) => 0 | 1 | 2>> = {
  'as we do': character => cellWidth(character) as 0 | 1 | 2,
  one: () => 1,
  two: () => 2,
  none: () => 0,
};

/** Makes an emulator count all characters as we do, but for the disputed ones. */
export const setWidths = ({terminal}: Emulator, policy: WidthPolicy): void => {
  const wcwidth = (codePoint: number): 0 | 1 | 2 => {
    const character = String.fromCodePoint(codePoint);
    return isDisputed(character) ? columnsBy[policy](character) : (cellWidth(character) as 0 | 1 | 2);
  };
  terminal.unicode.register({
    version: policy,
    wcwidth,
    // The bits of xterm.js: whether it joins what is before it, then its width.
    charProperties(codePoint, preceding) {
      const width = wcwidth(codePoint);
      const widthBefore = (preceding >> 1) & 3;
      const joins = width === 0 && widthBefore > 0;
      return ((joins ? widthBefore : width) << 1) | (joins ? 1 : 0);
    },
  });
  terminal.unicode.activeVersion = policy;
};
