import type {ViewRow} from '../../rows/view-row.ts';

/** Parts of a row stand this far apart. */
const partGap = /\s{2,}| › /;
/** What is drawn for the eye only. */
const forTheEye = /[●○◐✗▸█▁-▇─│]+|^! /g;

/** A row of the screens as words: its parts behind each other, what is only drawn left out. */
export const readRow = (row: ViewRow, separator = ', '): string =>
  row
    .map(({text}) => text)
    .join('')
    .trim()
    .replaceAll(forTheEye, '')
    .split(partGap)
    .filter(part => part !== '')
    .join(separator);
