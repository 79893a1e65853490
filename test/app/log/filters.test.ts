import {expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {toMemory} from '#app/log/memory.ts';
import {answer, openBranch, type Play, showScreen} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const minute = (index: number): string => `2026-11-21T14:${String(index).padStart(2, '0')}:00.000000000Z`;

/** A line a minute from 14:00 on: every third of payments, every fourth of health. */
const openLog = (state = {}): Play => {
  const play = openBranch({rows: 32, columns: 100, ...state});
  const lines = Array.from({length: 24}, (_, index) => {
    const what = `${index % 3 === 0 ? 'payment' : 'cart'} ${index % 4 === 0 ? '/health' : '/shop'}`;
    return `${minute(index)} n${index}; ${what}`;
  });
  play.windowArrives(answer({pods: [], lines, sessionId: 's'}));
  return play;
};

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
  }
};

const type = (play: Play, command: Command, text: string): void => {
  play.send({kind: 'commandGiven', command});
  play.send({kind: 'textTyped', text});
  play.send({kind: 'inputKey', key: 'Enter'});
  answerSearches(play);
};

const shown = (play: Play): readonly string[] => showScreen(play.state).flatMap(row => /(n\d+);/.exec(row)?.[1] ?? []);

const chips = (play: Play): string => showScreen(play.state).at(-3)?.trim() ?? '';

const both = (): Play => {
  const play = openLog();
  type(play, 'filterIn', 'payment');
  type(play, 'filterOut', '/health');
  return play;
};

test('each filter says how many lines it matches, and one can be switched off and on alone', () => {
  const play = both();
  expect(shown(play)).toEqual(['n3', 'n6', 'n9', 'n15', 'n18', 'n21']);
  expect(chips(play)).toMatch(/^filter {3}1 \+ payment \(8\) {3}2 − \/health \(6\) {3}6 of 24 /);
  give(play, 'toggleFilterList', 'moveDown', 'togglePause', 'back');
  expect(shown(play)).toEqual(['n0', 'n3', 'n6', 'n9', 'n12', 'n15', 'n18', 'n21']);
  expect(chips(play)).toMatch(/2 − \/health off {3}8 of 24 /);
  expect(toMemory(play.state, play.state.log ?? expect.fail())).toMatchObject({
    filters: ['+payment', '-/health'],
    filtersOff: ['-/health'],
  });
  give(play, 'toggleFilterList', 'moveDown', 'openLine', 'back');
  expect(shown(play)).toHaveLength(6);
});

test('a filter that is typed again is switched on', () => {
  const play = both();
  give(play, 'toggleFilterList', 'togglePause', 'back');
  expect(shown(play)).toHaveLength(18);
  type(play, 'filterIn', 'payment');
  expect(shown(play)).toHaveLength(6);
});

test('a recalled filter that was off is off', () => {
  const play = openLog({remembersLogs: true});
  const {log} = play.state;
  play.send({
    kind: 'logRecalled',
    generation: play.state.generation,
    memory: {
      ...toMemory(play.state, log ?? expect.fail()),
      filters: ['+payment', '-/health'],
      filtersOff: ['+payment'],
    },
  });
  answerSearches(play);
  expect(chips(play)).toMatch(/1 \+ payment off {3}2 − \/health \(6\) {3}18 of 24/);
});

test('the list of filters says what each does, and removes one', () => {
  const play = both();
  give(play, 'raiseLevel', 'toggleFilterList');
  expect(showScreen(play.state).slice(2, 6)).toEqual([
    ' 3 filters   0 of 24 lines',
    ' ▸ ● + payment  shows 8 lines',
    '   ● − /health  hides 6 lines',
    '   ● ≥ info     the minimum level',
  ]);
  give(play, 'removeFilter', 'goLast', 'removeFilter', 'back');
  expect(chips(play)).toMatch(/^filter {3}− \/health {3}18 of 24 /);
});

test('filters are kept by a name, used again beside others, taken out and forgotten', () => {
  const play = both();
  type(play, 'saveFilters', 'shop payments');
  expect(play.effects).toContainEqual({
    kind: 'keepFilters',
    name: 'shop payments',
    filters: ['+payment', '-/health'],
  });
  give(play, 'removeFilters');
  type(play, 'filterOut', 'n6');
  type(play, 'openPalette', 'use filters shop');
  expect(shown(play)).toEqual(['n3', 'n9', 'n15', 'n18', 'n21']);
  give(play, 'toggleFilterList', 'goLast', 'togglePause');
  expect(showScreen(play.state).slice(2, 7)).toEqual([
    ' 1 filter   23 of 24 lines',
    '   ● − n6           hides 1 line',
    '',
    '  kept by a name',
    ' ▸ ○ shop payments  +payment  -/health',
  ]);
  give(play, 'removeFilter');
  expect(play.effects).toContainEqual({kind: 'keepFilters', name: 'shop payments', filters: []});
  expect(play.state.namedFilters).toEqual([]);
});

test('filters of the config file are used, and neither replaced nor forgotten', () => {
  const named = {name: 'noise', filters: ['-/health'], isConfigured: true};
  const play = openLog({namedFilters: [named]});
  give(play, 'toggleFilterList', 'togglePause', 'goLast', 'removeFilter');
  expect(play.state.notice).toBe('noise is in the config file: remove it there');
  give(play, 'back');
  expect(shown(play)).toHaveLength(18);
  type(play, 'saveFilters', 'noise');
  expect(play.state.notice).toBe('The config file has filters by that name: choose another one');
  expect(play.effects.map(({kind}) => kind)).not.toContain('keepFilters');
});

test('a range of time shows only what is between its ends, and goes like another filter', () => {
  const play = openLog();
  type(play, 'goToTime', '14:02 to 14:05');
  expect(shown(play)).toEqual(['n2', 'n3', 'n4', 'n5']);
  expect(chips(play)).toMatch(/^filter {3}14:02:00 to 14:05:00 {3}4 of 24 /);
  type(play, 'filterIn', 'payment');
  expect(shown(play)).toEqual(['n3']);
  give(play, 'removeFilter', 'removeFilter');
  expect(shown(play)).toContain('n20');
  type(play, 'filterByTime', 'to 14:01');
  expect(shown(play)).toEqual(['n0', 'n1']);
  give(play, 'toggleFilters');
  expect(shown(play)).toContain('n20');
  type(play, 'filterByTime', '14:02 to 14:05 to 14:06');
  expect(play.state.notice).toMatch(/is not a time/);
});
