import {expect, test} from 'vitest';
import {backgroundQueryFor, parseBackground, readColourVariable} from '#terminal/screen/passthrough.ts';
import {createEmulator} from '../../support/emulator.ts';

test.each([
  ['15;0', 'dark'],
  ['0;15', 'light'],
  ['0;7', 'light'],
  ['0;6', 'dark'],
  ['7;9', 'light'],
  ['default;0', 'dark'],
  ['0;16', undefined],
  ['0;1;2;3', undefined],
  ['7;8', 'dark'],
  ['12;default;0', 'dark'],
  ['0;default;15', 'light'],
  ['0;default', undefined],
  ['0;99', undefined],
  ['nonsense', undefined],
  ['', undefined],
])('COLORFGBG=%s is %s', (value, backdrop) => {
  expect(readColourVariable({COLORFGBG: value})).toBe(backdrop);
});

test('without the variable nothing is known', () => {
  expect(readColourVariable({})).toBeUndefined();
});

test.each([
  ['rgb:0000/0000/0000', 'dark'],
  ['rgb:2828/2c2c/3434', 'dark'],
  ['rgb:0000/2b2b/3636', 'dark'],
  ['rgb:fdfd/f6f6/e3e3', 'light'],
  ['rgb:ffff/ffff/ffff', 'light'],
  ['rgb:f/f/f', 'light'],
  ['rgb:888/888/888', 'light'],
  ['rgb:0/0/f', 'dark'],
  ['rgb:0a/0a/0a', 'dark'],
  // The grey in the middle, with each number of digits
  ['rgb:6/6/6', 'dark'],
  ['rgb:7/7/7', 'light'],
  ['rgb:75/75/75', 'dark'],
  ['rgb:76/76/76', 'light'],
  ['rgb:757/757/757', 'dark'],
  ['rgb:760/760/760', 'light'],
  ['rgb:7575/7575/7575', 'dark'],
  ['rgb:7676/7676/7676', 'light'],
  // Each channel counts as much as the eye sees of it
  ['rgb:ff/00/00', 'light'],
  ['rgb:ec/00/00', 'dark'],
  ['rgb:00/80/00', 'dark'],
  ['rgb:00/90/00', 'light'],
  ['rgb:00/70/ff', 'light'],
  ['rgb:00/70/00', 'dark'],
  ['rgba:ff/ff/ff/00', 'light'],
])('%s is %s', (colour, backdrop) => {
  expect(parseBackground(`\u001b]11;${colour}\u0007`)).toBe(backdrop);
});

test.each([
  '\u001b]11;#ffffff\u0007',
  '\u001b]11;rgb:ff/ff\u0007',
  '\u001b]10;rgb:0/0/0\u0007',
  '\u001b]11;rgb:0/0/0',
  '',
])('%j is no answer', sequence => {
  expect(parseBackground(sequence)).toBeUndefined();
});

test.each([
  'xterm-256color',
  'alacritty',
  'foot',
  'xterm-kitty',
  'xterm-ghostty',
  'tmux-256color',
  'rxvt-unicode-256color',
])('TERM=%s is asked', term => {
  expect(backgroundQueryFor({TERM: term})).toBe('\u001b]11;?\u0007');
});

test.each(['linux', 'dumb', '', 'vt100', 'screen', 'screen.xterm-256color', 'something-new'])(
  'TERM=%j is not',
  term => {
    expect(backgroundQueryFor({TERM: term})).toBeUndefined();
  },
);

test('inside GNU screen nothing is asked, whatever TERM says', () => {
  expect(backgroundQueryFor({TERM: 'xterm', STY: '1.pts'})).toBeUndefined();
});

test('inside tmux its answer is asked for, whatever TERM says', () => {
  expect(backgroundQueryFor({TERM: 'screen-256color', TMUX: '/tmp/tmux-1/default,1,0'})).toBe('\u001b]11;?\u0007');
});

test('the question draws nothing', async () => {
  const emulator = createEmulator(20, 2);
  await emulator.write(`a${backgroundQueryFor({TERM: 'xterm'})}b`);
  expect([emulator.screenText()[0], emulator.events.oscs, emulator.events.bells]).toEqual(['ab', ['11;?'], []]);
  emulator.close();
});
