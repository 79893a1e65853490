import {expect, test} from 'vitest';
import {awayMsMin} from '#app/log/away.ts';
import {give, linesOf, openEmptyLog, openLogWith, paneRows, stateRow} from '../../support/play.ts';

test('the first key after a while tells what came, and where it began stays marked', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'togglePause');
  play.wait(5000);
  give(play, 'goLast');
  play.wait(awayMsMin / 2);
  play.windowArrives(linesOf(1, 60, [55]));
  play.wait(awayMsMin / 2);
  play.windowArrives(linesOf(1, 1300, [55, 1299]));
  give(play, 'togglePause');
  expect(stateRow(play)).toBe('since you looked away: 1,260 lines, 2 errors; a goes there');
  give(play, 'goToUnseen');
  const rows = paneRows(play);
  expect(rows[0]).toMatch(/^── you looked away at 14:02:15; since then 1,260 lines, 2 errors ─+$/);
  expect(rows.slice(1)).toEqual(['▸41', ' 42', ' 43', ' 44']);
  // What comes later is none of it.
  play.windowArrives(linesOf(1, 1400, [55, 1299, 1350]));
  expect(paneRows(play)[0]).toContain('1,260 lines, 2 errors');
});

test('keys that come sooner, or with nothing new, tell nothing', () => {
  const play = openLogWith(linesOf(1, 40));
  play.wait(awayMsMin - 1);
  play.windowArrives(linesOf(1, 60));
  give(play, 'moveUp');
  expect(play.state.log?.away).toBeUndefined();
  play.wait(10 * awayMsMin);
  give(play, 'moveUp');
  expect(play.state.log?.away).toBeUndefined();
  give(play, 'goToUnseen');
  expect(stateRow(play)).toBe('nothing arrived while you looked away');
});

test('the first window was there before anybody looked away', () => {
  const play = openEmptyLog();
  play.wait(10);
  play.windowArrives(linesOf(1, 40, [3]));
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 42, [3]));
  // Letters and keys of an input line are keys as well.
  play.send({kind: 'textTyped', text: 'x'});
  expect(play.state.log?.away).toMatchObject({lineCount: 2, errorCount: 0});
});

test('only the last time is kept, and the key that goes there may be the first', () => {
  const play = openLogWith(linesOf(1, 40));
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 45));
  give(play, 'moveUp');
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 50));
  give(play, 'goToUnseen');
  expect(paneRows(play).filter(row => row.includes('looked away'))).toHaveLength(1);
  expect(paneRows(play)).toContain('▸46');
  expect(play.state.log?.away?.lineCount).toBe(5);
});

test('of several branches all that came is counted', () => {
  const play = openEmptyLog(['master', 'staging']);
  play.windowArrives(linesOf(1, 10), 'b-master');
  play.windowArrives(linesOf(1, 20), 'b-staging');
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 30, [25]), 'b-master');
  play.windowArrives(linesOf(1, 31, [30]), 'b-staging');
  give(play, 'moveUp');
  expect(play.state.log?.away).toMatchObject({lineCount: 31, errorCount: 2, anchor: {source: 1}});
});

test('where all that was seen has left the buffer, what is held is counted and its beginning gone to', () => {
  const play = openLogWith(linesOf(1, 20), 3000);
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 400));
  give(play, 'goToUnseen');
  const {log} = play.state;
  expect(log?.away).toMatchObject({anchor: undefined, lineCount: log?.sources[0].tail.log.buffer.lineCount});
  expect(paneRows(play)[0]).toMatch(/^▸/);
});

test('a branch whose lines were there counts from the last key, while another has none yet', () => {
  const play = openEmptyLog(['master', 'staging']);
  play.windowArrives(linesOf(1, 10), 'b-master');
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 30), 'b-master');
  play.windowArrives(linesOf(1, 35), 'b-master');
  give(play, 'moveUp');
  expect(play.state.log?.away?.lineCount).toBe(25);
});

test('what the key itself has to say comes first', () => {
  const play = openLogWith(linesOf(1, 40));
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 45));
  give(play, 'nextGap');
  expect(stateRow(play)).toBe('no more gaps below');
  expect(play.state.log?.away?.lineCount).toBe(5);
});

test('on a narrow screen the counts stay in sight', () => {
  const play = openLogWith(linesOf(1, 40));
  play.send({kind: 'resized', columns: 40, rows: 10});
  play.wait(awayMsMin);
  play.windowArrives(linesOf(1, 45, [44]));
  give(play, 'goToUnseen');
  expect(paneRows(play).find(row => row.startsWith('── away'))).toMatch(/^── away 14:02:10: 5 lines, 1 error ─*$/);
});
