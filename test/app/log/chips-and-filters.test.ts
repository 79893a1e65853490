import {describe, expect, test} from 'vitest';
import {countMatching, countShown, isAllHidden} from '#app/log/apply-filters.ts';
import {addFilter, filterFromPane, toggleFilter} from '#app/log/filters.ts';
import {readFilter, writeFilter} from '#app/log/highlights.ts';
import {keepMatching} from '#app/log/keep-matching.ts';
import {selectChips} from '#app/log/select-chips.ts';
import {selectSearch} from '#app/log/select-log-state.ts';
import {findPattern} from '#app/search/patterns.ts';
import type {LogState} from '#app/state/state.ts';
import {
  answer,
  give as command,
  enter,
  linesOf,
  logOf,
  openEmptyLog,
  openLogWith,
  type Play,
  startAt,
  stateRow,
  textOf,
  windowOf,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

type Command = Parameters<typeof command>[1];

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const each of commands) {
    command(play, each);
    answerSearches(play);
  }
};

const type = (play: Play, typed: Command, text: string): void => {
  give(play, typed);
  enter(play, text);
  answerSearches(play);
};

const chips = (play: Play, columns = 120, change: Partial<LogState> = {}): string =>
  textOf(selectChips({...play.state, columns}, {...logOf(play), ...change})).trim();
const open = (): Play => openLogWith(linesOf(1, 40, [7, 20]));

describe('the row of filters', () => {
  test('has what is in force, each with its sign, and how many lines are left', () => {
    const play = open();
    type(play, 'filterIn', 'line 1');
    expect(chips(play)).toMatch(/^filter {3}\+ line 1 {3}11 of 40 +x removes$/);
    type(play, 'filterOut', 'line 12');
    expect(chips(play)).toMatch(/^filter {3}1 \+ line 1 \(11\) {3}2 − line 12 \(1\) {3}10 of 40 +x removes$/);
    give(play, 'moreContext', 'moreContext', 'raiseLevel', 'raiseLevel', 'raiseLevel');
    expect(chips(play)).toMatch(
      /^filter {3}≥ error {3}1 \+ line 1 \(11\) {3}2 − line 12 \(1\) {3}± 2 lines {3}\d+ of 40/,
    );
    give(play, 'lessContext');
    expect(chips(play)).toContain('± 1 line   ');
  });

  test('tells a range of time by its ends', () => {
    const play = open();
    const at = (second: number): bigint => BigInt(Date.UTC(2026, 10, 21, 14, 0, second)) * 1_000_000n;
    const range = (from: number | undefined, to: number | undefined): string =>
      chips(play, 120, {
        range: {from: from === undefined ? undefined : at(from), to: to === undefined ? undefined : at(to)},
      });
    expect(range(2, 5)).toMatch(/^filter {3}14:00:02 to 14:00:05 {3}/);
    expect(range(2, undefined)).toMatch(/^filter {3}from 14:00:02 {3}/);
    expect(range(undefined, 5)).toMatch(/^filter {3}to 14:00:05 {3}/);
  });

  test('tells whose lines are shown', () => {
    const play = openEmptyLog();
    const sources = ['web-1', 'web-2', 'web-3'].map(pod => ({pod, container: 'php'}));
    play.windowArrives(
      answer({
        ...windowOf(1, 2, 3).value,
        numbering: {series: 'a', first: 1, sources, runs: [0, 1, 2].map(each => [each, 1] as const), losses: []},
      }),
    );
    const names = logOf(play).sourceNames;
    const picked = (kind: 'only' | 'hide', count: number): string =>
      chips(play, 120, {sourcePick: {kind, names: names.slice(0, count)}});
    expect(picked('only', 1)).toMatch(/^filter {3}only \S*1\S* {3}/);
    expect(picked('hide', 1)).toMatch(/^filter {3}without \S*1\S* {3}/);
    expect(picked('only', 2)).toMatch(/^filter {3}only 2 of 3 sources {3}/);
    expect(picked('hide', 2)).toMatch(/^filter {3}without 2 of 3 sources {3}/);
    expect(chips(play, 120, {sourcePick: {kind: 'only', names: [{}]}})).toMatch(/^filter {3}only unnamed sources {3}/);
  });

  test('says that they are off, and which key switches them on', () => {
    const play = open();
    type(play, 'filterIn', 'line 1');
    give(play, 'toggleFilters');
    expect(stateRow(play)).toMatch(/^filters off; \S+ switches them on$/);
    expect(chips(play)).toMatch(/^filters off {3}\+ line 1 {3}40 of 40 +\S+ switches on$/);
    give(play, 'toggleFilters');
    expect(stateRow(play)).toBe('filters on');
    expect(chips(play)).toMatch(/^filter {3}/);
    const none = open();
    give(none, 'toggleFilters');
    expect(stateRow(none)).toBe('there are no filters');
  });

  test('drops counts, then what matters least, where there is little room', () => {
    const play = open();
    type(play, 'filterIn', 'line 1');
    type(play, 'filterOut', 'line 12');
    give(play, 'moreContext');
    const whole = chips(play, 200).replace(/ {3,}/g, '   ');
    const width = whole.length + 2;
    expect(chips(play, width)).toContain('(11)');
    expect(chips(play, width - 1)).not.toContain('(11)');
    expect(chips(play, 62)).toMatch(/^1 \+ line 1 {3}2 − line 12 {3}± 1 line {3}\d+ of 40 +x removes$/);
    expect(chips(play, 54)).toMatch(/^1 \+ line 1 {3}2 − line 12 {3}\d+ of 40 +x removes$/);
    expect(chips(play, 40)).toMatch(/^1 \+ line 1 {3}2 − line 12 {3}\d+ of 40$/);
    expect(chips(play, 36)).toMatch(/^1 \+ line 1 {3}\d+ of 40/);
    give(play, 'toggleFilters');
    expect(chips(play, 44)).toMatch(/^filters off {3}\d+ of 40 .*switches on$/);
  });

  test('cuts a long pattern, and shows one that failed in red', () => {
    const play = open();
    type(play, 'filterIn', 'x'.repeat(31));
    expect(chips(play)).toContain(`+ ${'x'.repeat(29)}…  `);
    const [filter = expect.fail()] = logOf(play).use.filters;
    const toneOf = (): unknown =>
      selectChips({...play.state, columns: 120}, logOf(play)).find(({text}) => text.startsWith('xx'))?.tone;
    expect(toneOf()).toBe('strong');
    play.send({kind: 'patternFailed', patternId: filter.patternId, sentence: 'gave up'});
    expect(toneOf()).toBe('bad');
    const off = {...logOf(play), use: {...logOf(play).use, filters: [{...filter, isOff: true}]}};
    expect(selectChips({...play.state, columns: 120}, off).find(({text}) => text.startsWith('xx'))?.tone).toBe('dim');
    expect(textOf(selectChips({...play.state, columns: 120}, off))).toContain('… off');
  });
});

describe('filters', () => {
  test('are at most as many as the table allows; what is no pattern is none', () => {
    const play = open();
    let log = logOf(play);
    for (let count = 0; count < 20; count++) {
      const added = addFilter(log, 'include', `line ${count}`);
      log = 'error' in added ? expect.fail(added.error) : added;
    }
    expect(addFilter(log, 'include', 'one more')).toEqual({
      error: expect.stringMatching(/^20 filters are in use already; \S+ removes one\.$/),
    });
    expect(addFilter(logOf(play), 'include', 're:(')).toHaveProperty('error');
    const same = addFilter(logOf(play), 'include', 'a');
    const twice = 'error' in same ? expect.fail() : addFilter(same, 'include', 'a');
    expect('use' in twice && twice.use.filters).toHaveLength(1);
    const both = 'error' in same ? expect.fail() : addFilter(same, 'exclude', 'a');
    expect('use' in both && both.use.filters.map(({kind}) => kind)).toEqual(['include', 'exclude']);
    const off = 'error' in both ? expect.fail() : toggleFilter(both, 1);
    expect(off.use.filters.map(({isOff}) => isOff)).toEqual([undefined, true]);
    expect(toggleFilter(off, 1).use.filters[1]?.isOff).toBe(false);
    expect(off.use.patterns).toHaveLength(1);
  });

  test('of a pane close it, unless the pattern would be too long', () => {
    const play = open();
    const log = {...logOf(play), overlay: {kind: 'inspector', topAtMs: undefined} as const};
    const filtered = filterFromPane(play.state, log, 'line 1');
    expect(filtered.state.log?.overlay).toBeUndefined();
    expect(filtered.state.log?.use.filters).toHaveLength(1);
    const long = filterFromPane(play.state, log, undefined);
    expect(long.state.notice).toBe('too long for a pattern');
    expect(long.state.columns).toBe(80);
  });

  test('go one after the other: the only one at once, of several by number, then range, sources and level', () => {
    const play = open();
    type(play, 'filterIn', 'a');
    give(play, 'removeFilter');
    expect(logOf(play).use.filters).toEqual([]);
    type(play, 'filterIn', 'a');
    type(play, 'filterIn', 'b');
    type(play, 'removeFilter', '3');
    expect(stateRow(play)).toBe('there is no filter number 3: there are 2');
    type(play, 'removeFilter', '1');
    expect(logOf(play).use.filters.map(filter => writeFilter(logOf(play).use, filter))).toEqual(['+b']);
    give(play, 'removeFilter', 'raiseLevel');
    const all = {
      ...logOf(play),
      range: {from: 0n, to: undefined},
      sourcePick: {kind: 'hide', names: [{pod: 'x'}]} as const,
    };
    const again = (log: LogState): LogState => {
      const other = startAt({...play.state, log});
      give(other, 'removeFilter');
      return logOf(other);
    };
    const first = again(all);
    expect([first.range, first.sourcePick?.kind, first.minimumLevel]).toEqual([undefined, 'hide', 'info']);
    const second = again(first);
    expect([second.sourcePick, second.minimumLevel]).toEqual([undefined, 'info']);
    const third = again(second);
    expect(third.minimumLevel).toBe('none');
    give(play, 'removeFilter', 'removeFilter');
    expect(stateRow(play)).toBe('there are no filters');
  });

  test('have lines of context within their bounds', () => {
    const play = open();
    give(play, 'lessContext');
    expect(logOf(play).contextLines).toBe(0);
    for (let count = 0; count < 12; count++) {
      give(play, 'moreContext');
    }
    expect(logOf(play).contextLines).toBe(9);
    give(play, 'removeFilters');
    expect(logOf(play).contextLines).toBe(0);
  });

  test('that are off are on again when one of them changes', () => {
    const changes: readonly ((play: Play) => void)[] = [
      play => type(play, 'filterOut', 'b'),
      play => give(play, 'raiseLevel'),
      play => type(play, 'filterByTime', 'to 14:00:10'),
    ];
    for (const change of changes) {
      const play = open();
      type(play, 'filterIn', 'line 1');
      give(play, 'toggleFilters');
      expect(logOf(play).areFiltersOff).toBe(true);
      give(play, 'moveUp');
      expect(logOf(play).areFiltersOff).toBe(true);
      change(play);
      expect(logOf(play).areFiltersOff).toBe(false);
      expect(countShown(logOf(play)).shown).toBeLessThan(40);
    }
  });

  test('as kept say what they do', () => {
    const {use} = logOf(open());
    expect(writeFilter(use, {kind: 'exclude', patternId: 99})).toBe('-');
    expect([readFilter('+a-b'), readFilter('-re:x')]).toEqual([
      {kind: 'include', query: 'a-b'},
      {kind: 'exclude', query: 're:x'},
    ]);
  });
});

describe('counts', () => {
  test('of what the filters leave, of all branches', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(linesOf(1, 10, [3]), 'b-master');
    play.windowArrives(linesOf(11, 15, [12, 13]), 'b-staging');
    expect(countShown(logOf(play))).toEqual({shown: 15, held: 15, pending: 0});
    type(play, 'filterIn', 'ERROR');
    expect(countShown(logOf(play))).toEqual({shown: 3, held: 15, pending: 0});
    const [filter = expect.fail()] = logOf(play).use.filters;
    const matches = findPattern(logOf(play).use, filter.patternId)?.matches ?? expect.fail();
    expect(countMatching(logOf(play), matches)).toBe(3);
    expect(countMatching(logOf(play), matches)).toBe(3);
    play.windowArrives(linesOf(11, 18, [12, 13, 17]), 'b-staging');
    answerSearches(play);
    expect(countMatching(logOf(play), matches)).toBe(4);
  });

  test('all is hidden only where there is a line, and once every line was tried', () => {
    const play = open();
    expect(isAllHidden(logOf(play))).toBe(false);
    command(play, 'filterIn');
    enter(play, 'nowhere');
    expect(countShown(logOf(play)).pending).toBe(1);
    expect(isAllHidden(logOf(play))).toBe(false);
    answerSearches(play);
    expect(isAllHidden(logOf(play))).toBe(true);
    expect(isAllHidden(logOf(openEmptyLog()))).toBe(false);
  });
});

describe('the row of a search', () => {
  const row = (play: Play): string => textOf(selectSearch(logOf(play)));

  test('has its pattern, the hit of the cursor, how many there are, and how many a filter hides', () => {
    const play = open();
    expect(row(play)).toBe('');
    type(play, 'openSearch', 'ERROR');
    expect(row(play)).toBe('/ERROR  2 of 2');
    give(play, 'goFirst');
    expect(row(play)).toBe('/ERROR  2 hits');
    type(play, 'filterIn', 'line 7');
    expect(row(play)).toBe('/ERROR  1 hit, 1 hidden');
    give(play, 'removeFilter');
    type(play, 'filterOut', 'ERROR');
    expect(row(play)).toBe('/ERROR  0 hits, 2 in lines that a filter hides');
  });

  test('tells how far it is while more than twenty chunks are left, and that it was cancelled', () => {
    const many = Array.from({length: 21 * 512 + 10}, (_, index) => {
      const at = new Date(Date.UTC(2026, 10, 21, 14) + index * 10).toISOString().slice(0, -1);
      return `${at}000000Z line ${index}`;
    });
    const play = openLogWith(answer({pods: [], lines: many, sessionId: 's'}), 100_000_000);
    command(play, 'openSearch');
    enter(play, 're:line 1');
    const order = play.effects.find(effect => effect.kind === 'match') ?? expect.fail();
    const {chunks, patternId} = order.kind === 'match' ? order : expect.fail();
    expect(row(play)).toMatch(/, searching, 0 %$/);
    play.send({kind: 'patternSlow', patternId});
    expect(row(play)).toMatch(/, searching slowly, 0 %$/);
    const searched = (count: number): string => {
      play.send({
        kind: 'patternMatched',
        patternId,
        results: chunks.slice(0, count).map(chunk => [chunk, new Uint32Array()] as never),
      });
      return row(play);
    };
    const left = chunks.length - 21;
    expect(searched(left)).toContain(`, ${Math.floor((100 * left) / chunks.length)} %`);
    expect(searched(left + 1)).not.toContain('searching');
    play.send({kind: 'patternFailed', patternId, sentence: 'The search took too long.'});
    expect(row(play)).toBe('/re:line 1  cancelled');
    expect(play.state.notice).toBe('The search took too long.');
  });

  test('cuts a long pattern', () => {
    const play = open();
    type(play, 'openSearch', 'y'.repeat(40));
    expect(row(play)).toBe(`/${'y'.repeat(29)}…  0 hits`);
  });

  test('of two branches looks at the newest lines first', () => {
    const play = openEmptyLog(['master', 'staging']);
    const chunked = (from: number): ReturnType<typeof linesOf> => {
      const lines = Array.from({length: 1100}, (_, index) => {
        const at = new Date(Date.UTC(2026, 10, 21, 14) + (from + index) * 1000).toISOString().slice(0, -1);
        return `${at}000000Z line ${index}`;
      });
      return answer({pods: [], lines, sessionId: 's'});
    };
    play.windowArrives(chunked(0), 'b-master');
    play.windowArrives(chunked(550), 'b-staging');
    command(play, 'openSearch');
    enter(play, 'line 7');
    const order = play.effects.find(effect => effect.kind === 'match') ?? expect.fail();
    const ends = (order.kind === 'match' ? order.chunks : []).map(({lastAt}) => lastAt);
    expect(ends.length).toBeGreaterThan(3);
    expect(ends).toEqual([...ends].sort((a, b) => (a < b ? 1 : -1)));
  });
});

test('a step that changes no log asks for nothing, and leaving it cancels its patterns', () => {
  const play = open();
  const step = {state: play.state, effects: [{kind: 'cancel'} as const]};
  expect(keepMatching(play.state, step)).toEqual(step);
  type(play, 'openSearch', 'ERROR');
  const {search} = logOf(play).use;
  const patternId = search.kind === 'none' ? expect.fail() : search.patternId;
  expect(keepMatching(play.state, {state: {...play.state, log: undefined}, effects: []}).effects).toEqual([
    {kind: 'cancelPattern', patternId},
  ]);
  give(play, 'back');
  expect(play.effects).toContainEqual({kind: 'cancelPattern', patternId});
  const gone = {kind: 'patternSlow', patternId} as const;
  const {state} = play;
  play.send(gone);
  expect(play.state.log).toBe(state.log);
});

test('hits go on in both directions, and say where none are left', () => {
  const play = open();
  give(play, 'nextHit');
  expect(stateRow(play)).toMatch(/^no search yet: \S+ starts one$/);
  type(play, 'openSearch', 'ERROR');
  give(play, 'nextHit');
  expect(stateRow(play)).toBe('no more hits below');
  give(play, 'previousHit', 'previousHit');
  expect(stateRow(play)).toBe('no more hits above');
  give(play, 'back');
  expect(logOf(play).use.search.kind).toBe('none');
});
