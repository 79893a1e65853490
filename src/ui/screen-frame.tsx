import {Box, Transform} from 'ink';
import SelectInput from 'ink-select-input';
import {createContext, memo, useContext, useLayoutEffect} from 'react';
import type {ScreenView} from '#app/rows/view-row.ts';
import {blockOf, type PaintedList, paintRows, placeholder, type ScreenBlock} from './paint-screen.ts';
import type {Theme} from './theme.ts';

type ScreenRowProps = {readonly painted: string; readonly space?: string};

/**
 * A row of the screen or its beginning, already painted and cut. Ink lays out blanks and inserts the row when it draws,
 * which saves it measuring and cutting: a third of a frame's cost. Its cut would also differ from ours where terminals
 * disagree about a character's width.
 */
export const ScreenRow = memo(({painted, space = ' '}: ScreenRowProps) => (
  <Transform transform={() => painted}>{space}</Transform>
));

/** Passes rows to the terminal without Ink; undefined removes them. */
export type PutRows = (block: ScreenBlock | undefined) => void;

type ScreenFrameProps = {
  readonly view: ScreenView;
  readonly columns: number;
  readonly theme: Theme;
  readonly putRows: PutRows;
};

/**
 * All three screens: header, input line or strip, pane, state, hints. `paintScreen` paints the same without Ink. A
 * screen with a list is drawn by Ink. The rows of a log bypass it, because it would parse each of them, a character at
 * a time, in every frame: then it lays out a placeholder, and in the same commit the rows go to the terminal writer,
 * which puts them in its place.
 */
export const ScreenFrame = ({view, columns, theme, putRows}: ScreenFrameProps) => {
  const painted = paintRows(view, theme);
  const block = blockOf(painted);
  useLayoutEffect(() => putRows(block), [block, putRows]);
  // Removed only with the frame: until then each block replaces the previous one.
  useLayoutEffect(() => () => putRows(undefined), [putRows]);
  return (
    <Box flexDirection="column" width={columns}>
      {painted.list === undefined ? (
        <ScreenRow painted={placeholder} />
      ) : (
        <ListScreen rows={painted.rows} {...painted.list} />
      )}
    </Box>
  );
};

type ListScreenProps = PaintedList & {readonly rows: readonly string[]};

/**
 * A screen with a list. ink-select-input never gets the keys: it would handle digits, wrap round at the ends and jump
 * when its values change. So its values are places, and its React key names what it cannot be told otherwise: it is
 * recreated from our state whenever the cursor moves.
 */
const ListScreen = ({rows, from, to, selected, cursor}: ListScreenProps) => {
  const rowAt = (row: string, index: number) => <ScreenRow key={index} painted={row} />;
  return (
    <Cursor value={cursor}>
      {rows.slice(0, from).map(rowAt)}
      <SelectInput
        key={`${selected - from} of ${to - from}`}
        items={rows.slice(from, to).map((row, index) => ({
          value: index,
          label: from + index === selected ? row.slice(cursor.painted.length) : row,
        }))}
        initialIndex={selected - from}
        isFocused={false}
        indicatorComponent={Indicator}
        itemComponent={Item}
      />
      {rows.slice(to).map(rowAt)}
    </Cursor>
  );
};

const Cursor = createContext<ScreenRowProps>({painted: ''});

/** The other rows have blanks in its place, or are no choices. */
const Indicator = ({isSelected}: {readonly isSelected?: boolean}) => {
  const cursor = useContext(Cursor);
  return isSelected ? <ScreenRow {...cursor} /> : null;
};

const Item = ({label}: {readonly label: string}) => <ScreenRow painted={label} />;
