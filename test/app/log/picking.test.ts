import {expect, test} from 'vitest';
import {branchesNamed, give, onBranches, openBranch, type Play, showScreen, windowOf} from '../../support/play.ts';

/** Five rows in the pane: the horizon and thirty lines, a second each. */
const openLog = (): Play => {
  const play = openBranch({rows: 9});
  play.windowArrives(windowOf(...Array.from({length: 30}, (_, index) => index + 1)));
  return play;
};

/** What stands before each row of the pane, and its line's number. */
const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .map(row => `${row[0]}${/line (\d+)/.exec(row)?.[1] ?? '-'}`);

test('picking begins at the newest line while following, at the top row while paused', () => {
  const play = openLog();
  give(play, 'pickLines');
  expect(paneOf(play)).toEqual([' 26', ' 27', ' 28', ' 29', '▸30']);
  give(play, 'back', 'moveUp', 'pickLines');
  expect(paneOf(play)).toEqual(['▸25', ' 26', ' 27', ' 28', ' 29']);
});

test('while picking the pane stands still as long as the cursor is in it, whatever comes', () => {
  const play = openLog();
  give(play, 'pickLines', 'moveUp', 'moveUp');
  expect(paneOf(play)).toEqual([' 26', ' 27', '▸28', ' 29', ' 30']);
  play.windowArrives(windowOf(...Array.from({length: 30}, (_, index) => index + 11)));
  expect(paneOf(play)).toEqual([' 26', ' 27', '▸28', ' 29', ' 30']);
  give(play, 'moveUp', 'moveUp', 'moveUp');
  expect(paneOf(play)).toEqual(['▸25', ' 26', ' 27', ' 28', ' 29']);
  give(play, 'pageDown', 'pageDown');
  expect(paneOf(play)).toEqual([' 29', ' 30', ' 31', ' 32', '▸33']);
  give(play, 'goLast');
  expect(paneOf(play)).toEqual([' 36', ' 37', ' 38', ' 39', '▸40']);
  give(play, 'moveDown');
  expect(paneOf(play)).toEqual([' 36', ' 37', ' 38', ' 39', '▸40']);
});

test('a range goes from where it was begun to the cursor, either way; Esc ends first the range, then picking', () => {
  const play = openLog();
  give(play, 'pickLines', 'moveUp', 'moveUp', 'pickLines', 'moveUp');
  expect(paneOf(play)).toEqual([' 26', '▸27', '┃28', ' 29', ' 30']);
  give(play, 'moveDown', 'moveDown');
  expect(paneOf(play)).toEqual([' 26', ' 27', '┃28', '▸29', ' 30']);
  give(play, 'back');
  expect(paneOf(play)).toEqual([' 26', ' 27', ' 28', '▸29', ' 30']);
  give(play, 'back');
  expect(paneOf(play)).toEqual([' 26', ' 27', ' 28', ' 29', ' 30']);
  expect(play.state.screen).toBe('log');
  give(play, 'back');
  expect(play.state.screen).toBe('branches');
});

test('an empty log has nothing to pick', () => {
  const play = onBranches(branchesNamed('master'), {rows: 9});
  give(play, 'open', 'pickLines');
  expect(play.state.log?.cursor).toBeUndefined();
});
