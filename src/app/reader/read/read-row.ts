import type {ViewRow} from '#app/rows/view-row.ts';

/** Separates the parts of a row. */
const partGap = /\s{2,}| › /;
/** Glyphs that are only for the eye. */
const forTheEye = /[●○◐✗▸█▁-▇─│]+|^! /g;

/** Returns a row as words: its parts in order, without decoration. */
export const readRow = (row: ViewRow, separator = ', '): string =>
  row
    .map(({text}) => text)
    .join('')
    .trim()
    .replaceAll(forTheEye, '')
    .trim()
    .split(partGap)
    .filter(part => part !== '')
    .join(separator);
