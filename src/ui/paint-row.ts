import type {ViewRow} from '../app/view-row.ts';
import type {Theme} from './theme.ts';

/** A row as text with SGR. Ink is handed one string a row: nested elements would cost it twice the time. */
export const paintRow = (row: ViewRow, theme: Theme): string =>
  row
    .map(({text, tone}) => (theme[tone] === '' || text === '' ? text : `\u001b[${theme[tone]}m${text}\u001b[0m`))
    .join('');
