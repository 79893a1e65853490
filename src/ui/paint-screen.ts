import {rowWidth} from '#app/rows/fit-row.ts';
import {
  indicatorColumns,
  lightRow,
  type PickView,
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

/** Paints a text in a tone. */
export const paintTone = (text: string, tone: Tone, theme: Theme, isLit = false): string => {
  const own = theme(tone);
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
 * Renders a row as text with SGR, and OSC 8 for links. Ink gets one string per row: nested elements would take it
 * twice the time.
 */
export const paintRow = (row: ViewRow, theme: Theme): string => row.map(part => paintSpan(part, theme)).join('');

/** Painted rows that bypass Ink: they replace row `rowIndex` of its frame, or go beside such rows. */
export type ScreenBlock = {
  readonly rowIndex: number;
  readonly rows: readonly string[];
  readonly beside?:
    | {readonly rowIndex: number; readonly columnIndex: number; readonly rows: readonly string[]}
    | undefined;
};

/** The space between a list and the rows beside it. */
const besideGapColumns = 2;

/** The row of Ink's frame whose place the rows of the screen take. A frame without text would not be written. */
export const placeholder = 'branchlog';

/** The header and the second row are above the pane. */
export const paneRowIndex = 2;

/** Paints the rows of a list, each after the indicator or blanks. */
const paintPick = ({items, selectedIndex, isLit}: PickView, theme: Theme): readonly string[] =>
  items.map(({row}, index) => {
    if (index !== selectedIndex) {
      return `${' '.repeat(indicatorColumns)}${paintRow(row, theme)}`;
    }
    const whole = [span(' ▸', 'accent'), ...row];
    return paintRow(isLit ? lightRow(whole) : whole, theme);
  });

/** Paints a pane: rows alone, or a list with rows beside and below it. */
const paintPane = (
  pane: ScreenView['pane'],
  height: number,
  theme: Theme,
): {readonly rows: readonly string[]; readonly beside?: ScreenBlock['beside']} => {
  const list = pane.kind === 'pick' ? paintPick(pane.pick, theme) : [];
  const rest = pane.kind === 'pick' ? pane.below : pane.rows;
  const rows = Array.from(
    {length: height},
    (_, index) => list[index] ?? paintRow(rest[index - list.length] ?? [], theme),
  );
  if (pane.kind === 'rows') {
    return {rows};
  }
  const listColumns = indicatorColumns + Math.max(0, ...pane.pick.items.map(({row}) => rowWidth(row)));
  const beside = pane.beside.slice(0, height).map(row => paintRow(row, theme));
  return {rows, beside: {rowIndex: paneRowIndex, columnIndex: listColumns + besideGapColumns, rows: beside}};
};

/** Paints all rows of a screen, which take the place of the only row of Ink's frame. */
export const paintRows = (view: ScreenView, theme: Theme): ScreenBlock => {
  const paint = (row: ViewRow): string => paintRow(row, theme).trimEnd();
  const {rows, beside} = paintPane(view.pane, view.paneRows, theme);
  return {
    rowIndex: 0,
    rows: [paint(view.header), paint(view.second), ...rows, paint(view.state), paint(view.hints)],
    ...(beside && {beside}),
  };
};

/**
 * Paints a whole screen as `App` draws it, without Ink, which takes as long to load as everything before it: a frame,
 * its rows joined by line feeds, and the block that belongs to it.
 */
export const paintScreen = (
  view: ReturnType<typeof selectView>,
  theme: Theme,
): {readonly frame: string; readonly block: ScreenBlock | undefined} =>
  'tooSmall' in view ? {frame: view.tooSmall, block: undefined} : {frame: placeholder, block: paintRows(view, theme)};
