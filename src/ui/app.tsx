import {Text, useInput, usePaste} from 'ink';
import {useSyncExternalStore} from 'react';
import {selectView} from '../app/select-view.ts';
import {takesText} from '../app/state/front.ts';
import type {Store} from '../app/store.ts';
import {pressKey} from './keys/press-key.ts';
import {readKeys} from './keys/read-keys.ts';
import {readPaste} from './keys/read-paste.ts';
import {type PutRows, ScreenFrame} from './screen-frame.tsx';
import type {Theme} from './theme/theme.ts';

export type AppProps = {
  readonly store: Store;
  readonly theme: Theme;
  /** Called before a key is acted on, so that the frame it causes is painted at once. */
  readonly noteKey: () => void;
  /** Takes the rows of a pane, which do not pass Ink. Always the same function. */
  readonly putRows: PutRows;
};

/** The terminal UI: draws the store's state, and hands keys to it. */
export const App = ({store, theme, noteKey, putRows}: AppProps) => {
  const state = useSyncExternalStore(store.subscribe, store.state);
  useInput((input, key) => {
    noteKey();
    for (const press of readKeys(input, key)) {
      // Each key meets the state that the key before it made.
      const happening = pressKey(store.state(), press);
      if (happening !== undefined) {
        store.dispatch(happening);
      }
    }
  });
  usePaste(pasted => {
    noteKey();
    // Text is for an input line; elsewhere its letters would be commands that nobody gave.
    if (takesText(store.state())) {
      store.dispatch({kind: 'textTyped', text: readPaste(pasted)});
    }
  });
  const view = selectView(state);
  return 'tooSmall' in view ? (
    <Text wrap="truncate-end">{view.tooSmall}</Text>
  ) : (
    <ScreenFrame view={view} columns={state.columns} theme={theme} putRows={putRows} />
  );
};
