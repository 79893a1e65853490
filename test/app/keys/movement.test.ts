import {expect, onTestFinished, test} from 'vitest';
import {keyFor, keymap, keysToName, movement, nameKeys} from '#app/keys/keymap.ts';

test('rows, pages and half pages, rounded up, and the ends', () => {
  const moved = (pageRows: number) =>
    (['moveUp', 'moveDown', 'pageUp', 'pageDown', 'halfPageUp', 'halfPageDown'] as const).map(command =>
      movement(command, pageRows),
    );
  expect(moved(10)).toEqual([-1, 1, -10, 10, -5, 5]);
  expect(moved(7)).toEqual([-1, 1, -7, 7, -4, 4]);
  expect(moved(1)).toEqual([-1, 1, -1, 1, -1, 1]);
  expect([movement('goFirst', 5), movement('goLast', 5), movement('open', 5)]).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    undefined,
  ]);
});

test('a command without a key is called as in the palette', () => {
  const named = (command: string): readonly string[] =>
    keysToName(keymap.find(binding => binding.command === command) ?? expect.fail());
  expect(named('moveDown')).toEqual(['↓', 'j']);
  expect(named('copyVisible')).toEqual([':copy visible']);
  expect([keyFor('moveDown', 'log'), keyFor('copyVisible', 'log')]).toEqual(['↓', ':copy visible']);
  // Not a command of that screen.
  expect(keyFor('copyVisible', 'sites')).toBe(':copy visible');
});

test('in ASCII the arrows to the sides have names, as their signs would be those of other keys', () => {
  onTestFinished(() => nameKeys({hasUtf8: true}));
  nameKeys({hasUtf8: false});
  expect([keyFor('moveLeft', 'log'), keyFor('moveRight', 'log'), keyFor('back', 'log')]).toEqual([
    'Left',
    'Right',
    'Esc',
  ]);
  nameKeys({hasUtf8: true});
  expect([keyFor('moveLeft', 'log'), keyFor('moveRight', 'log')]).toEqual(['←', '→']);
});
