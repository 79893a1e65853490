import {expect, test} from 'vitest';
import {
  enter,
  give,
  linesOf,
  openEmptyLog,
  openLogWith,
  paneRows,
  showScreen,
  stateRow,
  type,
} from '../../support/play.ts';

test.each([
  ['14:00:20', '▸20'],
  ['2026-11-21T14:00:20.5Z', '▸21'],
  // The service's clock stands at 14:02:10.
  ['-100s', '▸30'],
])('%s goes to the first line at that time or after it', (typed, line) => {
  const play = openLogWith(linesOf(1, 40));
  type(play, 'goToTime', typed);
  expect(paneRows(play)).toContain(line);
  expect(stateRow(play)).toMatch(/^paused at/);
});

test('with local times in the column the time that is typed is local as well', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'nextTimeMode', 'nextTimeMode', 'goToTime');
  enter(play, '15:00:20');
  expect(paneRows(play).find(row => row.startsWith('▸'))).toBe('▸20');
});

test('a clock time is one of the day that is being read, not of today', () => {
  const play = openLogWith(linesOf(1, 40));
  play.wait(30 * 3_600_000);
  type(play, 'goToTime', '14:00:20');
  expect(paneRows(play)).toContain('▸20');
});

test('past the ends it goes to the line there, and says where the log begins or ends', () => {
  const play = openLogWith(linesOf(5, 40));
  type(play, 'goToTime', '13:00');
  expect(paneRows(play)[1]).toBe('▸5');
  expect(stateRow(play)).toBe('the buffer begins at 2026-11-21 14:00:05, after that time');
  type(play, 'goToTime', '14:01');
  expect(paneRows(play)[4]).toBe('▸40');
  expect(stateRow(play)).toBe('the log ends at 2026-11-21 14:00:40, before that time');
});

test('what is no time stays in the input line with what is wrong below it, until it is changed', () => {
  const play = openLogWith(linesOf(1, 40));
  type(play, 'goToTime', '14:0x:20');
  expect(
    showScreen(play.state)
      .slice(-2)
      .map(row => row.trim()),
  ).toEqual([
    'go to the time 14:0x:20█',
    '“14:0x:20” is not a time: try 14:02, yesterday 14:02, 15m or 2026-11-21 14:02',
  ]);
  play.send({kind: 'inputKey', key: 'Backspace'});
  expect(showScreen(play.state).at(-1)).toContain('Enter take');
  play.send({kind: 'inputKey', key: 'ClearLine'});
  enter(play, '14:00:20');
  expect(paneRows(play)).toContain('▸20');
});

test('nothing typed, and an empty log, go nowhere', () => {
  const play = openLogWith(linesOf(1, 40));
  type(play, 'goToTime', ' ');
  expect(stateRow(play)).toBe('following');
  const empty = openEmptyLog();
  type(empty, 'goToTime', '14:00');
  expect(stateRow(empty)).toBe('the log has no lines yet');
});

test('the last minutes are counted back from the newest line; the pane stays full', () => {
  const play = openLogWith(linesOf(1, 4000));
  for (const [command, top] of [
    ['lastMinute', ' 3940'],
    ['lastFiveMinutes', ' 3700'],
    ['lastFifteenMinutes', ' 3100'],
    ['lastHour', ' 400'],
  ] as const) {
    give(play, command);
    expect(paneRows(play)[0]).toBe(top);
  }
  const short = openLogWith(linesOf(1, 3));
  give(short, 'lastMinute');
  expect(stateRow(short)).toBe('the buffer begins at 2026-11-21 14:00:01, after that time');
  short.windowArrives(linesOf(200, 202));
  give(short, 'lastMinute');
  expect(paneRows(short).slice(-3)).toEqual([' 200', ' 201', ' 202']);
});

test('the first line of the last minutes is shown from its first row, however many it takes', () => {
  const window = linesOf(1, 200);
  const long = [...window.value.lines].map(text => `${text} ${'word '.repeat(30)}`);
  const play = openLogWith({...window, value: {...window.value, lines: long}});
  give(play, 'toggleWrap', 'lastMinute');
  expect(paneRows(play)[0]).toBe(' 140');
});
