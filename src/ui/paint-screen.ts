import {rowWidth} from '#app/rows/fit-row.ts';
import {indicatorColumns, lightRow, type PickView, type ScreenView, span, type ViewRow} from '#app/rows/view-row.ts';
import type {selectView} from '#app/select-view.ts';
import {paintRow} from './paint-row.ts';
import type {Theme} from './theme.ts';

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
