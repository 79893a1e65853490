import {Box} from 'ink';
import {useLayoutEffect} from 'react';
import type {ScreenView} from '../app/rows/view.ts';
import {paintRow} from './paint-row.ts';
import {type PaneBlock, paintPane} from './paint-screen.ts';
import {PickList} from './pick-list.tsx';
import {ScreenRow} from './row.tsx';
import type {Theme} from './theme/theme.ts';

/** Passes rows to the terminal without Ink; undefined removes them. */
export type PutRows = (block: PaneBlock | undefined) => void;

export type ScreenFrameProps = {
  readonly view: ScreenView;
  readonly columns: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/** All three screens: header, input line or strip, pane, state, hints. `paintScreen` paints the same without Ink. */
export const ScreenFrame = ({view, columns, theme, putRows}: ScreenFrameProps) => (
  <Box flexDirection="column" width={columns}>
    <ScreenRow painted={paintRow(view.header, theme)} />
    <ScreenRow painted={paintRow(view.second, theme)} />
    <Pane pane={view.pane} height={view.paneRows} theme={theme} putRows={putRows} />
    <ScreenRow painted={paintRow(view.state, theme)} />
    <ScreenRow painted={paintRow(view.hints, theme)} />
  </Box>
);

type PaneProps = {
  readonly pane: ScreenView['pane'];
  readonly height: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/**
 * A list or rows, which bypass Ink: it would parse every one of them again in every frame. Ink lays out one row, the
 * highlighted one of a list or a blank, and in the same commit the rows go to the terminal writer, which puts them in
 * its place.
 */
const Pane = ({pane, height, theme, putRows}: PaneProps) => {
  const block = paintPane(pane, height, theme);
  useLayoutEffect(() => putRows(block), [block, putRows]);
  // Removed only with the pane: until then each block replaces the previous one.
  useLayoutEffect(() => () => putRows(undefined), [putRows]);
  if (pane.kind === 'rows') {
    return <ScreenRow painted="" />;
  }
  const {items, selectedIndex} = pane.pick;
  return <PickList itemKey={items[selectedIndex]?.key ?? ''} painted={block.rows[selectedIndex] ?? ''} />;
};
