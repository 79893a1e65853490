import {describe, expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {selectView} from '#app/select-view.ts';
import {answer, openBranch, type Play, paneOf, showScreen} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
  }
};

const type = (play: Play, command: Command, text: string): void => {
  give(play, command);
  play.send({kind: 'textTyped', text});
  play.send({kind: 'inputKey', key: 'Enter'});
  answerSearches(play);
};

/** Lines of seconds after 14:00:00: every tenth an error, every seventh about health. */
const textOf = (second: number): string => {
  if (second % 10 === 0) {
    return `ERROR Timeout of upstream ${second}`;
  }
  return second % 7 === 0 ? `INFO health ${second}` : `INFO request ${second}`;
};

const arrive = (play: Play, first: number, last: number): void => {
  const seconds = Array.from({length: last - first + 1}, (_, index) => first + index);
  const stamp = (second: number) => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, 19);
  const lines = seconds.map(second => `${stamp(second)}.000000000Z ${textOf(second)}`);
  play.windowArrives(answer({pods: [], lines, sessionId: 's'}));
  answerSearches(play);
};

/** Six rows in the pane; the horizon and a hundred lines. */
const openLog = (): Play => {
  const play = openBranch({rows: 10});
  arrive(play, 1, 100);
  return play;
};

/** The numbers of the lines in the pane, with the cursor's mark. */
const numbers = (play: Play): readonly string[] =>
  paneOf(play).flatMap(row => {
    const number = /^(.)[✗! ] \d\d:\d\d:\d\d .* (\d+)$/.exec(row);
    return number === null ? [] : [`${number[1] === '▸' ? '▸' : ''}${number[2]}`];
  });
const stateRow = (play: Play): string => showScreen(play.state).at(-2) ?? '';
const tonesOf = (play: Play, tone: string): readonly string[] => {
  const view = selectView(play.state);
  return 'tooSmall' in view || view.pane.kind !== 'rows'
    ? []
    : view.pane.rows.flat().flatMap(span => (span.tone === tone ? [span.text] : []));
};

describe('search', () => {
  test('goes to the newest hit while following, and on from there either way, with place and count', () => {
    const play = openLog();
    type(play, 'openSearch', 'timeout');
    expect(numbers(play)).toEqual(['95', '96', '97', '98', '99', '▸100']);
    expect(stateRow(play)).toContain('/timeout  10 of 10');
    give(play, 'previousHit');
    expect(numbers(play)).toContain('▸90');
    expect(stateRow(play)).toContain('9 of 10');
    give(play, 'nextHit', 'nextHit');
    expect(stateRow(play)).toBe(' no more hits below');
  });

  test('goes on from the top row while paused, and up where nothing is further down', () => {
    const play = openLog();
    give(play, 'goFirst');
    type(play, 'openSearch', 'health');
    expect(numbers(play)).toContain('▸7');
    give(play, 'goLast', 'moveUp');
    type(play, 'openSearch', 'health 14');
    expect(numbers(play)).toContain('▸14');
  });

  test('lines that come are searched too, and move nothing', () => {
    const play = openLog();
    type(play, 'openSearch', 'Timeout');
    const before = numbers(play);
    arrive(play, 80, 120);
    expect(numbers(play)).toEqual(before);
    expect(stateRow(play)).toContain('10 of 12');
  });

  test('hits are shown in their place; the one of the cursor stands out; Esc clears them and stays on the log', () => {
    const play = openLog();
    type(play, 'openSearch', 're:up(str)eam \\d+');
    expect(tonesOf(play, 'hitNow')).toEqual(['upstream 100']);
    give(play, 'previousHit');
    expect(tonesOf(play, 'hitNow')).toEqual(['upstream 90']);
    expect(showScreen(play.state).at(-1)).toMatch(/^ n next {3}N previous {3}Esc clear /);
    give(play, 'back');
    expect(showScreen(play.state).at(-1)).toContain('/ search ');
    expect(tonesOf(play, 'hit')).toEqual([]);
    expect(tonesOf(play, 'hitNow')).toEqual([]);
    expect(play.state.screen).toBe('log');
    expect(numbers(play)).toContain('▸90');
  });

  test('a pattern that is none, one that is nowhere, and none at all are told', () => {
    const play = openLog();
    give(play, 'nextHit');
    expect(stateRow(play)).toBe(' no search yet: / starts one');
    type(play, 'openSearch', 're:(');
    expect(stateRow(play)).toContain("can't be used");
    type(play, 'openSearch', 'nowhere');
    expect(stateRow(play)).toContain('/nowhere  0 hits');
    expect(numbers(play)).toHaveLength(6);
  });

  test('nothing typed means what was searched for last', () => {
    const play = openLog();
    type(play, 'openSearch', 'timeout');
    give(play, 'back');
    type(play, 'openSearch', '');
    expect(stateRow(play)).toContain('/timeout');
  });

  test('a pattern that fails says why, and no more is asked of it', () => {
    const play = openLog();
    give(play, 'openSearch');
    play.send({kind: 'textTyped', text: 're:(a+)+$'});
    play.send({kind: 'inputKey', key: 'Enter'});
    const [order] = play.effects.filter(effect => effect.kind === 'match');
    play.send({
      kind: 'patternFailed',
      patternId: order?.patternId ?? -1,
      sentence: 'The search was cancelled: too slow.',
    });
    expect(stateRow(play)).toBe(' The search was cancelled: too slow.');
    give(play, 'moveUp');
    expect(stateRow(play)).toContain('cancelled');
    expect(play.effects).toEqual([]);
  });

  test('what came of patterns of a log that was left is dropped', () => {
    const play = openLog();
    give(play, 'openSearch');
    play.send({kind: 'textTyped', text: 'timeout'});
    play.send({kind: 'inputKey', key: 'Enter'});
    const [order] = play.effects.filter(effect => effect.kind === 'match');
    give(play, 'back', 'back');
    expect(play.state.screen).toBe('branches');
    give(play, 'open');
    const before = play.state.log;
    play.send({kind: 'patternMatched', patternId: order?.patternId ?? -1, results: []});
    expect(play.state.log?.use).toBe(before?.use);
  });
});

describe('filters', () => {
  test('only lines matching any of the patterns are shown, with the markers, and those that come are filtered too', () => {
    const play = openLog();
    type(play, 'filterIn', 'health 9');
    expect(numbers(play)).toEqual(['91', '98']);
    type(play, 'filterIn', 'request 99');
    expect(numbers(play)).toEqual(['91', '98', '99']);
    expect(paneOf(play)[0]).toContain('nothing older');
    expect(paneOf(play).at(-1)).toMatch(
      /^ filter {3}1 \+ health 9 \(2\) {3}2 \+ request 99 \(1\) {3}3 of 100 +x removes$/,
    );
    arrive(play, 60, 110);
    expect(numbers(play)).toEqual(['91', '98', '99']);
    expect(paneOf(play).at(-1)).toContain('3 of 110');
    type(play, 'removeFilter', '3');
    expect(stateRow(play)).toBe(' there is no filter number 3: there are 2');
    type(play, 'removeFilter', '1');
    expect(numbers(play)).toEqual(['99']);
    type(play, 'filterIn', 'health 9');
    type(play, 'filterIn', 'health 84');
    type(play, 'removeFilter', '');
    expect(numbers(play)).toEqual(['91', '98', '99']);
    give(play, 'removeFilters');
    expect(numbers(play)).toEqual(['105', '106', '107', '108', '109', '110']);
  });

  test('lines with an excluded pattern are not, whatever else they hold', () => {
    const play = openLog();
    type(play, 'filterIn', '9');
    type(play, 'filterOut', 'request');
    expect(numbers(play)).toEqual(['49', '90', '91', '98']);
  });

  test('what is further down is counted as far as the filters leave it', () => {
    const play = openLog();
    type(play, 'filterIn', 'timeout');
    give(play, 'goFirst');
    expect(stateRow(play)).toContain('6 newer below');
    give(play, 'removeFilter');
    // The middle line keeps its row, so older lines come in above it.
    expect(stateRow(play)).toContain('77 newer below');
  });

  test('context stands around each, up to nine lines', () => {
    const play = openLog();
    type(play, 'filterIn', 'upstream 50');
    give(play, 'moreContext');
    expect(numbers(play)).toEqual(['49', '50', '51']);
    give(play, ...Array.from({length: 20}, () => 'moreContext' as const));
    expect(play.state.log?.contextLines).toBe(9);
    give(play, 'lessContext');
    expect(paneOf(play).at(-1)).toContain('± 8 lines');
  });

  test('the least level goes up and round, and down', () => {
    const play = openLog();
    give(play, 'raiseLevel', 'raiseLevel');
    expect(paneOf(play).at(-1)).toContain('≥ warn');
    expect(numbers(play)).toEqual(['60', '70', '80', '90', '100']);
    give(play, 'raiseLevel', 'raiseLevel');
    expect(numbers(play)).toEqual(['95', '96', '97', '98', '99', '100']);
    give(play, 'lowerLevel');
    expect(paneOf(play).at(-1)).toContain('≥ error');
  });

  test('what is read stays in view, and comes back when the filter goes', () => {
    const play = openLog();
    give(play, 'goFirst', 'pageDown', 'pageDown');
    expect(numbers(play)[0]).toBe('10');
    type(play, 'filterIn', 'timeout');
    expect(numbers(play)[0]).toBe('10');
    give(play, 'removeFilter');
    expect(numbers(play)[0]).toBe('10');
  });

  test.each(['nowhere', 'request 99', 'INFO'])(
    'a window that comes while “%s” hides what is read loses no place',
    query => {
      const play = openLog();
      give(play, 'goFirst', 'pageDown', 'pageDown');
      expect(numbers(play)[0]).toBe('10');
      type(play, 'filterIn', query);
      const shown = paneOf(play).slice(0, -1);
      arrive(play, 60, 110);
      arrive(play, 61, 111);
      expect(paneOf(play).slice(0, shown.length).at(0)).toBe(shown[0]);
      give(play, 'removeFilter');
      expect(numbers(play)[0]).toBe('10');
    },
  );

  test('a window that comes before a pattern is looked for moves nothing', () => {
    const play = openLog();
    give(play, 'goFirst', 'pageDown', 'pageDown');
    give(play, 'filterIn');
    play.send({kind: 'textTyped', text: 'request'});
    play.send({kind: 'inputKey', key: 'Enter'});
    play.windowArrives(
      answer({
        pods: [],
        lines: [
          '2026-11-21T14:01:40.000000000Z ERROR Timeout of upstream 100',
          '2026-11-21T14:01:41.000000000Z INFO request 101',
        ],
        sessionId: 's',
      }),
    );
    answerSearches(play);
    expect(numbers(play)[0]).toBe('9');
  });

  test('a search finds only what the filters leave', () => {
    const play = openLog();
    type(play, 'filterIn', 'health');
    type(play, 'openSearch', '9');
    expect(stateRow(play)).toContain('3 of 3');
    give(play, 'removeFilters');
    expect(stateRow(play)).toContain('of 19');
  });

  test('one that hides everything says so in its counts, and the log is not called empty', () => {
    const play = openLog();
    type(play, 'filterIn', 'nowhere');
    expect(numbers(play)).toEqual([]);
    expect(paneOf(play).at(-1)).toContain(' 0 of 100');
  });
});

describe('highlights', () => {
  test('each has a tone of its own, and goes when it is asked for again', () => {
    const play = openLog();
    type(play, 'highlight', 'upstream');
    type(play, 'highlight', 're:request \\d');
    expect(tonesOf(play, 'highlight1')).toEqual(['upstream']);
    expect(tonesOf(play, 'highlight2')).toEqual(['request 9', 'request 9', 'request 9', 'request 9']);
    type(play, 'highlight', 'upstream');
    expect(tonesOf(play, 'highlight1')).toHaveLength(4);
    type(play, 'highlight', '');
    expect(tonesOf(play, 'highlight1')).toEqual([]);
  });

  test('there are as many as tones', () => {
    const play = openLog();
    for (const letter of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      type(play, 'highlight', letter);
    }
    expect(stateRow(play)).toContain('6 patterns are highlighted already');
  });
});

test('hits in lines that a filter hides are counted apart', () => {
  const play = openLog();
  type(play, 'filterOut', 're:[0-4]$');
  type(play, 'openSearch', 'Timeout');
  expect(stateRow(play)).toContain('/Timeout  0 hits, 10 in lines that a filter hides');
  type(play, 'openSearch', 'health');
  expect(stateRow(play)).toMatch(/\/health {2}\d of 7, 6 hidden/);
});

test('filters that hide every line say so in the pane, and saving then warns first', () => {
  const play = openLog();
  type(play, 'filterIn', 'no such line');
  expect(paneOf(play).map(row => row.trim())).toEqual([
    expect.stringContaining('── the service held nothing older than 14:00:01'),
    '',
    'The filter hides all 100 lines.',
    'Press X to show all lines.',
    '',
    expect.stringContaining('+ no such line   0 of 100'),
  ]);
  give(play, 'saveLines');
  expect(showScreen(play.state).at(-1)).toContain('this saves 0 lines, as filters hide them all');
  play.send({kind: 'inputKey', key: 'Esc'});
  give(play, 'removeFilters');
  give(play, 'saveLines');
  expect(showScreen(play.state).at(-1)).toContain('Enter take');
});
