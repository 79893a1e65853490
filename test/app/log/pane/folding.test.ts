import {expect, test} from 'vitest';
import {
  answer,
  branchesNamed,
  enter,
  give,
  onBranches,
  type Play,
  showScreen,
  windowOf,
} from '../../../support/play.ts';

const openLog = (names: readonly string[] = ['master'], rows = 12): Play => {
  const play = onBranches(branchesNamed(...names), {rows});
  if (names.length > 1) {
    give(play, 'toggleMark', 'moveDown', 'toggleMark');
  }
  give(play, 'open');
  return play;
};

/** A window of lines, each with the second at which it was written. */
const textWindow = (lines: readonly (readonly [second: number, text: string])[]) => {
  const window = windowOf();
  return answer({
    ...window.value,
    lines: lines.map(([second, text]) => `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z ${text}`),
  });
};

const frames = (second: number, count: number): readonly (readonly [number, string])[] =>
  Array.from({length: count}, (_, index) => [second, `#${index} /srv/app/cart.php(${index})`] as const);

const trace = [[1, 'calm'], [2, 'PHP Fatal error:  Uncaught Error: no'], ...frames(2, 11), [3, 'calm again']] as const;

/** The rows of the pane without the blank ones, times cut off. */
const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .filter(row => row !== '')
    .map(row => row.replace(/^(.)[✗! ] \d\d:\d\d:\d\d/, '$1'));

const folded = [
  ' ── the service held nothing older than 14:00:01 ──────────────────────────────',
  '  calm',
  '  PHP Fatal error  Uncaught Error: no',
  '            ⋮ 11 more lines of the trace',
  '  calm again',
];

test('traces stand whole, and one key folds them to their first lines', () => {
  const play = openLog();
  play.windowArrives(textWindow(trace));
  expect(paneOf(play).slice(-2)).toEqual(['  #10 /srv/app/cart.php(10)', '  calm again']);
  give(play, 'toggleFolds');
  expect(paneOf(play)).toEqual(folded);
  expect(showScreen(play.state).at(-2)).toContain('folded');
  give(play, 'toggleFolds');
  expect(paneOf(play)).toHaveLength(8);
  expect(paneOf(play).join()).not.toContain('⋮');
});

test('a trace that comes in piece by piece is counted as it stands', () => {
  const play = openLog();
  give(play, 'toggleFolds');
  play.windowArrives(textWindow(trace.slice(0, 3)));
  expect(paneOf(play).slice(-1)).toEqual(['            ⋮ 1 more line of the trace']);
  play.windowArrives(textWindow(trace.slice(0, 8)));
  expect(paneOf(play).slice(-1)).toEqual(['            ⋮ 6 more lines of the trace']);
  play.windowArrives(textWindow(trace));
  expect(paneOf(play)).toEqual(folded);
});

test('what is shown escaped is never folded', () => {
  const play = openLog();
  play.windowArrives(textWindow(trace));
  give(play, 'toggleFolds', 'nextRowForm');
  expect(paneOf(play).join()).toContain('PHP Fatal error:  Uncaught Error: no,            ⋮ 11 more');
  give(play, 'nextRowForm');
  expect(paneOf(play).join()).not.toContain('⋮');
  expect(paneOf(play)).toHaveLength(8);
  give(play, 'nextRowForm');
  expect(paneOf(play)).toEqual(folded);
});

test('more than five hundred are not counted', () => {
  const play = openLog();
  play.windowArrives(textWindow([[1, 'Error: deep'], ...frames(1, 700), [2, 'calm']]));
  give(play, 'toggleFolds');
  expect(paneOf(play).slice(-3)).toEqual(['  Error: deep', '            ⋮ 500+ more lines of the trace', '  calm']);
});

test('the key that scrolls by a row goes over the row of the fold, and a page is no longer than the pane', () => {
  const play = openLog(['master'], 8);
  play.windowArrives(
    textWindow(
      Array.from({length: 6}, (_, index) => [[index, `Error: ${index}`], ...frames(index, 3)] as const).flat(),
    ),
  );
  give(play, 'toggleFolds');
  const shown = (): readonly string[] => paneOf(play).map(row => row.trim());
  const more = '⋮ 3 more lines of the trace';
  expect(shown()).toEqual(['Error: 4', more, 'Error: 5', more]);
  give(play, 'moveUp');
  expect(shown()).toEqual([more, 'Error: 4', more, 'Error: 5']);
  give(play, 'moveUp');
  expect(shown()).toEqual(['Error: 3', more, 'Error: 4', more]);
  give(play, 'goLast');
  expect(shown()).toEqual(['Error: 4', more, 'Error: 5', more]);
});

test('of several branches the trace of one is folded though lines of another came in between', () => {
  const play = openLog(['master', 'staging']);
  play.windowArrives(
    textWindow([
      [1, 'Error: one'],
      [2, '#0 a'],
      [4, '#1 b'],
      [6, 'calm'],
    ]),
    'b-master',
  );
  play.windowArrives(
    textWindow([
      [1, 'other'],
      [3, 'other too'],
      [5, '\tat nothing of theirs'],
    ]),
    'b-staging',
  );
  give(play, 'toggleFolds');
  expect(paneOf(play).filter(row => !row.includes('──'))).toEqual([
    '  master  Error: one',
    '                    ⋮ 2 more lines of the trace',
    '  staging other',
    '  staging other too',
    '                    ⋮ 1 more line of the trace',
    '  master  calm',
  ]);
});

test('what is searched for is not folded away, and the count tells of the others', () => {
  const play = openLog();
  play.windowArrives(textWindow(trace));
  give(play, 'toggleFolds', 'openSearch');
  enter(play, 'php(7)');
  const order = play.effects.find(effect => effect.kind === 'match') ?? expect.fail('no order to look for it');
  const results = order.chunks.map(
    chunk =>
      [chunk, Uint16Array.from(Array.from({length: chunk.entryCount}, (_, at) => at).filter(at => at === 10))] as const,
  );
  play.send({kind: 'patternMatched', patternId: order.patternId, results});
  expect(paneOf(play).map(row => row.trim())).toEqual([
    folded[0]?.trim(),
    'calm',
    'PHP Fatal error  Uncaught Error: no',
    '⋮ 10 more lines of the trace',
    '▸ #7 /srv/app/cart.php(7)',
    'calm again',
  ]);
  give(play, 'back');
  expect(paneOf(play)).toEqual(folded);
});
