import {commandFor} from '#app/keys/keymap.ts';
import type {Event} from '#app/state/event.ts';
import {takesText} from '#app/state/input-focus.ts';
import type {State} from '#app/state/state.ts';
import {closingCommand} from '#app/state/step.ts';
import type {KeyPress} from '../read-keys.ts';

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
  const command = commandFor(name, state.screen);
  // What is open over a list or a log is closed first, as in less; Ctrl+C always quits.
  const isClosing = (command === 'quit' && name !== 'Ctrl+C') || (name === 'Esc' && state.focus.kind === 'help');
  const given = (isClosing ? closingCommand(state) : undefined) ?? command;
  return given === undefined ? undefined : {kind: 'commandGiven', command: given};
};
