import {Box} from 'ink';
import {useLayoutEffect} from 'react';
import {rowWidth} from '../app/rows/fit-row.ts';
import {indicatorColumns, type PickView, type ScreenView} from '../app/rows/view.ts';
import {lightRow, span, type ViewRow} from '../app/rows/view-row.ts';
import {paintRow} from './paint-row.ts';
import {PickList} from './pick-list.tsx';
import {ScreenRow} from './row.tsx';
import type {Theme} from './theme/theme.ts';

type Block = {
  readonly rowIndex?: number | undefined;
  readonly rows: readonly string[];
  readonly beside?:
    | {readonly rowIndex: number; readonly columnIndex: number; readonly rows: readonly string[]}
    | undefined;
};

/** Replaces row `rowIndex` of Ink's frame by painted rows and adds others beside its rows; undefined removes them. */
export type PutRows = (block: Block | undefined) => void;

export type ScreenFrameProps = {
  readonly view: ScreenView;
  readonly columns: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/** The space between a list and the rows beside it. */
const besideGapColumns = 2;

/** The header and the second row are above the pane. */
const paneRowIndex = 2;

/** All three screens: header, input line or strip, pane, state, hints. */
export const ScreenFrame = ({view, columns, theme, putRows}: ScreenFrameProps) => (
  <Box flexDirection="column" width={columns}>
    <ScreenRow painted={paintRow(view.header, theme)} />
    <ScreenRow painted={paintRow(view.second, theme)} />
    {view.pane.kind === 'rows' ? (
      <RowsPane rows={view.pane.rows} height={view.paneRows} theme={theme} putRows={putRows} />
    ) : (
      <PickPane pane={view.pane} height={view.paneRows} theme={theme} putRows={putRows} />
    )}
    <ScreenRow painted={paintRow(view.state, theme)} />
    <ScreenRow painted={paintRow(view.hints, theme)} />
  </Box>
);

type PickPaneProps = {
  readonly pane: Extract<ScreenView['pane'], {kind: 'pick'}>;
  readonly height: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/** Paints the rows of a list, each after the indicator or blanks. */
const paintPick = ({items, selectedIndex, isLit}: PickView, theme: Theme): readonly string[] =>
  items.map(({row}, index) => {
    if (index !== selectedIndex) {
      return `${' '.repeat(indicatorColumns)}${paintRow(row, theme)}`;
    }
    const whole = [span(' ▸', 'accent'), ...row];
    return paintRow(isLit ? lightRow(whole) : whole, theme);
  });

/**
 * A list, and the rows beside and below it. Ink lays out the highlighted row; in the same commit all rows go to the
 * terminal writer, which puts them in its place, like those of `RowsPane`.
 */
const PickPane = ({pane: {pick, beside, below}, height, theme, putRows}: PickPaneProps) => {
  const list = paintPick(pick, theme);
  const listColumns = indicatorColumns + Math.max(0, ...pick.items.map(({row}) => rowWidth(row)));
  useLayoutEffect(() => {
    const belowRows = below.map(row => paintRow(row, theme));
    putRows({
      rowIndex: paneRowIndex,
      rows: Array.from({length: height}, (_, index) => list[index] ?? belowRows[index - list.length] ?? ''),
      beside: {
        rowIndex: paneRowIndex,
        columnIndex: listColumns + besideGapColumns,
        rows: beside.slice(0, height).map(row => paintRow(row, theme)),
      },
    });
  }, [list, beside, below, listColumns, height, theme, putRows]);
  useLayoutEffect(() => () => putRows(undefined), [putRows]);
  return <PickList itemKey={pick.items[pick.selectedIndex]?.key ?? ''} painted={list[pick.selectedIndex] ?? ''} />;
};

type RowsPaneProps = {
  readonly rows: readonly ViewRow[];
  readonly height: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/**
 * A pane of rows that bypass Ink, which would parse every one of them again in every frame. Ink lays out one blank
 * row, and in the same commit the rows go to the terminal writer, which puts them in its place.
 */
const RowsPane = ({rows, height, theme, putRows}: RowsPaneProps) => {
  useLayoutEffect(() => {
    putRows({
      rowIndex: paneRowIndex,
      rows: Array.from({length: height}, (_, index) => paintRow(rows[index] ?? [], theme)),
    });
  }, [rows, height, theme, putRows]);
  // Removed only with the pane: until then each block replaces the previous one.
  useLayoutEffect(() => () => putRows(undefined), [putRows]);
  return <ScreenRow painted="" />;
};
