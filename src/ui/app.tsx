import {Text, useInput, usePaste} from 'ink';
import {useEffect, useSyncExternalStore} from 'react';
import {selectView} from '#app/select-view.ts';
import {takesText} from '#app/state/input-focus.ts';
import type {Store} from '#app/store.ts';
import {pressKey} from './keys/press-key.ts';
import {readPaste} from './keys/read-paste.ts';
import {preparePages} from './prepare-pages.ts';
import {readKeys} from './read-keys.ts';
import {type PutRows, ScreenFrame} from './screen-frame.tsx';
import type {Theme} from './theme.ts';

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
      const happening = pressKey(store.state(), press);
      if (happening !== undefined) {
        store.dispatch(happening);
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
