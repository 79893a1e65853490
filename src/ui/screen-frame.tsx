import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {useLayoutEffect} from 'react';
import type {ScreenView} from '../app/rows/view.ts';
import {paintRow} from './paint-row.ts';
import {type PaneBlock, paintPane} from './paint-screen.ts';
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

type PickListProps = {readonly itemKey: string; readonly painted: string};

/**
 * The highlighted row of a list, drawn by ink-select-input. It gets this row alone: the others bypass Ink, which would
 * lay out each of them for every key. And it never gets the keys: it would handle digits, wrap round at the ends and
 * jump when its values change. Its React key names what it shows, so that it is recreated from our state whenever that
 * changes.
 */
const PickList = ({itemKey, painted}: PickListProps) => (
  <SelectInput
    key={itemKey}
    items={[{key: itemKey, value: itemKey, label: painted}]}
    isFocused={false}
    indicatorComponent={NoIndicator}
    itemComponent={PickItem}
  />
);

/** The painted row has it. */
const NoIndicator = () => null;

const PickItem = ({label}: {readonly label: string}) => <ScreenRow painted={label} />;
