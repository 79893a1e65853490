import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {paneOf} from '#app/log/log-pane.ts';
import {viewLog} from '#app/state/log-sources.ts';
import {topIndex} from '#log/view/viewport.ts';
import {answer, branchesNamed, enter, type Play, sampleState, showScreen, startAt} from '../../support/play.ts';
import {runsOf} from '../../support/thorough.ts';
import {answerSearches} from '../play-search.ts';

const rows = 16;

const textOf = (index: number): string => {
  const wide = 'with much to say '.repeat(index % 9);
  switch (index % 20) {
    case 3:
    case 11:
      return `ERROR n${index}; payment failed ${wide}`;
    case 5:
      return JSON.stringify({level: 'warn', message: `n${index};`, order: index, detail: wide});
    case 8:
      return `PHP Fatal error:  Uncaught Error: n${index}; no cart`;
    case 9:
    case 10:
      return `#${index % 20} /srv/app/cart.php(n${index};)`;
    default:
      return `${index % 3 === 0 ? 'DEBUG' : 'INFO'} n${index}; ${wide}`;
  }
};

/** Lines of two containers over two midnights: of UTC, and an hour later of the user's zone. */
const openLog = (): Play => {
  const play = startAt(sampleState({rows}));
  const give = giving(play);
  give('open');
  play.branchesArrive(branchesNamed('master'));
  give('open');
  const count = 300;
  const lines = Array.from({length: count}, (_, index) => {
    const at = new Date(Date.UTC(2026, 10, 20, 22) + index * 30_000).toISOString().slice(0, -1);
    return `${at}000000Z ${textOf(index)}`;
  });
  const sources = ['nginx', 'php'].map(container => ({pod: 'web-1', container, stream: 'stdout'}));
  const runs = lines.map((_, index) => [index % 7 === 0 ? 0 : 1, 1] as const);
  const numbering = {series: 'a', first: 1, sources, runs, losses: []};
  play.windowArrives(answer({pods: [], lines, sessionId: 's', numbering}));
  return play;
};

const giving =
  (play: Play) =>
  (...commands: readonly Command[]): void => {
    for (const command of commands) {
      play.send({kind: 'commandGiven', command});
      answerSearches(play);
    }
  };

const filter = (play: Play, command: 'filterIn' | 'filterOut' | 'filterByTime', text: string): void => {
  play.send({kind: 'commandGiven', command});
  enter(play, text);
  answerSearches(play);
};

const nameIn = (row: string): string | undefined => /n\d+;/.exec(row)?.[0];

/** The rows of the lines on the screen, by the line's name. */
const rowsOf = (play: Play): ReadonlyMap<string, number> =>
  new Map(
    showScreen(play.state)
      .slice(2, -2)
      .flatMap((row, index) => {
        const name = nameIn(row);
        return name === undefined ? [] : ([[name, index]] as const);
      })
      .reverse(),
  );

const nameAtCursor = ({state}: Play): string | undefined => {
  const {log} = state;
  const anchor = log?.cursor?.anchor;
  const [found] = log === undefined || anchor === undefined ? [] : viewLog(log).slice(viewLog(log).indexOf(anchor), 1);
  return found?.entry.kind === 'line' && found.entry.id === anchor?.id ? nameIn(found.entry.raw) : undefined;
};

test('a line found among filtered ones stays in its row when the filter goes', () => {
  const play = openLog();
  filter(play, 'filterIn', 'failed');
  giving(play)('previousError', 'previousError', 'previousError');
  const name = nameAtCursor(play) ?? '';
  const row = rowsOf(play).get(name);
  expect(row).toBeGreaterThan(0);
  giving(play)('removeFilter');
  expect(rowsOf(play).get(name)).toBe(row);
  giving(play)('raiseLevel', 'raiseLevel', 'raiseLevel');
  expect(rowsOf(play).get(name)).toBe(row);
  giving(play)('removeFilters');
  expect(rowsOf(play).get(name)).toBe(row);
});

test('a key that moves the cursor or the pane decides anew which line stays', () => {
  const play = openLog();
  const give = giving(play);
  give('pageUp', 'pageUp', 'previousError', 'toggleWrap', 'previousError');
  const name = nameAtCursor(play) ?? '';
  const row = rowsOf(play).get(name);
  give('toggleWrap');
  expect(rowsOf(play).get(name)).toBe(row);
});

test('the headings of columns come and go, and the line under the cursor stays in its row', () => {
  const play = openLog();
  const give = giving(play);
  give('pageUp', 'pageUp', 'previousError', 'chooseColumns', 'moveDown', 'togglePause', 'openLine', 'previousError');
  const name = nameAtCursor(play) ?? '';
  const row = rowsOf(play).get(name);
  expect(showScreen(play.state)[2]).toMatch(/^ +message$/);
  give('chooseColumns', 'removeFilters', 'openLine');
  expect(showScreen(play.state)[2]).not.toMatch(/^ +message$/);
  expect(rowsOf(play).get(name)).toBe(row);
});

type Toggle = Command | readonly ['filterIn' | 'filterOut', string] | 'hideSource' | 'chooseColumn';

const toggles: readonly Toggle[] = [
  'raiseLevel',
  'lowerLevel',
  'removeFilters',
  'removeFilter',
  'toggleFilters',
  'moreContext',
  'lessContext',
  'toggleWrap',
  'toggleFolds',
  'toggleRepeats',
  'nextRowForm',
  'nextTimeMode',
  'hideSource',
  'chooseColumn',
  ['filterIn', 'failed'],
  ['filterOut', 'failed'],
  ['filterIn', 'INFO'],
  ['filterOut', '5;'],
];

test('whatever filters, levels and looks do, the cursor or the middle line stays in its row', () => {
  let checkCount = 0;
  fc.assert(
    fc.property(
      fc.integer({min: 4, max: 14}),
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.constantFrom(...toggles), {minLength: 1, maxLength: 12}),
      (pagesUp, jumps, isRanged, keys) => {
        const play = openLog();
        const give = giving(play);
        if (isRanged) {
          filter(play, 'filterByTime', 'from 22:05');
          give('goLast');
        }
        give(...Array.from({length: pagesUp}, (): Command => 'pageUp'), ...(jumps ? (['previousError'] as const) : []));
        const middle = [...rowsOf(play)].find(([, row]) => row === Math.floor((rows - (isRanged ? 5 : 4)) / 2))?.[0];
        const name = jumps ? nameAtCursor(play) : middle;
        // In the middle there may be the rule of a day.
        fc.pre(name !== undefined);
        const row = rowsOf(play).get(name);
        for (const key of keys) {
          if (key === 'hideSource') {
            give('toggleSources', 'togglePause', 'toggleSources');
          } else if (key === 'chooseColumn') {
            // The message, in which the names are.
            give('chooseColumns', 'moveDown', 'togglePause', 'openLine');
          } else if (typeof key === 'string') {
            // Asks which one, if there are several.
            give(key);
            play.send({kind: 'inputKey', key: 'Esc'});
          } else {
            filter(play, ...key);
          }
          const {log} = play.state;
          const pane = log && paneOf(play.state, log);
          const isAtBeginning =
            log === undefined || pane === undefined || topIndex(log.viewport, pane.view, pane) === 0;
          const now = rowsOf(play).get(name);
          const isHidden =
            log === undefined ||
            !viewLog(log)
              .slice(0, 1000)
              .some(({entry}) => entry.kind === 'line' && nameIn(entry.raw) === name);
          if (!isHidden && !isAtBeginning) {
            checkCount++;
            expect(now).toBe(row);
          }
        }
      },
    ),
    {numRuns: runsOf(120)},
  );
  expect(checkCount).toBeGreaterThan(runsOf(120));
});

test('filters are switched off and on without being typed again, and the line that is read keeps its row', () => {
  const play = openLog();
  const give = giving(play);
  filter(play, 'filterIn', 'failed');
  give('previousError', 'previousError', 'previousError');
  const name = nameAtCursor(play) ?? '';
  const [row, filtered] = [rowsOf(play).get(name), showScreen(play.state).slice(2, -2)];
  give('toggleFilters');
  expect(rowsOf(play).get(name)).toBe(row);
  expect(showScreen(play.state).at(-3)).toMatch(/filters off {3}\+ failed {3}300 of 300 .*! switches on/);
  give('toggleFilters');
  expect(showScreen(play.state).slice(2, -2)).toEqual(filtered);
  give('toggleFilters', 'raiseLevel');
  expect(showScreen(play.state).at(-3)).toContain('30 of 300');
});
