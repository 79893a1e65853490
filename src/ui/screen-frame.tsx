import {Box, Text, Transform} from 'ink';
import SelectInput from 'ink-select-input';
import {memo, useLayoutEffect} from 'react';
import type {ScreenView} from '#app/rows/view-row.ts';
import {paintRows, paneRowIndex, placeholder, type ScreenBlock} from './paint-screen.ts';
import type {Theme} from './theme.ts';

type ScreenRowProps = {readonly painted: string};

/**
 * A row of the screen, already painted and cut. Ink lays out a blank and inserts the row when it draws, which saves it
 * measuring and cutting: a third of a frame's cost. Its cut would also differ from ours where terminals disagree about
 * a character's width.
 */
export const ScreenRow = memo(({painted}: ScreenRowProps) => {
  const shown = painted.trimEnd();
  return (
    <Transform transform={() => shown}>
      <Text> </Text>
    </Transform>
  );
});

/** Passes rows to the terminal without Ink; undefined removes them. */
export type PutRows = (block: ScreenBlock | undefined) => void;

type ScreenFrameProps = {
  readonly view: ScreenView;
  readonly columns: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/**
 * All three screens: header, input line or strip, pane, state, hints. `paintScreen` paints the same without Ink. Their
 * rows bypass Ink, which would parse each of them, a character at a time, in every frame: half of what a key allocated.
 * Ink lays out one row, the highlighted one of a list or a placeholder, and in the same commit the rows go to the
 * terminal writer, which puts them in its place.
 */
export const ScreenFrame = ({view, columns, theme, putRows}: ScreenFrameProps) => {
  const block = paintRows(view, theme);
  useLayoutEffect(() => putRows(block), [block, putRows]);
  // Removed only with the frame: until then each block replaces the previous one.
  useLayoutEffect(() => () => putRows(undefined), [putRows]);
  const pick = view.pane.kind === 'pick' ? view.pane.pick : undefined;
  return (
    <Box flexDirection="column" width={columns}>
      {pick === undefined ? (
        <ScreenRow painted={placeholder} />
      ) : (
        <PickList
          itemKey={pick.items[pick.selectedIndex]?.key ?? ''}
          painted={block.rows[paneRowIndex + pick.selectedIndex] ?? ''}
        />
      )}
    </Box>
  );
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
