import {expect, test} from 'vitest';
import {exportScope} from '#app/log/export-scope.ts';
import {answer, enter, give, openBranch, type Play, showScreen, windowOf} from '../../support/play.ts';

/** Opens a log of these lines, one a second. */
const openLog = (...texts: readonly string[]): Play => {
  const play = openBranch({rows: 16});
  play.windowArrives(windowWith(texts));
  return play;
};

const windowWith = (texts: readonly string[]) =>
  answer({
    ...windowOf().value,
    lines: texts.map((text, index) => {
      const [minute, second] = [Math.floor(index / 60), index % 60].map(each => String(each).padStart(2, '0'));
      return `2026-11-21T14:${minute}:${second}.000000000Z ${text}`;
    }),
  });

/** The rows of lines, times cut off. */
const rowsOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .filter(row => /^.[✗! ] \d\d:\d\d:\d\d/.test(row))
    .map(row => row.replace(/^.[✗! ] \d\d:\d\d:\d\d /, '').replaceAll(/ {2,}/g, ' | '));

const jobs = Array.from({length: 5}, (_, index) => `job ${index} done`);

test('lines of one shape, level and source that follow each other become their first one', () => {
  const play = openLog('begin', ...jobs, 'ERROR job 5 done', 'ERROR job 6 done', 'job 7 done', 'end');
  expect(rowsOf(play)).toHaveLength(10);
  give(play, 'toggleRepeats');
  expect(rowsOf(play)).toEqual(['begin', 'job 0 done | × 5', 'ERROR job 5 done | × 2', 'job 7 done', 'end']);
  expect(showScreen(play.state).at(-2)).toContain('repeats folded');
  give(play, 'toggleRepeats');
  expect(rowsOf(play)).toHaveLength(10);
});

test('a run grows as lines arrive, over the end of what was held', () => {
  const play = openLog('begin', 'job 0 done');
  give(play, 'toggleRepeats');
  expect(rowsOf(play)).toEqual(['begin', 'job 0 done']);
  play.windowArrives(windowWith(['begin', ...jobs]));
  expect(rowsOf(play)).toEqual(['begin', 'job 0 done | × 5']);
});

test('a run is one over many chunks of the log, and the counts of lines are those without folds', () => {
  const play = openLog('begin', ...Array.from({length: 1200}, (_, index) => `job ${index} done`), 'end');
  give(play, 'toggleRepeats');
  expect(rowsOf(play)).toEqual(['begin', 'job 0 done | × 1,200', 'end']);
  expect(play.state.log?.filtering?.[0]?.filtered.lineCount).toBe(1202);
});

test('the lines of a trace are no repeats', () => {
  const play = openLog('PHP Fatal error:  Uncaught Error: no', '#0 /srv/a.php(1)', '#1 /srv/a.php(2)', 'calm');
  give(play, 'toggleRepeats');
  expect(rowsOf(play)).toHaveLength(4);
});

test('Enter opens a run in its place, and again the line', () => {
  const play = openLog('begin', ...jobs, 'end', 'job 8 done', 'job 9 done');
  give(play, 'toggleRepeats', 'pickLines', 'moveUp', 'moveUp', 'openLine');
  expect(rowsOf(play)).toEqual(['begin', ...jobs, 'end', 'job 8 done | × 2']);
  expect(play.state.log?.overlay).toBeUndefined();
  give(play, 'openLine');
  expect(play.state.log?.overlay).toMatchObject({kind: 'line', line: {raw: expect.stringContaining('job 0 done')}});
});

test('what is copied or saved has the folded lines', () => {
  const play = openLog('begin', ...jobs, 'end');
  give(play, 'toggleRepeats', 'raiseLevel', 'lowerLevel');
  const {state} = play;
  expect(exportScope(state, state.log ?? expect.fail('no log')).view.entryCount).toBe(8);
});

test('a hit of the search is not folded away, nor is what is shown escaped', () => {
  const play = openLog('begin', ...jobs, 'end');
  give(play, 'toggleRepeats', 'openSearch');
  enter(play, 'job 3');
  const order = play.effects.find(effect => effect.kind === 'match') ?? expect.fail('no order to look for it');
  const results = order.chunks.map(chunk => [chunk, Uint16Array.from([chunk.entryCount - 3])] as const);
  play.send({kind: 'patternMatched', patternId: order.patternId, results});
  expect(rowsOf(play)).toEqual(['begin', 'job 0 done | × 3', 'job 3 done | × 2', 'end']);
  give(play, 'back', 'nextRowForm', 'nextRowForm');
  expect(rowsOf(play)).toEqual([...jobs, 'end']);
});
