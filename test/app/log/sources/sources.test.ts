import {test} from 'vitest';
import type {Command} from '../../../../src/app/keys/keymap.ts';
import {answerSearches} from '../../play-search.ts';
import {type Play, sampleState, startAt} from '../../sample-state.ts';
import {showScreen} from '../../show-screen.ts';
import {type SourcedLine, withSourced} from './sourced-log.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
  }
};

const nginx = {pod: 'shop-web-7d9c4-abcde', container: 'nginx', stream: 'stdout'};
const php = {pod: 'shop-web-7d9c4-abcde', container: 'php', stream: 'stderr'};
const other = {pod: 'shop-web-7d9c4-fghij', container: 'php', stream: 'stderr'};

const openLog = (lines: readonly SourcedLine[], size = {columns: 80, rows: 24}): Play => {
  const play = startAt(sampleState(size));
  give(play, 'open');
  play.branchesArrive();
  give(play, 'open');
  return startAt(withSourced(play.state, lines));
};

test('tags', () => {
  const play = openLog([
    [1, nginx, 'GET /a'],
    [2, php, 'ERROR x'],
    [3, other, 'hi'],
    [4, undefined, 'nobody'],
  ]);
  console.log(showScreen(play.state).join('\n'));
  give(play, 'toggleSources');
  console.log(showScreen(play.state).join('\n'));
  give(play, 'moveDown', 'togglePause');
  console.log(showScreen(play.state).join('\n'));
  give(play, 'back');
  console.log(showScreen(play.state).join('\n'));
});
