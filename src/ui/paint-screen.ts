import {rowWidth} from '#app/rows/fit-row.ts';
import {
  indicatorColumns,
  type ListRows,
  lightRow,
  type PickView,
  type RowsPane,
  type ScreenView,
  type Span,
  span,
  type Tone,
  type ViewRow,
} from '#app/rows/view-row.ts';
import type {selectView} from '#app/select-view.ts';
import type {Theme} from './theme.ts';

/** Wraps a text in SGR parameters; without any, returns it unchanged. */
export const paint = (text: string, parameters: string): string =>
  parameters === '' || text === '' ? text : `\u001b[${parameters}m${text}\u001b[0m`;

/** Addresses that may be linked: no blanks or control characters, nothing that ends the sequence early. */
const linkable = /^https:\/\/[!-~]{1,1992}$/;

/** Checks whether SGR parameters set a background. */
export const hasBackground = (parameters: string): boolean => /(?:^|;)(?:4[0-8]|10[0-7])/.test(parameters);

/** A word keeps its background to itself: the blanks that pad it have the ground of the row. */
export const paintWord = (text: string, parameters: string, ground = ''): string => {
  const word = text.trim();
  const start = text.indexOf(word);
  const [before, after] = [text.slice(0, start), text.slice(start + word.length)];
  return `${paint(before, ground)}${paint(word, parameters)}${paint(after, ground)}`;
};

/** Tones of words, in contrast to those that mark a place or a row, blanks included. */
const isWordTone = (tone: Tone): boolean => tone === 'bad' || tone.startsWith('branch');

const reversed = '7';

/** Returns the SGR parameters of a tone in a highlighted row. */
const litLook = (own: string, ground: string): string => {
  if (ground !== reversed) {
    return own === '' ? ground : `${ground};${own}`;
  }
  // Reversed, a colour would become the ground of text that may not be readable on it; bold and underlining stay.
  const marks = own.split(';').filter(parameter => parameter === '1' || parameter === '4');
  return hasBackground(own) ? own : [reversed, ...marks].join(';');
};

const isQuiet = (tone: Tone): boolean => tone === 'dim' || tone === 'faint';

/** Paints a text in a tone. On the ground of a highlighted row nothing is quiet: grey could not be read there. */
export const paintTone = (text: string, tone: Tone, theme: Theme, isLit = false): string => {
  const own = theme(isLit && isQuiet(tone) ? 'plain' : tone);
  const ground = isLit ? theme('lit') : '';
  const parameters = isLit ? litLook(own, ground) : own;
  return isWordTone(tone) && hasBackground(own) ? paintWord(text, parameters, ground) : paint(text, parameters);
};

const paintSpan = ({text, tone, link, isLit}: Span, theme: Theme): string => {
  if (text === '') {
    return '';
  }
  const painted = paintTone(text, tone, theme, isLit);
  return link !== undefined && linkable.test(link) ? `\u001b]8;;${link}\u001b\\${painted}\u001b]8;;\u001b\\` : painted;
};

/**
 * Renders a row as text with SGR, and OSC 8 for links. Ink gets one string per row: with an element for each tone a
 * list would take it a third to two thirds more.
 */
export const paintRow = (row: ViewRow, theme: Theme): string => row.map(part => paintSpan(part, theme)).join('');

/** The space between a list and the rows beside it. */
const besideGapColumns = 2;

/** Ink's frame while the rows of the screen bypass it. A frame without text would not be written. */
export const placeholder = 'branchlog';

/** The header and the second row are above the pane. */
const paneRowIndex = 2;

/** All rows of a screen, painted. Those of a screen with a list are for Ink; without one they bypass it. */
export type PaintedScreen = {
  readonly rows: readonly string[];
  readonly list: PaintedList | undefined;
};

/** `cursor`: what the row `selected` begins with, and as many blanks. */
export type PaintedList = ListRows & {readonly cursor: {readonly painted: string; readonly space: string}};

/** Returns the rows of a list, each after the cursor or blanks. */
const listRows = ({items, selectedIndex, isLit}: PickView): readonly ViewRow[] =>
  items.map(({row}, index) => {
    const isSelected = index === selectedIndex;
    const whole = [isSelected ? span(' ▸', 'accent') : span(' '.repeat(indicatorColumns)), ...row];
    return isSelected && isLit ? lightRow(whole) : whole;
  });

/**
 * Returns a pane as rows. What is beside a list continues its rows: in a column of its own its place would depend on
 * how many cells Ink counts for the names before it, which for some scripts are fewer than a terminal shows.
 */
const rowsOfPane = (pane: ScreenView['pane']): Omit<RowsPane, 'kind'> => {
  if (pane.kind === 'rows') {
    return pane;
  }
  const {pick, below, beside} = pane;
  const rows = [...listRows(pick), ...below];
  const listColumns = Math.max(indicatorColumns, ...rows.map(rowWidth));
  return {
    rows: Array.from({length: Math.max(rows.length, beside.length)}, (_, index) => {
      const [row = [], more] = [rows[index], beside[index]];
      return more === undefined
        ? row
        : [...row, span(' '.repeat(listColumns - rowWidth(row) + besideGapColumns)), ...more];
    }),
    list: {from: 0, to: pick.items.length, selected: pick.selectedIndex},
  };
};

export const paintRows = ({header, second, pane, paneRows, state, hints}: ScreenView, theme: Theme): PaintedScreen => {
  const {rows, list} = rowsOfPane(pane);
  const cursor = list && rows[list.selected]?.[0];
  const middle = Array.from({length: paneRows}, (_, index) => rows[index] ?? []);
  return {
    rows: [header, second, ...middle, state, hints].map(row => paintRow(row, theme).trimEnd()),
    list: cursor && {
      from: paneRowIndex + list.from,
      to: paneRowIndex + list.to,
      selected: paneRowIndex + list.selected,
      cursor: {painted: paintRow([cursor], theme), space: ' '.repeat(cursor.text.length)},
    },
  };
};

/** Painted rows that take the place of row `rowIndex` of Ink's frame. */
export type ScreenBlock = {readonly rowIndex: number; readonly rows: readonly string[]};

/** Returns the rows that bypass Ink; undefined if it draws them. */
export const blockOf = ({rows, list}: PaintedScreen): ScreenBlock | undefined =>
  list === undefined ? {rowIndex: 0, rows} : undefined;

/**
 * Paints a whole screen as `App` draws it, without Ink, which takes as long to load as everything before it: a frame,
 * its rows joined by line feeds, and the block that belongs to it.
 */
export const paintScreen = (
  view: ReturnType<typeof selectView>,
  theme: Theme,
): {readonly frame: string; readonly block: ScreenBlock | undefined} => {
  if ('tooSmall' in view) {
    return {frame: view.tooSmall, block: undefined};
  }
  const painted = paintRows(view, theme);
  const block = blockOf(painted);
  return {frame: block === undefined ? painted.rows.join('\n') : placeholder, block};
};
