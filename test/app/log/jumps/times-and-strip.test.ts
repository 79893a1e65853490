import {describe, expect, test} from 'vitest';
import {promptOf} from '#app/keys/input-focus.ts';
import {goToLinkedTime, goToTime} from '#app/log/go-to-time.ts';
import {besideStrip, findPeakBeside, formatBucket, stripOf} from '#app/log/jumps/strip-keys.ts';
import {selectLogStrip} from '#app/log/select-log-view.ts';
import type {LogState} from '#app/state/state.ts';
import {startOfLog} from '#log/line/unread.ts';
import {
  answer,
  enter,
  give,
  linesOf,
  logOf,
  openEmptyLog,
  openLogWith,
  type Play,
  paneRows,
  stateRow,
  textOf,
  type,
} from '../../../support/play.ts';

const at = (second: number): bigint => BigInt(Date.UTC(2026, 10, 21, 14, 0, second)) * 1_000_000n;
const cursor = (play: Play): string | undefined => paneRows(play).find(row => row.startsWith('▸'));

test.each([
  [1n, '1 ms'],
  [999n, '999 ms'],
  [1000n, '1 s'],
  [119_000n, '119 s'],
  [120_000n, '2 min'],
  [450_000n, '7.5 min'],
  [7_199_940n, '119.999 min'],
  [7_200_000n, '2 h'],
])('a column of %i milliseconds is %s', (ms, words) => {
  expect(formatBucket(ms * 1_000_000n)).toBe(words);
});

describe('a range of time', () => {
  const typed = (text: string, command: 'goToTime' | 'filterByTime' = 'filterByTime'): Play => {
    const play = openLogWith(linesOf(1, 100));
    give(play, command);
    enter(play, text);
    return play;
  };

  test('shows only what is in it, from its beginning, else from its end', () => {
    const both = typed('14:00:20 to 14:00:30');
    expect([logOf(both).range, cursor(both)]).toEqual([{from: at(20), to: at(30)}, '▸20']);
    expect(logOf(typed('to 14:00:30')).range).toMatchObject({to: at(30)});
    expect(logOf(typed('to 14:00:30')).viewport.kind).toBe('following');
    expect(logOf(typed('14:00:20 to 14:00:30', 'goToTime')).range).toEqual({from: at(20), to: at(30)});
  });

  test('goes when nothing is typed, and what is none stays in its line', () => {
    const play = typed('14:00:20 to 14:00:30');
    type(play, 'filterByTime', ' ');
    expect(logOf(play).range).toBeUndefined();
    const wrong = typed('14:00:20 to never');
    expect([promptOf(wrong.state)?.kind, promptOf(wrong.state)?.text]).toEqual(['range', '14:00:20 to never']);
    expect(wrong.state.notice).not.toBeUndefined();
    const asked = typed('14:00:20 to never', 'goToTime');
    expect(promptOf(asked.state)?.kind).toBe('time');
  });

  test('that is wider is looked for in all lines', () => {
    const play = typed('14:00:50 to 14:01:00');
    type(play, 'filterByTime', '14:00:10 to 14:01:00');
    expect(cursor(play)).toBe('▸10');
  });
});

describe('a time', () => {
  test('of the log, before it and after it', () => {
    const play = openLogWith(linesOf(10, 100));
    const gone = (second: number) => goToTime(play.state, logOf(play), at(second)).state;
    expect([gone(50).notice, gone(50).log?.cursor?.anchor.at]).toEqual([undefined, at(50)]);
    expect(gone(10).notice).toBeUndefined();
    expect(gone(9).notice).toBe('the buffer begins at 2026-11-21 14:00:10, after that time');
    expect(gone(9).log?.cursor?.anchor.at).toBe(at(10));
    expect(gone(101).notice).toBe('the log ends at 2026-11-21 14:01:40, before that time');
    expect(goToTime(play.state, logOf(play), startOfLog).state.notice).toBeUndefined();
    const empty = openEmptyLog();
    expect(goToTime(empty.state, logOf(empty), at(1)).state.notice).toBe('the log has no lines yet');
  });

  test('that was not read is asked for', () => {
    const play = openEmptyLog();
    play.windowArrives(
      answer({
        ...linesOf(50, 90).value,
        numbering: {series: 'a', first: 50, sources: [{}], runs: [[0, 41] as const], losses: []},
        heldFrom: {at: at(50), why: 'unread'},
        heldTo: {at: at(90), why: 'unread'},
      }),
    );
    const asked = (text: string): readonly string[] => {
      type(play, 'goToTime', text);
      return play.effects.map(({kind}) => kind);
    };
    expect(asked('14:00:49')).toContain('findUnread');
    expect(stateRow(play)).toBe('going to 2026-11-21 14:00:49');
    expect(asked('14:00:50')).not.toContain('findUnread');
    expect(asked('14:01:30')).not.toContain('findUnread');
    expect(asked('14:01:31')).toContain('findUnread');
  });

  test('of a link is gone to with the first lines, and stays in sight of where it is being read back to', () => {
    const play = openLogWith(linesOf(1, 100));
    const linked = (change: Partial<LogState>) => goToLinkedTime({...play.state, log: {...logOf(play), ...change}});
    expect(linked({goToAt: undefined}).log?.cursor).toBeUndefined();
    expect(linked({goToAt: at(30)}).log).toMatchObject({goToAt: undefined, cursor: {anchor: {at: at(30)}}});
    const empty = openEmptyLog();
    const waiting = {...empty.state, log: {...logOf(empty), goToAt: at(30)}};
    expect(goToLinkedTime(waiting)).toBe(waiting);
    empty.windowArrives(linesOf(1, 0));
    const none = (goToAt: bigint) => goToLinkedTime({...empty.state, log: {...logOf(empty), goToAt}});
    expect(none(at(30)).log?.goToAt).toBeUndefined();
    expect(none(at(30)).notice).toBe('the log has no lines yet');
    expect(none(startOfLog).log?.goToAt).toBe(startOfLog);
  });

  test('minutes back from the newest line fill the pane', () => {
    const play = openLogWith(linesOf(1, 100));
    give(play, 'lastMinute');
    expect(paneRows(play)).toEqual([' 40', ' 41', ' 42', ' 43', ' 44']);
    expect(stateRow(play)).not.toContain('begins');
    give(play, 'lastFiveMinutes');
    expect(stateRow(play)).toBe('the buffer begins at 2026-11-21 14:00:01, after that time');
    const short = openLogWith(linesOf(1, 3));
    give(short, 'lastMinute');
    expect(paneRows(short).filter(row => row !== '').length).toBe(4);
    const empty = openEmptyLog();
    give(empty, 'lastHour');
    expect(stateRow(empty)).toBe('the log has no lines yet');
  });
});

describe('the strip', () => {
  test.each([
    [39, false, undefined],
    [69, false, {scale: false, range: true}],
    [70, false, {scale: true, range: false}],
    [70, true, {scale: false, range: true}],
    [109, false, {scale: true, range: false}],
    [110, false, {scale: true, range: true}],
    [110, true, {scale: true, range: true}],
  ])('at %i columns has beside it what there is room for', (columns, isZoomed, beside) => {
    const play = openLogWith(linesOf(1, 100));
    const shown = stripOf({columns}, logOf(play));
    if (beside === undefined) {
      expect([shown, selectLogStrip({...play.state, columns}, logOf(play))]).toEqual([undefined, []]);
    } else {
      expect(besideStrip(columns, isZoomed)).toEqual(beside);
      expect(shown).toBeDefined();
    }
  });

  test('is as wide as its row leaves room for', () => {
    const play = openLogWith(linesOf(1, 100));
    const buckets = (columns: number): number | undefined => stripOf({columns}, logOf(play))?.strip.buckets.length;
    expect([buckets(40), buckets(69), buckets(70), buckets(110)]).toEqual([
      40 - 6 - 14,
      69 - 6 - 14,
      70 - 6 - 31,
      110 - 6 - 31 - 14 - 3,
    ]);
    expect(buckets(20_000)).toBe(400);
    for (const columns of [40, 70, 110, 150]) {
      expect(textOf(selectLogStrip({...play.state, columns}, logOf(play))).length).toBeLessThanOrEqual(columns);
    }
    const zoomed = {...logOf(play), stripBucket: 200_000_000n};
    expect(stripOf({columns: 40}, zoomed)?.strip).toMatchObject({isZoomed: true});
    expect(stripOf({columns: 40}, zoomed)?.strip.buckets.length).toBe(40 - 6 - 20);
  });

  test('says what the highest column holds, and the range of time up to the newest line', () => {
    const play = openLogWith(linesOf(1, 100, [100]));
    const row = textOf(selectLogStrip({...play.state, columns: 120}, logOf(play)));
    expect(row).toMatch(/ {3}most \d+ in \d+ s(?:, \d failed)? +13:59 to 14:01$/);
    const zoomed = {...logOf(play), stripBucket: 200_000_000n};
    expect(textOf(selectLogStrip({...play.state, columns: 120}, zoomed))).toMatch(/ {3}14:01:\d\d to 14:01:40$/);
  });

  test('has peaks on either side of the reader, and says what is in one', () => {
    const errors = Array.from({length: 9}, (_, index) => 300 + index);
    const play = openLogWith(linesOf(1, 600, errors));
    expect(findPeakBeside(play.state, logOf(play), 1)).toBeUndefined();
    expect(findPeakBeside(play.state, logOf(play), -1)).toBeDefined();
    give(play, 'previousPeak');
    expect(stateRow(play)).toMatch(
      /^(?:a peak|errors begin to exceed what is usual): \d+ errors?, \d+ lines in \d+ s$/,
    );
    expect(cursor(play)).toBe('▸300');
    for (let count = 0; count < 5; count++) {
      give(play, 'previousPeak');
    }
    expect(stateRow(play)).toMatch(/^no more peaks above$/);
    give(play, 'zoomStripOut');
    expect(stateRow(play)).toBe('the strip already shows the whole buffer');
    for (let count = 0; count < 20; count++) {
      give(play, 'zoomStripIn');
    }
    expect(stateRow(play)).toBe('the strip cannot zoom in further');
    give(play, 'nextPeak', 'nextPeak');
    expect(stateRow(play)).toMatch(/^no more peaks below in the zoomed strip$/);
    const narrow = openLogWith(linesOf(1, 5));
    narrow.send({kind: 'resized', columns: 39, rows: 10});
    give(narrow, 'nextPeak');
    expect(narrow.state.notice).toBe('no strip: the log is empty or the terminal is too narrow');
  });
});
