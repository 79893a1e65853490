import {setImmediate as nextTurn} from 'node:timers/promises';
import {Box, Text, Transform, useInput, usePaste} from 'ink';
import SelectInput from 'ink-select-input';
import {createContext, memo, useContext, useEffect, useLayoutEffect, useSyncExternalStore} from 'react';
import {takesText} from '#app/keys/input-focus.ts';
import {layOutPages} from '#app/log/select-lines.ts';
import type {ScreenView} from '#app/rows/view-row.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import type {Store} from '#app/store.ts';
import {blockOf, type PaintedList, paintRows, placeholder, type ScreenBlock} from './paint-screen.ts';
import {pressKey, readKeys, readPaste} from './read-keys.ts';
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
type PutRows = (block: ScreenBlock | undefined) => void;

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
const ScreenFrame = ({view, columns, theme, putRows}: ScreenFrameProps) => {
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

/** A key that comes meanwhile waits no longer than this, milliseconds, and for one line. */
const turnMsMax = 1;

/**
 * Lays out the pages around the screen, which is most of what a page key costs, before a key asks for them. Nothing
 * while the newest line is followed: what comes next is not there yet. Lets the frame be written first. Ends when
 * `isLeft` says that the screen is another.
 */
export const preparePages = async (state: State, isLeft: () => boolean): Promise<void> => {
  await nextTurn();
  const {screen, log} = state;
  if (screen !== 'log' || log?.viewport.kind !== 'paused') {
    return;
  }
  const work = layOutPages(state, log);
  let endMs = performance.now() + turnMsMax;
  while (!isLeft() && work.next().done === false) {
    if (performance.now() > endMs) {
      await nextTurn();
      endMs = performance.now() + turnMsMax;
    }
  }
};

export type AppProps = {
  readonly store: Store;
  readonly theme: Theme;
  /** Called before a key is handled, so that the resulting frame is painted at once. */
  readonly noteKey: () => void;
  /** Takes the rows of a pane, which bypass Ink. Must be the same function on every render. */
  readonly putRows: PutRows;
};

/** The terminal UI: draws the store's state and passes keys to the store. */
export const App = ({store, theme, noteKey, putRows}: AppProps) => {
  const state = useSyncExternalStore(store.subscribe, store.state);
  useInput((input, key) => {
    noteKey();
    for (const press of readKeys(input, key)) {
      // Each key applies to the state that the previous key produced.
      const event = pressKey(store.state(), press);
      if (event !== undefined) {
        store.dispatch(event);
      } else if (!takesText(store.state())) {
        store.dispatch({kind: 'keyUnused', key: press.name});
      }
    }
  });
  usePaste(pasted => {
    noteKey();
    // Pasted text is only for input lines; elsewhere its letters would run as commands.
    if (takesText(store.state())) {
      store.dispatch({kind: 'textTyped', text: readPaste(pasted)});
    }
  });
  useEffect(() => {
    let isLeft = false;
    preparePages(state, () => isLeft);
    return () => {
      isLeft = true;
    };
  }, [state]);
  const view = selectView(state);
  return 'tooSmall' in view ? (
    <Text wrap="truncate-end">{view.tooSmall}</Text>
  ) : (
    <ScreenFrame view={view} columns={state.columns} theme={theme} putRows={putRows} />
  );
};
