import {expect, test} from 'vitest';
import {readWindow} from '../../../src/log/line/window-line.ts';
import {eachLine} from '../../../src/log/line/window-lines.ts';
import {matchRunsIn} from '../../../src/log/window/match-runs.ts';
import {finishWork} from '../../../src/log/work/work.ts';
import {line, nanos} from '../simulation/lines-at.ts';

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
])('$what', ({before, now, times}) => {
  expect(timesOf(before, now).times).toEqual(times);
});

test('a text that stands more than once is but a guess', () => {
  const before = [['1 a', '}', '2 b', '}', '3 c', '4 d']];
  expect(timesOf(before, ['}', '4 d', '5 e'])).toEqual({times: [2], guessed: 1});
  expect(timesOf([['1 a', '  at a', '3 c', '4 d']], ['  at a', '4 d', '5 e']).guessed).toBe(0);
});
