import {commandFor} from '../../app/keys/keymap.ts';
import type {Event} from '../../app/state/event.ts';
import {takesText} from '../../app/state/input-focus.ts';
import type {State} from '../../app/state/state.ts';
import type {KeyPress} from './read-keys.ts';

type InputKey = Extract<Event, {kind: 'inputKey'}>['key'];

/** These keys go to an open input line; all other non-text keys keep their meaning. */
const inputKeys: Readonly<Record<string, InputKey>> = {
  Enter: 'Enter',
  Esc: 'Esc',
  Backspace: 'Backspace',
  Delete: 'Backspace',
  'Ctrl+U': 'ClearLine',
  'Ctrl+W': 'DeleteWord',
  '↑': 'Up',
  '↓': 'Down',
};

/** Returns the event for a key in a state; undefined if the key does nothing. */
export const pressKey = (state: State, {name, text}: KeyPress): Event | undefined => {
  if (takesText(state)) {
    const key = inputKeys[name];
    if (key !== undefined) {
      return {kind: 'inputKey', key};
    }
    if (text !== undefined) {
      return {kind: 'textTyped', text};
    }
  }
  if (state.focus.kind === 'help' && name === 'Esc') {
    return {kind: 'commandGiven', command: 'toggleHelp'};
  }
  const command = commandFor(name, state.screen);
  return command === undefined ? undefined : {kind: 'commandGiven', command};
};
