import {describe, expect, test} from 'vitest';
import {
  type InputFocus,
  isFilterOpen,
  promptOf,
  screenFocus,
  takesText,
  toggleHelp,
  withFilterOpen,
  withoutFilterOpen,
  withoutPrompt,
  withPrompt,
} from '#app/keys/input-focus.ts';
import {openPrompt} from '#app/keys/prompt.ts';
import {
  arrivalsFromOf,
  filteredOf,
  findSource,
  isFiltering,
  keptLists,
  openedRepeats,
  sourcesInMemory,
  viewAll,
  viewLog,
} from '#app/state/log-sources.ts';
import type {HeldLog, LogState} from '#app/state/state.ts';
import {closePane, columnsMin, paneRows, rowsMin} from '#app/state/step.ts';
import {give, linesOf, logOf, openEmptyLog, openLogWith, type, windowOf} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const prompt = openPrompt('search', 'x');
const screen: InputFocus = screenFocus;
const help: InputFocus = {kind: 'help', top: 3};
const searching: InputFocus = {kind: 'help', top: 0, search: {text: 'x', isOpen: true}};
const searched: InputFocus = {kind: 'help', top: 0, search: {text: 'x', isOpen: false}};
const filter: InputFocus = {kind: 'filter'};
const overScreen: InputFocus = {kind: 'prompt', prompt, over: 'screen'};
const overFilter: InputFocus = {kind: 'prompt', prompt, over: 'filter'};
const all = [screen, help, searching, searched, filter, overScreen, overFilter];

describe('what has the keys', () => {
  test('takes text, is a filter, or has an input line', () => {
    expect(all.map(focus => takesText({focus}))).toEqual([false, false, true, false, true, true, true]);
    expect(all.map(focus => isFilterOpen({focus}))).toEqual([false, false, false, false, true, false, true]);
    expect(all.map(focus => promptOf({focus}))).toEqual([...Array.from({length: 5}), prompt, prompt]);
  });

  test('is help, or no longer, but not in place of an input line', () => {
    expect(all.map(toggleHelp)).toEqual([
      {kind: 'help', top: 0},
      screen,
      screen,
      screen,
      {kind: 'help', top: 0},
      overScreen,
      overFilter,
    ]);
  });

  test('is an input line over what was there, and goes back to a filter', () => {
    const other = openPrompt('time');
    expect(all.map(focus => withPrompt(focus, other))).toEqual([
      ...Array.from({length: 4}, () => ({kind: 'prompt', prompt: other, over: 'screen'})),
      {kind: 'prompt', prompt: other, over: 'filter'},
      {kind: 'prompt', prompt: other, over: 'screen'},
      {kind: 'prompt', prompt: other, over: 'filter'},
    ]);
    expect(all.map(withoutPrompt)).toEqual([screen, help, searching, searched, filter, screen, filter]);
  });

  test('is a filter that was opened, also under an input line', () => {
    expect(all.map(withFilterOpen)).toEqual([filter, filter, filter, filter, filter, overFilter, overFilter]);
    expect(all.map(withoutFilterOpen)).toEqual([screen, help, searching, searched, screen, overScreen, overScreen]);
  });
});

test('the pane has all rows but four, and at least one', () => {
  expect([paneRows({rows: 24}), paneRows({rows: 5}), paneRows({rows: 2})]).toEqual([20, 1, 1]);
  expect([columnsMin, rowsMin]).toEqual([20, 5]);
});

test('a pane that is closed stops what was being computed for it', () => {
  const play = openLogWith(linesOf(1, 5));
  give(play, 'toggleSummary');
  const closed = closePane(play.state, logOf(play));
  expect([closed.state.log?.overlay, closed.effects]).toEqual([undefined, [{kind: 'cancelSummary'}]]);
  give(play, 'back', 'toggleInspector');
  expect(closePane(play.state, logOf(play)).effects).toEqual([]);
});

describe('the sources of a log', () => {
  test('are found by the branch, and are one view with and without filters', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(linesOf(1, 3, [2]), 'b-master');
    play.windowArrives(linesOf(4, 6), 'b-staging');
    expect(findSource(logOf(play), 'b-staging')?.branch.name).toBe('staging');
    expect(findSource(logOf(play), 'nobody')).toBeUndefined();
    expect([viewAll(logOf(play)).entryCount, viewLog(logOf(play)).entryCount]).toEqual([8, 8]);
    expect(filteredOf(logOf(play), 0)).toBeUndefined();
    type(play, 'filterIn', 'ERROR');
    answerSearches(play);
    expect([viewAll(logOf(play)).entryCount, viewLog(logOf(play)).entryCount]).toEqual([8, 3]);
    expect(keptLists(logOf(play)).map(({entryCount}) => entryCount)).toEqual([2, 1]);
    expect(filteredOf(logOf(play), 1)?.lineCount).toBe(0);
    expect([isFiltering(logOf(play)), isFiltering(logOf(openEmptyLog()))]).toEqual([false, false]);
    const [first = expect.fail(), second = expect.fail()] = logOf(play).filtering ?? [];
    const waiting = {...second, filtered: {...second.filtered, waitingCount: 1}};
    expect(isFiltering({...logOf(play), filtering: [first, waiting]})).toBe(true);
    expect(arrivalsFromOf(logOf(play))).toBeUndefined();
  });

  test('have repeated lines folded unless they are escaped', () => {
    const log = logOf(openLogWith(windowOf(1)));
    const repeats: LogState['repeats'] = [];
    expect(openedRepeats({...log, repeats})).toBe(repeats);
    expect(openedRepeats({...log, repeats, look: {...log.look, rows: 'escaped'}})).toBeUndefined();
    expect(openedRepeats(log)).toBeUndefined();
  });

  test('in memory are those on the screen, then those that were left last, of the same site, each branch once', () => {
    const log = logOf(openLogWith(windowOf(1)));
    const named = (id: string, siteId: string, generation: number): HeldLog => ({
      log: {...log, siteId, sources: [{...log.sources[0], branch: {...log.sources[0].branch, _id: id}}]},
      ...{generation, leftAtMs: 0, askedAtMs: 0},
    });
    const held = [
      named('b-x', 'site-1', 1),
      named('b-x', 'site-1', 2),
      named('b-master', 'site-1', 3),
      named('b-y', 'site-2', 4),
    ];
    expect(sourcesInMemory({held}, log).map(({branch, held: of}) => [branch._id, of?.generation])).toEqual([
      ['b-master', undefined],
      ['b-x', 2],
    ]);
  });
});
