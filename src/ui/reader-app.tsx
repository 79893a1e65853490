import {Static, Text, useInput, usePaste} from 'ink';
import {useLayoutEffect, useSyncExternalStore} from 'react';
import {takesText} from '#app/keys/input-focus.ts';
import type {Announcer} from '#app/reader/announcer.ts';
import type {Reader} from '#app/reader/reader.ts';
import type {Store} from '#app/store.ts';
import {pressKey, readKeys, readPaste} from './read-keys.ts';

export type ReaderAppProps = {readonly store: Store; readonly reader: Reader; readonly announcer: Announcer};

/**
 * The terminal UI for screen readers: every sentence is its own row, written once and never again. Ink's `Static`
 * remembers how many of its items it has written; each batch gets its own `Static`, so that nothing grows with the
 * number of sentences.
 */
export const ReaderApp = ({store, reader, announcer}: ReaderAppProps) => {
  const batch = useSyncExternalStore(announcer.subscribe, announcer.batch);
  useLayoutEffect(() => announcer.written(batch), [announcer, batch]);
  useInput((input, key) => {
    for (const press of readKeys(input, key)) {
      const event = pressKey(store.state(), press);
      if (event === undefined) {
        reader.refuse(press.name);
      } else {
        reader.act(event);
      }
    }
  });
  usePaste(pasted => {
    if (takesText(store.state())) {
      reader.act({kind: 'textTyped', text: readPaste(pasted)});
    }
  });
  return (
    <Static key={batch.number} items={[...batch.sentences]}>
      {(sentence, index) => <Text key={index}>{sentence}</Text>}
    </Static>
  );
};
