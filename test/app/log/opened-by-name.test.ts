import {expect, test} from 'vitest';
import {give, linesOf, openLogWith, stateRow} from '../finding-way.ts';
import {startAt} from '../sample-state.ts';
import {showScreen} from '../show-screen.ts';

test('a log that was opened by its name is all there is: Esc leads to no list of branches, and no hint says that it does', () => {
  const {state} = openLogWith(linesOf(1, 30));
  expect(showScreen(state).at(-1)).toContain('Esc back');
  const play = startAt({...state, context: {name: 'app.log', host: '', parts: 'none'}});
  expect(showScreen(play.state).at(-1)).not.toContain('Esc');
  give(play, 'back');
  expect(play.state.screen).toBe('log');
  expect(stateRow(play)).toBe('nothing else was opened: q quits');
});
