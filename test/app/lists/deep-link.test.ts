import {expect, test} from 'vitest';
import {createBranchesScreen} from '#app/lists/update-sites.ts';
import {parseInstant} from '#log/line/instant.ts';
import {
  give,
  linesOf,
  openLogWith,
  type Play,
  paneRows,
  sampleBranches,
  sampleState,
  startAt,
  stateRow,
} from '../../support/play.ts';

const copied = (play: Play): unknown => play.effects.find(({kind}) => kind === 'copy');

test('the link names the line of the cursor, else the row on top, while following the newest line', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'copyLink');
  expect(copied(play)).toMatchObject({text: 'shop/master@2026-11-21T14:00:40Z'});
  give(play, 'moveUp', 'copyLink');
  expect(copied(play)).toMatchObject({text: 'shop/master@2026-11-21T14:00:35Z'});
  give(play, 'pickLines', 'moveDown', 'copyLink');
  expect(copied(play)).toMatchObject({text: 'shop/master@2026-11-21T14:00:36Z'});
});

/** Started with a link to master at a time. */
const openAt = (time: string): Play => {
  const play = startAt(sampleState({rows: 9, branches: createBranchesScreen('site-1', 'master', parseInstant(time))}));
  play.send({kind: 'started'});
  play.branchesArrive(sampleBranches);
  return play;
};

test('a link opens the log at its time as soon as the first window is there, and only then', () => {
  const play = openAt('2026-11-21T14:00:20Z');
  play.windowFails();
  play.windowArrives(linesOf(1, 40));
  expect(paneRows(play)).toEqual([' 19', '▸20', ' 21', ' 22', ' 23']);
  give(play, 'goLast');
  play.windowArrives(linesOf(1, 41));
  expect(stateRow(play)).toBe('following');
});

test('a time before all that the service holds is told with what it holds', () => {
  const play = openAt('2026-11-20T10:00:00Z');
  play.windowArrives(linesOf(1, 40));
  expect(paneRows(play)).toContain('▸1');
  expect(stateRow(play)).toBe('the buffer begins at 2026-11-21 14:00:01, after that time');
});

test('a log without lines is followed', () => {
  const play = openAt('2026-11-20T10:00:00Z');
  play.windowArrives(linesOf(1, 0));
  expect(stateRow(play)).toBe('the log has no lines yet');
  play.windowArrives(linesOf(1, 40));
  expect(play.state.log?.viewport.kind).toBe('following');
});
