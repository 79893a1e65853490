import {expect, test} from 'vitest';
import {answer, give, openEmptyLog, type Play, showScreen, stateRow, type} from '../../../support/play.ts';
import {answerSearches} from '../../play-search.ts';

const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString().slice(0, -1)}000000Z`;

/** Ten minutes, a line a second, in which these seconds say something else. */
const open = (said: Readonly<Record<number, string>>, names: readonly string[] = ['master']): Play => {
  const play = openEmptyLog(names);
  const lines = Array.from({length: 600}, (_, second) => `${stamp(second)} ${said[second] ?? 'INFO calm'}`);
  play.windowArrives(answer({pods: [], lines, sessionId: 's', cut: 'branch'}), 'b-master');
  return play;
};

const rows = (play: Play): readonly string[] => showScreen(play.state).slice(2, -2);
const cursorRow = (play: Play): string => rows(play).find(row => row.startsWith('▸')) ?? '';

const said = {
  20: 'ERROR db 1 away',
  300: 'ERROR db 2 away',
  400: 'ERROR pay 7 failed',
  410: 'WARN disk full',
  420: 'ERROR pay 8 failed',
};

test('the keys go from one line that showed a new shape first to the next, and say how often it came', () => {
  const play = open(said);
  give(play, 'previousNew');
  expect(cursorRow(play)).toMatch(/^▸[ ✗!] 14:06:50 WARN disk full$/);
  expect(stateRow(play)).toBe('new: the only line like it');
  give(play, 'previousNew');
  expect(cursorRow(play)).toMatch(/^▸[ ✗!] 14:06:40 ERROR pay 7 failed$/);
  expect(stateRow(play)).toBe('new: the first of 2 lines, the last at 14:07:00');
  give(play, 'previousNew');
  expect(stateRow(play)).toBe('no more new warnings or errors above; . goes down');
  give(play, 'nextNew');
  expect(cursorRow(play)).toContain('WARN disk full');
  give(play, 'nextNew');
  expect(stateRow(play)).toBe('no more new warnings or errors below; , goes up');
});

test('where nothing is new neither way is named', () => {
  const play = open({});
  give(play, 'nextNew');
  expect(stateRow(play)).toBe('no more new warnings or errors below');
  give(play, 'previousNew');
  expect(stateRow(play)).toBe('no more new warnings or errors above');
});

test('a line that a filter hides is passed over', () => {
  const play = open(said);
  type(play, 'filterOut', 'disk');
  answerSearches(play);
  give(play, 'previousNew');
  expect(cursorRow(play)).toContain('ERROR pay 7 failed');
});

test('only the first line of a shape has the sign, at the left edge, and none that is usual', () => {
  const play = open({...said, 411: 'ERROR mail queue full', 412: 'ERROR mail queue full'});
  give(play, 'previousNew');
  expect(cursorRow(play)).toContain('ERROR mail queue full');
  expect(rows(play).filter(row => row.startsWith('◆'))).toEqual([expect.stringMatching(/^◆! .* WARN disk full$/)]);
  give(play, 'goLast', 'previousError');
  expect(cursorRow(play)).toMatch(/ERROR pay 8 failed$/);
});

test('the strip marks its column', () => {
  const strip = (play: Play): string => showScreen(play.state)[1] ?? '';
  expect(strip(open(said))).toMatch(/[◆▞]/);
  expect(strip(open({20: 'ERROR db 1 away', 300: 'ERROR db 2 away'}))).not.toMatch(/[◆▞]/);
});

test('of several branches each has its own shapes', () => {
  const play = open({20: 'ERROR db 1 away'}, ['master', 'staging']);
  const lines = Array.from(
    {length: 600},
    (_, second) => `${stamp(second)} ${second === 500 ? 'ERROR db 3 away' : 'INFO calm'}`,
  );
  play.windowArrives(answer({pods: [], lines, sessionId: 's', cut: 'branch'}), 'b-staging');
  give(play, 'previousNew');
  expect(cursorRow(play)).toMatch(/14:08:20.*ERROR db 3 away$/);
});
