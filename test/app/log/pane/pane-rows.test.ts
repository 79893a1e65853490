import {describe, expect, test} from 'vitest';
import {headingRow, paneOf} from '#app/log/log-pane.ts';
import {placeOf} from '#app/log/mark-rows.ts';
import {cursorIndex, goToEntry, goToIndex, readerIndex} from '#app/log/picking.ts';
import type {LogState} from '#app/state/state.ts';
import {anchorOf} from '#log/view/log-view.ts';
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
  showScreen,
  startAt,
  stateRow,
  textOf,
  type,
  windowOf,
} from '../../../support/play.ts';
import {answerSearches} from '../../play-search.ts';

const paneIn = (play: Play) => paneOf(play.state, logOf(play));
const whole = (play: Play): readonly string[] => showScreen(play.state).slice(2, -2);

describe('the prefix of a line', () => {
  test('is the cursor, its level, its time and the branch; the rest of the row is for the text', () => {
    const play = openLogWith(linesOf(1, 5));
    expect(paneIn(play).style).toMatchObject({textColumns: 80 - 1 - 2 - 9, markerColumns: 79});
    for (const [mode, columns] of [
      ['utc', 80 - 1 - 2 - 13],
      ['local', 80 - 1 - 2 - 13],
      ['relative', undefined],
      ['sinceLine', undefined],
      ['sinceMark', undefined],
      ['off', 80 - 1 - 2],
    ] as const) {
      give(play, 'nextTimeMode');
      expect(logOf(play).look.time).toBe(mode);
      if (mode === 'off') {
        expect(paneIn(play).style.textColumns).toBe(columns);
      }
    }
    const two = openEmptyLog(['master', 'staging']);
    two.windowArrives(windowOf(1), 'b-master');
    two.windowArrives(windowOf(2), 'b-staging');
    const [label = expect.fail()] = paneIn(two).labels;
    expect(paneIn(two).style.textColumns).toBe(80 - 1 - 2 - 9 - label.columns - 1);
    expect(whole(two).join('\n')).toMatch(/ {3}14:00:01 \S+ +line 1/);
  });

  test('has a tag where lines have sources, a blank after it', () => {
    const play = openEmptyLog();
    const sources = [
      {pod: 'web-1', container: 'php'},
      {pod: 'web-1', container: 'nginx'},
    ];
    play.windowArrives(
      answer({
        ...windowOf(1, 2).value,
        numbering: {
          series: 'a',
          first: 1,
          sources,
          runs: [
            [0, 1],
            [1, 1],
          ],
          losses: [],
        },
      }),
    );
    const {tags, style} = paneIn(play);
    expect(tags.columns).toBeGreaterThan(0);
    expect(style.textColumns).toBe(80 - 1 - 2 - 9 - tags.columns - 1);
  });
});

describe('rows of the pane', () => {
  test('are less by one where filters are on, and by one with the headings of columns, if there are four', () => {
    const play = openLogWith(linesOf(1, 40, [7]));
    const rowsAt = (rows: number, change: Partial<LogState> = {}): readonly [number, number] => {
      const pane = paneOf({...play.state, rows}, {...logOf(play), ...change});
      return [pane.rows, pane.headRows];
    };
    const look = {...logOf(play).look, columns: [{name: 'message'}]};
    expect(rowsAt(24)).toEqual([20, 0]);
    expect(rowsAt(24, {minimumLevel: 'error'})).toEqual([19, 0]);
    expect(rowsAt(24, {look})).toEqual([19, 1]);
    expect(rowsAt(24, {look, minimumLevel: 'error'})).toEqual([18, 1]);
    expect(rowsAt(24, {look: {...look, rows: 'received'}})).toEqual([20, 0]);
    expect(rowsAt(8, {look})).toEqual([3, 1]);
    expect(rowsAt(7, {look})).toEqual([3, 0]);
    expect(rowsAt(5, {minimumLevel: 'error'})).toEqual([1, 0]);
    const pane = paneOf(play.state, {...logOf(play), look});
    expect(textOf(headingRow(80, pane.style)).slice(0, 23)).toBe(`${' '.repeat(12)}message`);
    expect(textOf(headingRow(80, {...pane.style, look: {...look, cellsLeft: 2}})).slice(0, 21)).toBe(
      `${' '.repeat(12)}ssage`,
    );
  });

  test('need not be counted where each entry takes one', () => {
    const play = openLogWith(linesOf(1, 40));
    const counts = (change: Partial<LogState> = {}): boolean =>
      paneOf(play.state, {...logOf(play), ...change}).rowsOf !== undefined;
    const {look} = logOf(play);
    expect(counts()).toBe(false);
    expect(counts({look: {...look, wraps: true}})).toBe(true);
    expect(counts({look: {...look, foldsTraces: true}})).toBe(true);
    expect(counts({look: {...look, foldsTraces: true, rows: 'escaped'}})).toBe(false);
    type(play, 'markLine', '');
    expect(counts()).toBe(true);
    play.wait(61_000);
    play.windowArrives(linesOf(1, 45));
    const away = openLogWith(linesOf(1, 40));
    away.wait(61_000);
    away.windowArrives(linesOf(1, 45));
    give(away, 'moveUp');
    expect(paneOf(away.state, logOf(away)).rowsOf).toBeDefined();
  });

  test('a row of an entry counts its rule, its text, its folded lines and what the reader put below it', () => {
    const play = openLogWith(linesOf(1, 3));
    give(play, 'pickLines', 'markLine');
    enter(play, 'a note');
    const {view, rowsOf} = paneIn(play);
    const counts = view.slice(0, 9).map(entry => rowsOf?.(entry));
    expect(counts).toEqual([1, 1, 1, 2]);
  });
});

describe('a row', () => {
  test('says at its left edge that it is the first of its kind, and at its end how many it stands for', () => {
    const play = openEmptyLog();
    const lines = Array.from({length: 600}, (_, second) => {
      const clock = new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, -1);
      return `${clock}000000Z ${second < 597 ? 'INFO calm' : 'ERROR payment 1 failed'}`;
    });
    play.windowArrives(answer({pods: [], lines, sessionId: 's', cut: 'branch'}));
    expect(whole(play).at(-3)).toMatch(/^◆✗ .* failed$/);
    expect(whole(play).at(-2)).toMatch(/^ ✗ .* failed$/);
    give(play, 'toggleRepeats');
    for (let count = 0; count < 20; count++) {
      play.send({kind: 'filterDue', generation: play.state.generation});
    }
    expect(
      whole(play)
        .slice(-2)
        .map(row => row.replaceAll(/ {2,}/g, ' | ')),
    ).toEqual([' | 14:00:00 INFO calm | × 597', '◆✗ 14:09:57 ERROR payment 1 failed | × 3']);
  });
});

describe('the reader', () => {
  test('is at the cursor, else at the top row, else behind the newest line', () => {
    const play = openLogWith(linesOf(1, 40));
    expect(readerIndex(logOf(play), paneIn(play))).toBe(41);
    expect(cursorIndex(logOf(play), paneIn(play))).toBeUndefined();
    give(play, 'moveUp');
    expect(readerIndex(logOf(play), paneIn(play))).toBe(35);
    give(play, 'pickLines', 'moveDown');
    expect(readerIndex(logOf(play), paneIn(play))).toBe(36);
    // A cursor out of view is not where the reader is.
    const away = {...logOf(play), viewport: {kind: 'following'} as const};
    expect(readerIndex(away, paneOf(play.state, away))).toBe(36);
    give(play, 'goFirst');
    expect(readerIndex(logOf(play), paneIn(play))).toBe(0);
  });

  test('goes to an entry, which stands in view with the cursor on it; to none where there is none', () => {
    const play = openLogWith(linesOf(1, 40));
    const log = goToIndex(logOf(play), paneIn(play), 10);
    expect(log.cursor).toEqual({kind: 'at', anchor: anchorOf(paneIn(play).view.slice(10, 1)[0] ?? expect.fail())});
    expect(cursorIndex(log, paneOf(play.state, log))).toBe(10);
    expect(goToIndex(logOf(play), paneIn(play), 41)).toBe(logOf(play));
    give(play, 'pickLines');
    expect(goToIndex(logOf(play), paneIn(play), 3).cursor?.kind).toBe('picking');
  });

  test('is told why a line can not be gone to', () => {
    const play = openLogWith(linesOf(1, 40));
    const [found = expect.fail()] = paneIn(play).view.slice(10, 1);
    const gone = {...anchorOf(found), id: 9999};
    const told = (change: Partial<LogState>): string | undefined =>
      goToEntry(play.state, {...logOf(play), ...change}, gone).notice;
    expect(told({})).toBe('the filters hide that line, or it has left the buffer');
    expect(told({repeats: []})).toMatch(/^that line is folded or filtered away, or has left the buffer; \S+ unfolds$/);
    const there = goToEntry(play.state, logOf(play), anchorOf(found));
    expect(there.log?.cursor?.anchor).toEqual(anchorOf(found));
    expect(placeOf(paneIn(play).view, anchorOf(found))).toBe(10);
    expect(placeOf(paneIn(play).view, gone)).toBeUndefined();
    expect(placeOf(paneIn(play).view, {...anchorOf(found), source: 1})).toBeUndefined();
  });
});

describe('where the user looked away', () => {
  const leave = (columns: number): readonly string[] => {
    const play = openLogWith(linesOf(1, 40));
    play.send({kind: 'resized', columns, rows: 14});
    give(play, 'moveUp', 'goLast');
    play.wait(61_000);
    play.windowArrives(linesOf(1, 43, [42]));
    give(play, 'goToUnseen');
    return whole(play).filter(row => row.includes('away'));
  };

  test('a rule says since when, and what came; in short where there is little room', () => {
    const long = ' ── you looked away at 14:02:10; since then 3 lines, 1 error ';
    expect(leave(80)).toEqual([`${long}${'─'.repeat(80 - long.length - 1)}`]);
    expect(leave(long.length)).toEqual([long.trimEnd()]);
    const short = ' ── away 14:02:10: 3 lines, 1 error ';
    expect(leave(long.length - 1)).toEqual([`${short}${'─'.repeat(long.length - 1 - short.length - 1)}`]);
  });
});

describe('marks whose lines left the buffer', () => {
  test('go with them, and are counted', () => {
    const play = openLogWith(linesOf(1, 40), 3000);
    give(play, 'goFirst', 'moveDown', 'pickLines', 'markLine');
    enter(play, 'one');
    give(play, 'moveDown', 'markLine');
    enter(play, 'two');
    expect(logOf(play).marks).toHaveLength(2);
    play.windowArrives(linesOf(1, 75));
    expect(logOf(play).marks).toHaveLength(0);
    expect(stateRow(play)).toBe('2 marks left the buffer with their lines');
  });
});

test('a page of a log is laid out once for each state', () => {
  const play = startAt(openLogWith(linesOf(1, 40)).state);
  expect(paneIn(play)).toBe(paneIn(play));
  const before = paneIn(play);
  give(play, 'moveUp');
  expect(paneIn(play)).not.toBe(before);
  expect(paneRows(play)).toEqual([' 35', ' 36', ' 37', ' 38', ' 39']);
});

test('the hit of the cursor stands out among the others', () => {
  const play = openLogWith(linesOf(1, 40));
  type(play, 'openSearch', 'line');
  answerSearches(play);
  const {view, bodyOf} = paneIn(play);
  const tones = (index: number): readonly string[] =>
    view.slice(index, 1).flatMap(entry => bodyOf(entry)[0]?.map(({tone}) => tone) ?? []);
  expect(tones(40)).toContain('hitNow');
  expect(tones(39)).toContain('hit');
  expect(tones(39)).not.toContain('hitNow');
});
