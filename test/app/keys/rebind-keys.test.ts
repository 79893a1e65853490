import {describe, expect, test} from 'vitest';
import {type KeyBinding, keymap} from '#app/keys/keymap.ts';
import {parseKeyName, rebindKeys} from '#app/keys/rebind-keys.ts';
import {findClosestWord} from '#config/settings/closest-word.ts';

const small: readonly KeyBinding[] = [
  {command: 'moveUp', keys: ['↑', 'k'], help: 'one row up', group: 'move', on: ['sites', 'branches']},
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', group: 'move', on: ['sites', 'branches']},
  {command: 'moveUp', keys: ['↑', 'k'], help: 'one row up; stops following', group: 'move', on: ['log']},
  {command: 'nextGap', keys: [']'], help: 'next gap', group: 'move', on: ['log']},
  {command: 'toggleDeployed', keys: ['a'], help: 'all branches', group: 'move', on: ['branches']},
  {command: 'back', keys: ['Esc', '←'], help: 'back', group: 'move', on: ['branches', 'log']},
  {command: 'quit', keys: ['q', 'Ctrl+C'], help: 'quit', group: 'move', on: ['sites', 'branches', 'log']},
];

const rebind = (wanted: Readonly<Record<string, readonly string[]>>, table = small) =>
  rebindKeys(table, new Map(Object.entries(wanted)), {place: '/c.toml: keys', suggest: findClosestWord});

const keysOf = (command: string, wanted: Readonly<Record<string, readonly string[]>>) => {
  const rebound = rebind(wanted);
  expect(rebound).toMatchObject({kind: 'keymap'});
  return rebound.kind === 'keymap'
    ? rebound.keymap.filter(binding => binding.command === command).map(({keys}) => keys)
    : [];
};

const faults = (wanted: Readonly<Record<string, readonly string[]>>): readonly string[] => {
  const rebound = rebind(wanted);
  return rebound.kind === 'faults' ? rebound.sentences : [];
};

describe('a table with wishes', () => {
  test('has the keys asked for in place of the old ones, wherever the command has a meaning', () => {
    expect(keysOf('moveUp', {'move-up': ['Up', 'p', 'ctrl+p']})).toEqual([
      ['↑', 'p', 'Ctrl+P'],
      ['↑', 'p', 'Ctrl+P'],
    ]);
  });

  test('is as before in all else, its help too', () => {
    const rebound = rebind({'next-gap': ['n']});
    expect(rebound).toEqual({
      kind: 'keymap',
      keymap: small.map(binding => (binding.command === 'nextGap' ? {...binding, keys: ['n']} : binding)),
    });
  });

  test('may swap the keys of two commands, and use a key again on another screen', () => {
    expect(keysOf('nextGap', {'next-gap': ['a'], 'toggle-deployed': [']']})).toEqual([['a']]);
    expect(keysOf('nextGap', {'next-gap': ['a']})).toEqual([['a']]);
  });

  test('may take the keys of a command away', () => {
    expect(keysOf('nextGap', {'next-gap': []})).toEqual([[]]);
  });

  test('takes keys from commands that an older file did not know of, and from no others', () => {
    const rebound = rebind({'page-down': ['Ctrl+D']}, keymap);
    const keysOnLog = (name: string): readonly string[] | undefined =>
      rebound.kind === 'keymap'
        ? rebound.keymap.find(({command, on}) => command === name && on.includes('log'))?.keys
        : undefined;
    expect(['pageDown', 'halfPageDown', 'halfPageUp'].map(keysOnLog)).toEqual([['Ctrl+D'], ['d'], ['Ctrl+U']]);
  });

  test('keeps Ctrl+C for quitting, whether it is named or not', () => {
    expect(keysOf('quit', {quit: ['x']})).toEqual([['x', 'Ctrl+C']]);
    expect(keysOf('quit', {quit: ['Ctrl+C', 'x']})).toEqual([['x', 'Ctrl+C']]);
    expect(keysOf('quit', {quit: []})).toEqual([['Ctrl+C']]);
  });
});

describe('what is wrong is told with its place', () => {
  test.each([
    [{'next-gpa': ['n']}, ['/c.toml: keys.next-gpa: no such command: did you mean next-gap?']],
    [
      {frobnicate: ['n']},
      [
        '/c.toml: keys.frobnicate: no such command; the commands are move-up, move-down, next-gap, toggle-deployed, back, quit',
      ],
    ],
    [{'next-gap': ['PgUpp']}, ['/c.toml: keys.next-gap: "PgUpp" is not a key: did you mean PgUp?']],
    [{'next-gap': ['Ctrl+M']}, ['/c.toml: keys.next-gap: terminals send Enter for "Ctrl+M"']],
    [{'next-gap': ['Ctrl+C']}, ['/c.toml: keys.next-gap: Ctrl+C always quits']],
    [{back: []}, ['/c.toml: keys.back: give it at least one key: otherwise there is no way back']],
    [{'next-gap': ['q']}, ['/c.toml: keys.next-gap: q is already the key of quit: give quit another']],
    [{'next-gap': ['n'], back: ['n']}, ['/c.toml: keys.next-gap: n is already the key of back']],
  ])('%j', (wanted, sentences) => {
    expect(faults(wanted)).toEqual(sentences);
  });

  test('keys that no terminal could send are told of', () => {
    expect(faults({'next-gap': ['F17', 'xy', '', '\u001b']})).toEqual([
      expect.stringMatching(/^\/c\.toml: keys\.next-gap: "F17" is not a key/),
      expect.stringMatching(/^\/c\.toml: keys\.next-gap: "xy" is not a key/),
      expect.stringMatching(/^\/c\.toml: keys\.next-gap: "" is not a key/),
      expect.stringMatching(/^\/c\.toml: keys\.next-gap: "\\u001b" is not a key; keys are/),
    ]);
  });

  test('all at once', () => {
    expect(faults({'next-gpa': ['n'], back: [], 'toggle-deployed': ['q']})).toHaveLength(3);
  });
});

test.each([
  ['a', 'a', false],
  ['A', 'A', false],
  ['ü', 'ü', false],
  ['/', '/', false],
  [' ', 'Space', false],
  ['space', 'Space', false],
  ['PAGEDOWN', 'PgDn', false],
  ['pgdn', 'PgDn', false],
  ['Escape', 'Esc', false],
  ['↑', '↑', false],
  ['up', '↑', false],
  ['Ctrl+b', 'Ctrl+B', false],
  ['c-b', 'Ctrl+B', false],
  ['Ctrl+]', 'Ctrl+]', false],
  ['ctrl+i', 'Tab', true],
])('the key %j is %s', (text, name, isOther) => {
  expect(parseKeyName(text)).toEqual({name, isOther});
});

test.each(['', 'xy', 'Ctrl+1', 'Alt+x', 'F1', '\u001b', '\u0301', 'constructor', '\ud800'])('%j is no key', text => {
  expect(parseKeyName(text)).toBeUndefined();
});

test('every key of the table has a name that can be written into a config file', () => {
  const keys = keymap.flatMap(binding => binding.keys);
  expect(keys.filter(key => parseKeyName(key)?.name !== key)).toEqual([]);
});

test('no key of the table means two things on one screen', () => {
  expect(rebind({quit: ['q']}, keymap).kind).toBe('keymap');
});
