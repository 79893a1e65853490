import {setImmediate as nextTurn} from 'node:timers/promises';
import {Text, useInput, usePaste} from 'ink';
import {useEffect, useSyncExternalStore} from 'react';
import {takesText} from '#app/keys/input-focus.ts';
import {layOutPages} from '#app/log/select-lines.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import type {Store} from '#app/store.ts';
import {pressKey, readKeys, readPaste} from './read-keys.ts';
import {type PutRows, ScreenFrame} from './screen-frame.tsx';
import type {Theme} from './theme.ts';

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
