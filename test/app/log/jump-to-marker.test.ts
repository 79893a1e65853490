import {expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {formatClock} from '#log/line/instant.ts';
import {
  branchesNamed,
  give,
  onBranches,
  openBranch,
  type Play,
  paneOf,
  showScreen,
  windowOf,
} from '../../support/play.ts';

const range = (first: number, last: number): readonly number[] =>
  Array.from({length: last - first + 1}, (_, index) => first + index);

/** Twelve rows in the pane; gaps after second 30, 130 and 240, the horizon at the top. */
const openLog = (): Play => {
  const play = openBranch({rows: 16});
  for (const [first, last] of [
    [1, 30],
    [101, 130],
    [201, 240],
    [301, 330],
  ] as const) {
    play.windowArrives(windowOf(...range(first, last)));
    // One that joins ends the gap before: the next is another one.
    play.windowArrives(windowOf(...range(first, last)));
  }
  return play;
};

const stateRow = (play: Play): string => showScreen(play.state).at(-2) ?? '';
/** Where in the pane markers stand, and with which words. */
const markers = (play: Play): readonly (readonly [row: number, words: string])[] =>
  paneOf(play).flatMap((row, index) => {
    const words = /── (.*?) ─*$/.exec(row)?.[1];
    return words === undefined ? [] : [[index, words] as const];
  });

test('[ goes up from the end, gap by gap, with a third of the pane above each, and pauses', () => {
  const play = openLog();
  give(play, 'previousGap');
  expect(markers(play)).toEqual([[4, 'possible gap, 14:03:59.000 to 14:05:30.000: the window moved on']]);
  expect(stateRow(play)).toContain('paused at 14:03:57');
  give(play, 'previousGap');
  expect(markers(play)).toEqual([[4, 'possible gap, 14:02:09.000 to 14:04:00.000: the window moved on']]);
  give(play, 'previousGap');
  expect(markers(play)).toEqual([[4, 'possible gap, 14:00:29.000 to 14:02:10.000: the window moved on']]);
  expect(paneOf(play).slice(3, 6)).toEqual([
    '   14:00:30 line 30',
    '▸── possible gap, 14:00:29.000 to 14:02:10.000: the window moved on ───────────',
    '   14:01:41 line 101',
  ]);
});

test('on a gap, the key that opens a line says why lines may be missing', () => {
  const play = openLog();
  give(play, 'previousGap', 'openLine');
  expect(stateRow(play)).toBe(' the window moved on');
});

test('where there is none that way the state row says so, until the next key, and nothing moves', () => {
  const play = openLog();
  give(play, 'nextGap');
  expect(stateRow(play)).toBe(' no more gaps below');
  expect(play.state.log?.viewport).toEqual({kind: 'following'});
  give(play, 'previousGap', 'previousGap', 'previousGap');
  const before = paneOf(play);
  give(play, 'previousGap');
  expect(stateRow(play)).toBe(' no more gaps above');
  expect(paneOf(play)).toEqual(before);
  give(play, 'nextGap');
  expect(stateRow(play)).toContain('paused');
});

test('] goes down from the top row, and from the gap that was jumped to', () => {
  const play = openLog();
  give(play, 'goFirst', 'nextGap');
  expect(markers(play)[0]?.[1]).toContain('14:00:29.000 to 14:02:10.000');
  give(play, 'nextGap', 'nextGap');
  expect(markers(play)[0]?.[1]).toContain('14:03:59.000 to 14:05:30.000');
  give(play, 'nextGap');
  expect(stateRow(play)).toBe(' no more gaps below');
  // Scrolled, the reader is at the top row again.
  give(play, 'moveUp', 'nextGap');
  expect(markers(play)[0]?.[1]).toContain('14:03:59.000 to 14:05:30.000');
});

test('a gap close to the top does not hide the ones just below it', () => {
  const play = openBranch({rows: 16});
  for (const second of [1, 11, 21, 31]) {
    play.windowArrives(windowOf(second));
    play.windowArrives(windowOf(second));
  }
  give(play, 'goFirst', 'nextGap', 'nextGap', 'nextGap', 'nextGap');
  expect(stateRow(play)).toBe(' no more gaps below');
  give(play, 'previousGap', 'previousGap', 'previousGap');
  expect(stateRow(play)).toBe(' no more gaps above');
});

test('} and { stop at every marker: gaps, and the horizon at the very top', () => {
  const play = openLog();
  give(play, 'previousMarker', 'previousMarker', 'previousMarker', 'previousMarker');
  expect(paneOf(play).slice(0, 2)).toEqual([
    '▸── the service held nothing older than 14:00:01 ──────────────────────────────',
    '   14:00:01 line 1',
  ]);
  expect(stateRow(play)).toContain('paused at 14:00:01');
  give(play, 'previousMarker');
  expect(stateRow(play)).toBe(' no more markers above');
  give(play, 'nextMarker');
  expect(markers(play)[0]?.[1]).toContain('possible gap, 14:00:29.000');
});

test('the horizon is no line', () => {
  const play = openLog();
  expect(play.state.log?.sources[0].tail.log.buffer.lineCount).toBe(130);
  give(play, 'goFirst');
  expect(stateRow(play)).toContain('119 newer below');
});

test('while a log is empty there is nothing to jump to', () => {
  const play = onBranches();
  give(play, 'open', 'previousMarker');
  expect(stateRow(play)).toBe(' no more markers above');
});

test('of several branches the nearest marker is found, whichever it is of', () => {
  const play = onBranches(branchesNamed('master', 'staging'), {rows: 16});
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  for (const [branchId, ...seconds] of [
    ['b-master', 1, 60],
    ['b-staging', 2, 40],
  ] as const) {
    for (const second of seconds) {
      play.windowArrives(windowOf(second), branchId);
    }
  }
  const jumpedTo = (command: Command): string => {
    give(play, command);
    const {anchor} = play.state.log?.cursor ?? expect.fail('no cursor');
    return `${play.state.log?.sources[anchor.source]?.branch.name} ${formatClock(anchor.at)}`;
  };
  expect(jumpedTo('previousGap')).toBe('master 14:01:00');
  expect(jumpedTo('previousGap')).toBe('staging 14:00:40');
  give(play, 'goFirst');
  expect(jumpedTo('nextGap')).toBe('staging 14:00:40');
  expect(jumpedTo('nextGap')).toBe('master 14:01:00');
});
