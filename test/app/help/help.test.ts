import {describe, expect, test} from 'vitest';
import {commandChoices} from '#app/choices/palette.ts';
import type {State} from '#app/state/state.ts';
import {pressKey} from '#ui/read-keys.ts';
import {enter, give, linesOf, openLogWith, type Play, showScreen} from '../../support/play.ts';

const openHelp = (size: Pick<State, 'columns' | 'rows'>): Play => {
  const play = openLogWith(linesOf(1, 5));
  play.send({kind: 'resized', ...size});
  give(play, 'toggleHelp');
  return play;
};

const pane = (play: Play): readonly string[] => showScreen(play.state).slice(2, -2);

describe('the help', () => {
  test('shows the keys in groups by purpose', () => {
    const rows = pane(openHelp({columns: 80, rows: 200}));
    const titles = rows.filter(row => /^ \S/.test(row)).map(row => row.trim());
    expect(titles).toEqual([
      'Keys on the log screen',
      'Move',
      'Find and filter',
      'Errors and times',
      'Mark, copy, save',
      'Show',
      'Program',
    ]);
    expect(rows[rows.indexOf(' Find and filter') + 1]).toMatch(/^ {3}\/ +search for text/);
  });

  test('stands in columns where it is wide, each group in one of them', () => {
    const rows = pane(openHelp({columns: 200, rows: 50}));
    const first = rows.find(row => row.startsWith(' Move')) ?? '';
    expect(first.trim().split(/ {2,}/).length).toBeGreaterThan(1);
    expect(rows.join('\n')).toContain('quit');
    expect(rows.join('\n')).not.toContain('more below');
  });

  test('can be searched, by other names too, and Esc shows all keys again', () => {
    const play = openHelp({columns: 80, rows: 24});
    give(play, 'openSearch');
    // Letters are text now, not keys.
    expect(pressKey(play.state, {name: 'q', text: 'q'})).toEqual({kind: 'textTyped', text: 'q'});
    play.send({kind: 'textTyped', text: 'clip'});
    expect(pane(play).filter(row => row !== '')).toEqual([
      ' Keys on the log screen  /clip█',
      ' Mark, copy, save',
      "   y              copy the picked lines to the terminal's clipboard",
      '   :copy visible  copy the lines on screen',
    ]);
    play.send({kind: 'textTyped', text: 'xyz'});
    expect(pane(play)[0]).toBe(' Keys on the log screen  /clipxyz█  no key does that');
    play.send({kind: 'inputKey', key: 'DeleteWord'});
    enter(play, 'clip');
    expect(pane(play)[0]).toBe(' Keys on the log screen  /clip');
    give(play, 'openSearch');
    play.send({kind: 'inputKey', key: 'Esc'});
    expect(pane(play).join('\n')).toContain(' Move');
    give(play, 'toggleHelp');
    expect(play.state.focus.kind).toBe('screen');
    expect(play.state.log?.use.search.kind).toBe('none');
  });
});

test.each([
  ['follow', 'go last'],
  ['export', 'save lines'],
  ['pods', 'next marker'],
  ['theme', 'next theme'],
  ['grep', 'open search'],
])('the palette finds a command by another name: %s', (word, name) => {
  const names = commandChoices({screen: 'log'}, word).map(choice => choice.name);
  expect(names.slice(0, 2)).toContain(name);
});

test.each([
  ['incident', 'toggle incident'],
  ['filters', 'toggle filter list'],
  ['summary', 'toggle summary'],
  ['pods', 'toggle pods'],
  ['sources', 'toggle sources'],
  ['columns', 'choose columns'],
])('the palette offers first what shows the thing that was typed: %s', (word, name) => {
  expect(commandChoices({screen: 'log'}, word)[0]?.name).toBe(name);
});

describe('the hints', () => {
  const hints = (play: Play): string => showScreen(play.state).at(-1) ?? '';
  const openWith = (errors: readonly number[], columns = 80): Play => {
    const play = openLogWith(linesOf(0, 59, errors));
    play.send({kind: 'resized', columns, rows: 24});
    return play;
  };

  test('name the way to the last error and the peak before the lines that are followed', () => {
    expect(hints(openWith([]))).toBe(' I what happened   / search   f filter   T time   Esc back   ? help   q quit');
    expect(hints(openWith([30, 31, 32]))).toMatch(
      /^ I what happened {3}E last error {3}< peak {3}\/ search .* \? help/,
    );
    expect(hints(openWith([30, 31, 32]))).not.toContain('sum up');
  });

  test('name the summary from the eleventh error on', () => {
    const errors = Array.from({length: 11}, (_, index) => 20 + index);
    expect(hints(openWith(errors))).toContain('u sum up');
    expect(hints(openWith(errors.slice(1)))).not.toContain('sum up');
  });

  test('name the errors on either side of the reader', () => {
    const play = openWith([10, 50]);
    give(play, 'goFirst');
    expect(hints(play)).toMatch(/^ I what happened {3}e error /);
    give(play, 'nextError', 'pageDown');
    expect(hints(play)).toMatch(/ E ↑ e ↓ error | E error | e error /);
  });

  test('are more on a wide screen, and the help stays on the narrowest', () => {
    expect(hints(openWith([], 200))).toContain('Space pause');
    expect(hints(openWith([30, 31], 30))).toContain('? help');
  });
});
