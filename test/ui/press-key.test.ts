import type {Key} from 'ink';
import {expect, test} from 'vitest';
import {bindingsOn, commandFor, keymap} from '#app/keys/keymap.ts';
import type {State} from '#app/state/state.ts';
import {pressKey, readKeys, readPaste} from '#ui/read-keys.ts';
import {give, linesOf, openLogWith, sampleState} from '../support/play.ts';

const noKey = {} as Key;
const press = (change: Partial<Key>): Key => ({...noKey, ...change});

test('keys have the names of the key table', () => {
  expect(readKeys('', press({upArrow: true}))).toEqual([{name: '↑', text: undefined}]);
  expect(readKeys('', press({pageDown: true}))).toEqual([{name: 'PgDn', text: undefined}]);
  expect(readKeys('c', press({ctrl: true}))).toEqual([{name: 'Ctrl+C', text: undefined}]);
  expect(readKeys(' ', noKey)).toEqual([{name: 'Space', text: ' '}]);
  expect(readKeys('G', press({shift: true}))).toEqual([{name: 'G', text: 'G'}]);
});

test('a piece of input is taken apart, controls among letters included', () => {
  expect(readKeys('/é\r\u007f\u001a', noKey).map(({name}) => name)).toEqual(['/', 'é', 'Enter', 'Backspace', 'Ctrl+Z']);
});

test('keys that are released mean nothing', () => {
  expect(readKeys('q', press({eventType: 'release'}))).toEqual([]);
});

test('Esc and a key that arrive together are two keys, Alt with an arrow is the arrow', () => {
  const names = (input: string, key: Partial<Key>) => readKeys(input, press(key)).map(({name}) => name);
  expect(names('q', {meta: true})).toEqual(['Esc', 'q']);
  expect(names('', {meta: true, escape: true})).toEqual(['Esc', 'Esc']);
  expect(names('', {meta: true, return: true})).toEqual(['Esc', 'Enter']);
  expect(names('', {meta: true, upArrow: true})).toEqual(['↑']);
});

test('pasted text is one row, however many it had', () => {
  expect(readPaste('shop\r\nshipping\t\u001b[31m\n')).toBe('shop shipping [31m');
});

test('no key means two things on one screen', () => {
  for (const screen of ['sites', 'branches', 'log'] as const) {
    const keys = bindingsOn(screen).flatMap(binding => binding.keys);
    expect(keys).toEqual([...new Set(keys)]);
    for (const key of keys) {
      expect(commandFor(key, screen)).toBe(bindingsOn(screen).find(binding => binding.keys.includes(key))?.command);
    }
  }
});

test('every key of the table says what it does, and quit, help and back are on every screen', () => {
  expect(keymap.filter(({help}) => help.length < 4)).toEqual([]);
  for (const screen of ['sites', 'branches', 'log'] as const) {
    const commands = bindingsOn(screen).map(({command}) => command);
    expect(commands).toEqual(expect.arrayContaining(['quit', 'toggleHelp', 'back', 'repaint', 'suspend']));
  }
});

test('with a filter open arrows move and Ctrl+C quits, letters are text', () => {
  const state = sampleState({focus: {kind: 'filter'}});
  expect(pressKey(state, {name: '↓', text: undefined})).toEqual({kind: 'inputKey', key: 'Down'});
  expect(pressKey(state, {name: 'Ctrl+C', text: undefined})).toEqual({kind: 'commandGiven', command: 'quit'});
  expect(pressKey(state, {name: 'q', text: 'q'})).toEqual({kind: 'textTyped', text: 'q'});
  expect(pressKey(state, {name: 'Space', text: ' '})).toEqual({kind: 'textTyped', text: ' '});
});

test('Esc closes help before it goes back', () => {
  expect(pressKey(sampleState({focus: {kind: 'help', top: 0}, screen: 'log'}), {name: 'Esc', text: undefined})).toEqual(
    {
      kind: 'commandGiven',
      command: 'toggleHelp',
    },
  );
});

test('q closes what is open over a list or a log, and quits only from there; Ctrl+C always quits', () => {
  const press = (state: State, name: string): unknown => pressKey(state, {name, text: name});
  const play = openLogWith(linesOf(1, 50, [30]));
  expect(press(play.state, 'q')).toMatchObject({command: 'quit'});
  give(play, 'goFirst', 'nextError');
  for (const command of ['toggleIncident', 'toggleSummary', 'toggleInspector', 'togglePods', 'openLine'] as const) {
    give(play, command);
    expect([command, press(play.state, 'q')]).toEqual([command, {kind: 'commandGiven', command: 'back'}]);
    expect(press(play.state, 'Ctrl+C')).toMatchObject({command: 'quit'});
    give(play, 'back');
  }
  give(play, 'toggleHelp');
  expect(press(play.state, 'q')).toMatchObject({command: 'toggleHelp'});
  give(play, 'toggleHelp', 'back');
  expect(press(play.state, 'q')).toMatchObject({command: 'quit'});
  give(play, 'enterDetails');
  expect(press(play.state, 'q')).toMatchObject({command: 'back'});
});
