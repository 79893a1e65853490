import {expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {isFiltering, viewLog} from '#app/state/log-sources.ts';
import type {State} from '#app/state/state.ts';
import {filterChunksMax} from '#log/view/line-filter.ts';
import {answer, branchesNamed, enter, give, type Play, sampleState, showScreen, startAt} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

/** In more than twice as many chunks as a filter works out at once. */
const lineCount = filterChunksMax * 512 * 2.5;

type IsError = (index: number) => boolean;
const everyTenth: IsError = index => index % 10 === 0;

const seconds: string[] = [];

const linesOf = (first: number, end: number, isError = everyTenth) => {
  const lineAt = (index: number): string => {
    const second = Math.floor(index / 10);
    seconds[second] ??= new Date(Date.UTC(2026, 10, 21, 10) + second * 1000).toISOString().slice(0, -4);
    return `${seconds[second]}${index % 10}00000000Z ${isError(index) ? 'ERROR' : 'INFO'} number ${index}`;
  };
  const lines = Array.from({length: end - first}, (_, at) => lineAt(first + at));
  return answer({pods: [], lines, sessionId: 's', cut: 'branch' as const});
};

const openState = (isError: IsError): State => {
  const play = startAt(
    sampleState({rows: 12, logSettings: {intervalMs: 2000, bufferBytesMax: 1e9, keepsColour: false, rows: 'laid-out'}}),
  );
  give(play, 'open');
  play.branchesArrive(branchesNamed('master'));
  give(play, 'open');
  play.windowArrives(linesOf(0, lineCount, isError));
  return play.state;
};

/** Opened once: what is done with a state leaves it as it is. */
const opened = openState(everyTenth);
const openLog = (isError?: IsError): Play => startAt(isError === undefined ? opened : openState(isError));

const numbers = (play: Play): readonly number[] =>
  showScreen(play.state).flatMap(row => /number (\d+)$/.exec(row.trimEnd())?.slice(1).map(Number) ?? []);
const shownCount = ({state}: Play): number => (state.log === undefined ? 0 : viewLog(state.log).entryCount);
const isFilteringOn = ({state}: Play): boolean => state.log !== undefined && isFiltering(state.log);
const isOrdered = ({effects}: Play): boolean => effects.some(({kind}) => kind === 'filterSoon');
const filterOn = (play: Play): void => play.send({kind: 'filterDue', generation: play.state.generation});

/** Has the filters go on as often as they ask for it; `look` is called each time. */
const filterToEnd = (play: Play, look: () => void = () => {}): number => {
  let turns = 0;
  for (; isOrdered(play) && turns < 100; turns++) {
    filterOn(play);
    look();
  }
  return turns;
};

test('a level is put in force in several turns, the newest lines first, and the row of filters tells it', () => {
  const play = openLog();
  give(play, 'raiseLevel', 'raiseLevel', 'raiseLevel');
  expect(isOrdered(play)).toBe(true);
  expect(shownCount(play)).toBeLessThan(lineCount / 10);
  const newest = numbers(play);
  expect(newest.at(-1)).toBe(Math.floor((lineCount - 1) / 10) * 10);
  expect(showScreen(play.state).join('\n')).toContain('more to come');
  const turns = filterToEnd(play, () => expect(numbers(play)).toEqual(newest));
  expect(turns).toBeGreaterThan(0);
  expect(shownCount(play)).toBe(Math.ceil(lineCount / 10) + 1);
  expect(showScreen(play.state).join('\n')).not.toContain('more to come');
  expect(play.state.log?.viewport.kind).toBe('following');
});

test('what is read stays where it is while other lines come in, wherever that is', () => {
  for (const keys of [
    ['goFirst', 'pageDown', 'pageDown'],
    ['pageUp', 'pageUp', 'pageUp'],
  ] as const) {
    const play = openLog();
    give(play, ...keys);
    const [top, middle = Number.NaN] = [numbers(play)[0], numbers(play)[4]];
    give(play, 'raiseLevel', 'raiseLevel', 'raiseLevel');
    const shown = numbers(play);
    expect(shown).toContain(Math.ceil(middle / 10) * 10);
    expect(filterToEnd(play, () => expect(numbers(play)).toEqual(shown))).toBeGreaterThan(0);
    give(play, 'removeFilters');
    expect(numbers(play)[0]).toBe(top);
  }
});

test('a state shows the same however far the filters are by now', () => {
  const play = openLog();
  give(play, 'raiseLevel', 'raiseLevel');
  const {log} = play.state;
  const view = log && viewLog(log);
  const entryCount = view?.entryCount;
  filterToEnd(play);
  expect(shownCount(play)).toBeGreaterThan(entryCount ?? 0);
  expect(log && viewLog(log).entryCount).toBe(entryCount);
});

test('keys and windows between two turns find their place, and what is held on top stays', () => {
  const play = openLog();
  give(play, 'goFirst', ...Array.from({length: 10}, (): Command => 'pageDown'), 'toggleFolds');
  const middle = numbers(play)[4] ?? Number.NaN;
  give(play, 'raiseLevel', 'raiseLevel', 'raiseLevel');
  const shown = numbers(play);
  play.windowArrives(linesOf(lineCount - 10, lineCount + 10));
  expect(isFilteringOn(play)).toBe(true);
  expect(numbers(play)).toEqual(shown);
  filterOn(play);
  give(play, 'moreContext');
  expect(numbers(play)[4]).toBe(Math.ceil(middle / 10) * 10 - 1);
  filterToEnd(play);
  expect(shownCount(play)).toBe(1 + 3 * Math.ceil((lineCount + 10) / 10) - 1);
  give(play, 'goLast');
  expect(numbers(play).at(-1)).toBe(lineCount + 1);
});

test('a window that comes before anything is found takes nobody to the beginning of the log', () => {
  const isOld: IsError = index => index < 500;
  const play = openLog(isOld);
  give(play, 'pageUp', 'pageUp');
  const top = numbers(play)[0];
  give(play, 'raiseLevel', 'raiseLevel', 'raiseLevel');
  expect(numbers(play).at(-1)).toBe(499);
  play.windowArrives(linesOf(lineCount - 10, lineCount + 10, isOld));
  filterToEnd(play);
  expect(numbers(play).at(-1)).toBe(499);
  give(play, 'removeFilters');
  expect(numbers(play)[0]).toBe(top);
});

test('a search waits for what the filters leave', () => {
  const play = openLog();
  give(play, 'raiseLevel', 'raiseLevel', 'raiseLevel', 'openSearch');
  enter(play, 'number 20');
  answerSearches(play);
  // The search is answered for all lines; the filter has not got to any in which it is.
  expect(play.state.log?.cursor).toBeUndefined();
  while (isFilteringOn(play)) {
    filterOn(play);
    answerSearches(play);
  }
  expect(numbers(play)).toContain(20_990);
  expect(play.state.log?.use.search.kind).toBe('resting');
});

test('a turn that was ordered for a log that was left, or that has nothing to do, changes nothing', () => {
  const play = openLog();
  give(play, 'raiseLevel', 'raiseLevel');
  const {log, generation} = play.state;
  play.send({kind: 'filterDue', generation: generation - 1});
  expect(play.state.log).toBe(log);
  give(play, 'removeFilters');
  const unfiltered = play.state.log;
  filterOn(play);
  expect(play.state.log).toBe(unfiltered);
  expect(isOrdered(play)).toBe(false);
});
