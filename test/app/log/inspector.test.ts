import {expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {pollRecordsMax} from '#app/tail/polls.ts';
import {branchesNamed, give, onBranches, openBranch, type Play, showScreen, windowOf} from '../../support/play.ts';

const openLog = (columns = 80, rows = 24): Play => {
  const play = openBranch({columns, rows});
  return play;
};

/** The n-th of many polls, each a second after the other and with one line more. */
const pollOnce = (play: Play, number: number): void => {
  play.wait(1000);
  play.windowArrives(windowOf(...Array.from({length: 10}, (_, index) => number + index)));
};

const panesOf = (play: Play): readonly string[] => showScreen(play.state).slice(2, -2);

const eventfulLog = (columns = 80, rows = 24): Play => {
  const play = openLog(columns, rows);
  play.windowArrives(windowOf(1, 2, 3, 5));
  play.wait(1000);
  // A late line, and a new one.
  play.windowArrives(windowOf(2, 3, 4, 5, 6));
  play.wait(1000);
  play.windowFails(new ApiError('server', 'api.example.com answered 503', {status: 503, retryAfterMs: 4000}));
  play.wait(4000);
  play.windowFails();
  play.wait(1000);
  play.windowArrives(windowOf(31, 32, 33));
  give(play, 'toggleInspector');
  return play;
};

test('the last polls stand in a table, newest first, and their sums below it', () => {
  const rows = panesOf(eventfulLog());
  expect(rows).toHaveLength(20);
  expect(rows.slice(0, 6)).toEqual([
    ' when      status   ms  bytes  lines  new  late  overlap  next in',
    ' 14:02:17  200      20  1,000      3    3     0      0 %   0.25 s',
    ' 14:02:16  network   –      –      –    –     –        –    1.5 s',
    ' 14:02:12  503       –      –      –    –     –        –    4.0 s',
    ' 14:02:11  200      20  1,000      5    2     1     75 %    1.2 s',
    ' 14:02:10  200      20  1,000      4    4     0        –   0.25 s',
  ]);
  expect(rows.slice(-5)).toEqual([
    '',
    ' in all   5 polls   2 failed   12 lines received   9 new   1 late   1 gap',
    ' 3,000 bytes received   branch record as of 14:02:10',
    ' window 3 lines ≈ 1.5 s, 6 polls a window',
    ' joined: the service cuts the branch as one, it says so itself',
  ]);
});

test('on a wide terminal the reason stands there as well', () => {
  const rows = panesOf(eventfulLog(120));
  expect(rows.slice(0, 6).map(row => row.slice(57).trim())).toEqual([
    'next in  because',
    '0.25 s  the window moved on',
    '1.5 s  try 2 failed',
    '4.0 s  as the service asked',
    '1.2 s  the window fills soon',
    '0.25 s  learning the rate',
  ]);
});

test('on 40×10 what matters least leaves', () => {
  expect(panesOf(eventfulLog(40, 10))).toEqual([
    ' when      status   new  late  overlap',
    ' 14:02:17  200        3     0      0 %',
    ' 14:02:16  network    –     –        –',
    ' 14:02:12  503        –     –        –',
    ' 14:02:11  200        2     1     75 %',
    ' 5 polls   2 failed   9 new   1 gap',
  ]);
});

test('it takes the keys, and the log underneath goes on and does not move', () => {
  const play = openLog();
  for (let number = 1; number <= 40; number++) {
    pollOnce(play, number);
  }
  give(play, 'moveUp', 'moveUp');
  const {viewport} = play.state.log ?? expect.fail('no log');
  const before = panesOf(play);
  give(play, 'toggleInspector', 'moveUp', 'pageUp', 'goLast', 'togglePause', 'previousGap');
  pollOnce(play, 41);
  expect(play.state.log?.viewport).toBe(viewport);
  expect(play.state.screen).toBe('log');
  give(play, 'back');
  expect(play.state.screen).toBe('log');
  expect(panesOf(play)).toEqual(before);
  give(play, 'toggleInspector', 'toggleInspector');
  expect(panesOf(play)).toEqual(before);
});

test('scrolled, it stays at the poll that is read while new ones come; at the top it shows them', () => {
  const play = openLog();
  for (let number = 1; number <= 40; number++) {
    pollOnce(play, number);
  }
  const topClock = (): string => panesOf(play)[1]?.slice(1, 9) ?? '';
  give(play, 'toggleInspector');
  expect(topClock()).toBe('14:02:50');
  pollOnce(play, 41);
  expect(topClock()).toBe('14:02:51');
  give(play, 'moveDown', 'moveDown');
  expect(topClock()).toBe('14:02:49');
  pollOnce(play, 42);
  expect(topClock()).toBe('14:02:49');
  give(play, 'pageDown');
  expect(topClock()).toBe('14:02:36');
  give(play, 'goLast');
  expect(panesOf(play)[14]).toMatch(/^ 14:02:11 /);
  give(play, 'goFirst');
  expect(topClock()).toBe('14:02:52');
});

test('fifty polls are kept, and the sums are of all', () => {
  const play = openLog(200, 90);
  for (let number = 1; number <= 130; number++) {
    pollOnce(play, number);
  }
  give(play, 'toggleInspector');
  const polls = play.state.log?.sources[0].tail.polls;
  expect(polls?.latest).toHaveLength(pollRecordsMax);
  expect(pollRecordsMax).toBe(50);
  expect(polls?.sums).toEqual({
    polls: 130,
    failed: 0,
    bytes: 130_000,
    lines: 1300,
    newLines: 139,
    lateLines: 0,
    gaps: 0,
  });
  expect(panesOf(play).filter(row => row.includes(' 200 '))).toHaveLength(50);
});

test('no row of it is wider than the screen, at any size', () => {
  const play = eventfulLog();
  for (const columns of [20, 21, 39, 40, 60, 79, 80, 120, 200]) {
    for (const rows of [5, 6, 10, 12, 13, 24, 60]) {
      const screen = showScreen({...play.state, columns, rows});
      expect(Math.max(...screen.map(row => [...row].length))).toBeLessThanOrEqual(columns);
      expect(screen.length).toBeLessThanOrEqual(rows);
    }
  }
});

test('a listing that fails beside the log is told there and nowhere else', () => {
  const play = openLog();
  play.windowArrives(windowOf(1, 2));
  play.send({kind: 'refreshDue', generation: play.state.generation});
  play.branchesFail();
  expect(showScreen(play.state).join('\n')).not.toContain('refused');
  give(play, 'toggleInspector');
  expect(panesOf(play).at(-3)).toBe(' 1,000 bytes received   listing: api.example.com:443 refused');
});

test('of several branches the polls stand by time, each with its branch, and the sums are of all', () => {
  const play = onBranches(branchesNamed('master', 'staging'));
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  play.windowArrives(windowOf(1, 2, 3), 'b-master');
  play.wait(1000);
  play.windowArrives(windowOf(1, 2), 'b-staging');
  give(play, 'toggleInspector');
  const rows = panesOf(play);
  expect(rows.slice(0, 3)).toEqual([
    ' when      branch   status  ms  bytes  lines  new  late  overlap  next in',
    ' 14:02:11  staging  200     20  1,000      2    2     0        –   0.25 s',
    ' 14:02:10  master   200     20  1,000      3    3     0        –   0.25 s',
  ]);
  expect(rows.slice(-4, -1)).toEqual([
    ' 2,000 bytes received   branch record as of 14:02:10',
    ' master: window 3 lines, nothing new since the first',
    ' staging: window 2 lines, nothing new since the first',
  ]);
});

test('on 40 columns the pace and the proof are wrapped, not cut', () => {
  expect(panesOf(eventfulLog(40)).slice(-6)).toEqual([
    ' 5 polls   2 failed   9 new   1 gap',
    ' 3,000 bytes received',
    ' window 3 lines ≈ 1.5 s, 6 polls a',
    ' window',
    ' joined: the service cuts the branch as',
    ' one, it says so itself',
  ]);
});
