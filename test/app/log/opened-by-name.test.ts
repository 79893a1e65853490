import {expect, test} from 'vitest';
import {exportScope} from '#app/log/export-scope.ts';
import {announceLog} from '#app/reader/announce/announce-log.ts';
import {addToQueue, emptyQueue, readQueue} from '#app/reader/announce/line-queue.ts';
import type {Entry} from '#log/line/entry.ts';
import {give, linesOf, openLogWith, paneRows, showScreen, startAt, stateRow} from '../../support/play.ts';

test('a log that was opened by its name is all there is: Esc leads to no list of branches, and no hint says that it does', () => {
  const {state} = openLogWith(linesOf(1, 30));
  expect(showScreen(state).at(-1)).toContain('Esc back');
  const play = startAt({...state, context: {name: 'app.log', host: '', parts: 'none'}});
  expect(showScreen(play.state).at(-1)).not.toContain('Esc');
  give(play, 'back');
  expect(play.state.screen).toBe('log');
  expect(stateRow(play)).toBe('nothing else was opened: q quits');
});

test('what pauses goes a page down in a pager, as in less, and follows again at the end', () => {
  const opened = openLogWith(linesOf(1, 12));
  const play = startAt({...opened.state, logSettings: {...opened.state.logSettings, isPager: true}});
  const isFollowing = (): boolean => play.state.log?.viewport.kind === 'following';
  give(play, 'togglePause');
  expect([isFollowing(), paneRows(play)]).toEqual([false, [' 8', ' 9', ' 10', ' 11', ' 12']]);
  play.windowArrives(linesOf(1, 20));
  give(play, 'togglePause');
  expect([isFollowing(), paneRows(play)]).toEqual([false, [' 12', ' 13', ' 14', ' 15', ' 16']]);
  give(play, 'togglePause', 'togglePause');
  expect(isFollowing()).toBe(true);
});

test('a file that comes or goes is called a file', () => {
  const {state} = openLogWith(linesOf(1, 3));
  const play = startAt({...state, context: {name: 'app.log', host: '', parts: 'none'}});
  const listed = linesOf(1, 4);
  const file = {name: 'app.log', resourceVersion: '1', metadata: {}, createdAt: undefined};
  const before = play.state;
  play.windowArrives({...listed, value: {...listed.value, pods: [...listed.value.pods, file]}});
  expect(paneRows(play).find(row => row.includes('app.log'))).toMatch(/^── file app\.log came ─+$/);
  // The screen reader's words, as it comes and as it is gone to.
  const isCome = ({entry}: {entry: Entry}): boolean => entry.kind === 'pod';
  const heard = announceLog(before, play.state, play.state.log ?? expect.fail(), 'event').entries.filter(isCome);
  expect(readQueue(addToQueue(emptyQueue, heard)).sentences).toEqual(['File app.log came.']);
  // A pager's rows.
  expect(exportScope(play.state, play.state.log ?? expect.fail()).part).toBe('file');
});
