import {expect, test} from 'vitest';
import {matchRunsIn} from '#log/ingest/window/overlap.ts';
import {readWindow} from '#log/window/window-line.ts';
import {eachLine} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos} from '../../simulation/lines-at.ts';

const read = (texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

/** The times that the lines without a timestamp of a window take, in nanoseconds, and how many were guessed. */
const timesOf = (before: readonly (readonly string[])[], now: readonly string[]) => {
  const raws = now.map(line);
  const window = finishWork(
    readWindow(raws, (front, next) => front.map(() => next?.at ?? 0n), {
      matchRun: matchRunsIn(before.map(read), raws),
    }),
  );
  const times = [...eachLine(window.received)]
    .filter(([, {textIndex}]) => textIndex === 0)
    .map(([, {at}]) => Number(at - nanos(0)));
  return {times, guessed: window.guessedCount};
};

test.each([
  {
    what: 'a run is known by the line after it, whatever line stands before it now',
    before: [['1 a', '  at b', '5 b', '6 b']],
    now: ['1 a', '2 a', '  at b', '5 b'],
    times: [1],
  },
  {
    what: 'of a run that grew at its front the new lines follow the line before them',
    before: [['1 a', '  at b', '5 b']],
    now: ['3 c', '  at new', '  at b', '5 b'],
    times: [3, 1],
  },
  {
    what: 'an older window tells it too, where replicas answer in turn',
    before: [['8 h'], ['1 a', '  at b', '5 b']],
    now: ['2 a', '  at b', '5 b'],
    times: [1],
  },
  {
    what: 'a run at the front whose head left is known while a line after it stays',
    before: [['1 a', '  at a', '2 b', '3 c']],
    now: ['  at a', '3 c', '4 d'],
    times: [1],
  },
  {
    what: 'after a gap an equal text is a new line',
    before: [['1 a', '  at a', '2 b', '3 c']],
    now: ['  at a', '8 h', '9 i'],
    times: [8],
  },
  {
    what: 'a run that ended the window may have grown, and its new lines stay right after it',
    before: [['1 a', '  at a']],
    now: ['  at a', '  at main', '5 b'],
    times: [1, 1],
  },
  {
    what: 'a run in the middle of a source is new, whatever stood elsewhere',
    before: [['1 a', '  at a', '2 b', '3 c']],
    now: ['3 c', '4 d', '  at a', '5 e'],
    times: [4],
  },
  {
    what: 'after a line of the window before, a run begins with what followed it there',
    before: [['1 a', '  at a', '  at b', '2 b']],
    now: ['1 a', '  at a', '  at x', '7 z'],
    times: [1, 1],
  },
  {
    what: 'of several places after a line, the one with more of the run tells',
    before: [['1 a', '  at x', '2 c', '1 a', '  at a', '  at b', '2 d']],
    now: ['1 a', '  at a', '  at b', '7 z'],
    times: [1, 1],
  },
  {
    what: 'of several copies of the line after it, the one after the same line tells',
    before: [['1 a', '  at b', '5 x', '3 c', '  at b', '5 x']],
    now: ['3 c', '  at b', '5 x'],
    times: [3],
  },
  {
    what: 'a run is known in parts: its head after one line, its tail before another',
    before: [['1 a', '  at a', '4 b', '  at z', '6 c']],
    now: ['1 a', '  at a', '  at m', '  at z', '6 c'],
    times: [1, 1, 4],
  },
  {
    what: 'the rest of a run after an old line is known by its text, if that is there once',
    before: [['1 a', '2 b', '  at b', '3 c']],
    now: ['1 a', '  at b', '3 c'],
    times: [2],
  },
  {
    what: 'a run that was last may be the end of one that grew since',
    before: [['1 a', '  at a', '  at b']],
    now: ['  at b', '  at c', '5 b'],
    times: [1, 1],
  },
  {
    what: 'a run whose head is still there is a new one',
    before: [['1 a', '  at a', '2 b', '3 c']],
    now: ['  at a', '1 a', '3 c'],
    times: [1],
  },
  {
    what: 'after a banner that is stamped anew, a run begins with what followed it',
    before: [['1 banner', '  at b', '5 b']],
    now: ['9 banner', '  at b', '7 z'],
    times: [1],
  },
  {
    what: 'where only a banner has a stamp, the others keep the time that it had, whatever came or left',
    before: [['1 banner', 'x a', 'x b', 'x c']],
    now: ['9 banner', 'x b', 'x new', 'x c', 'x d'],
    times: [1, 1, 1, 1],
  },
  {
    what: 'after a line that is there twice, which no banner is, a run is new',
    before: [['1 banner', 'x a', '2 banner']],
    now: ['9 banner', 'x a'],
    times: [9],
  },
])('$what', ({before, now, times}) => {
  expect(timesOf(before, now).times).toEqual(times);
});

test('a text that stands more than once is but a guess', () => {
  const before = [['1 a', '}', '2 b', '}', '3 c', '4 d']];
  expect(timesOf(before, ['}', '4 d', '5 e'])).toEqual({times: [2], guessed: 1});
  expect(timesOf([['1 a', '  at a', '3 c', '4 d']], ['  at a', '4 d', '5 e']).guessed).toBe(0);
});

test('a text is looked for in sixteen places', () => {
  // The run stands after the last of so many equal lines.
  const before = (count: number) => [[...Array.from({length: count - 1}, () => '1 a'), '1 a', '  at a', '2 b']];
  expect(timesOf(before(16), ['1 a', '  at a', '7 z'])).toEqual({times: [1], guessed: 0});
  expect(matchedIn(before(16), ['1 a', '  at a', '7 z'])).toBe(true);
  expect(matchedIn(before(17), ['1 a', '  at a', '7 z'])).toBe(false);
});

/** Whether the only run of a window was found after the same line. */
const matchedIn = (before: readonly (readonly string[])[], now: readonly string[]): boolean => {
  const [after = '', text = '', next = ''] = now.map(line);
  const {times} = finishWork(matchRunsIn(before.map(read), now.map(line))([text], {after, next, isAtFront: false}));
  return times[0] !== undefined;
};
