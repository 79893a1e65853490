import type {Key} from 'ink';
import {takesText} from '#app/keys/input-focus.ts';
import {commandFor} from '#app/keys/keymap.ts';
import type {Event} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
import {closingCommand} from '#app/state/step.ts';

/** Returns pasted text as one row for an input line: line breaks and all other control characters become blanks. */
export const readPaste = (pasted: string): string => pasted.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();

/** A key by its name in the key table; `text` if an input line would take it as text. */
type KeyPress = {readonly name: string; readonly text: string | undefined};

const named: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', '↑'],
  ['downArrow', '↓'],
  ['leftArrow', '←'],
  ['rightArrow', '→'],
  ['pageUp', 'PgUp'],
  ['pageDown', 'PgDn'],
  ['home', 'Home'],
  ['end', 'End'],
  ['return', 'Enter'],
  ['escape', 'Esc'],
  ['tab', 'Tab'],
  ['backspace', 'Backspace'],
  ['delete', 'Delete'],
];

const controlNames: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\n': 'Enter',
  '\t': 'Tab',
  '\u001b': 'Esc',
  '\b': 'Backspace',
  '\u007f': 'Backspace',
};

/**
 * Returns the keys in the input of Ink's useInput. Keys typed quickly, and pasted text, arrive in one piece, so a
 * piece is split: `/shop⏎` is six keys.
 */
export const readKeys = (input: string, key: Key): readonly KeyPress[] => {
  if (key.eventType === 'release') {
    return [];
  }
  const name = named.find(([field]) => key[field] === true)?.[1];
  if (name !== undefined) {
    const press: KeyPress = {name, text: undefined};
    return key.meta && keysAfterEscape.includes(name) ? [escapePress, press] : [press];
  }
  if (key.ctrl) {
    return [{name: `Ctrl+${input.toUpperCase()}`, text: undefined}];
  }
  const presses = [...input].map(readCharacter);
  return key.meta ? [escapePress, ...presses] : presses;
};

const escapePress: KeyPress = {name: 'Esc', text: undefined};

/**
 * Over a slow line, Esc and the next key may arrive together and then look like that key with Alt. No key of ours has
 * Alt, so they are read as two keys. Alt with an arrow has its own sequence and stays that key. Alt with Backspace,
 * which deletes a word in other programs, must not close an input line.
 */
const keysAfterEscape: readonly string[] = ['Esc', 'Enter', 'Tab'];

const readCharacter = (character: string): KeyPress => {
  const control = controlNames[character];
  if (control !== undefined) {
    return {name: control, text: undefined};
  }
  const code = character.charCodeAt(0);
  if (code < 0x20) {
    return {name: `Ctrl+${String.fromCharCode(code + 0x40)}`, text: undefined};
  }
  return {name: character === ' ' ? 'Space' : character, text: character};
};

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
  // An overlay over a list or a log is closed first, as in less; Ctrl+C always quits.
  const isClosing = (command === 'quit' && name !== 'Ctrl+C') || (name === 'Esc' && state.focus.kind === 'help');
  const given = (isClosing ? closingCommand(state) : undefined) ?? command;
  return given === undefined ? undefined : {kind: 'commandGiven', command: given};
};
