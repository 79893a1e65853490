import {describe, expect, test} from 'vitest';
import {promptOf} from '#app/keys/input-focus.ts';
import {addFilter, toggleFilter} from '#app/log/filters.ts';
import {forgetNamed, listFiltersPane, readFilterRow, takeFilterName, toggleNamed} from '#app/log/filters-pane.ts';
import type {FiltersPane} from '#app/panes/panes.ts';
import type {NamedFilters} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';
import {linesOf, openLogWith, textOf} from '../../support/play.ts';

const play = openLogWith(linesOf(1, 3));
const log: LogState = play.state.log ?? expect.fail();
const named = (name: string, change: Partial<NamedFilters> = {}): NamedFilters => ({
  ...{name, filters: ['+line'], isConfigured: false},
  ...change,
});

const filtered = (...queries: readonly string[]): LogState =>
  queries.reduce<LogState>((before, query) => {
    const added = addFilter(before, 'include', query);
    return 'error' in added ? expect.fail(added.error) : added;
  }, log);

const pane: FiltersPane = {kind: 'filters', selectedKey: undefined, top: 0};
const shown = (of: LogState, change: Partial<State> = {}): readonly string[] => {
  const {title = [], rows} = listFiltersPane({...play.state, ...change}, of);
  return [title, ...rows.map(({row}) => row())].map(row => textOf(row).trimEnd());
};

describe('the list of filters', () => {
  test('has a blank row between those in use and those kept by a name, and tells of the key if there are none', () => {
    const [title, key, ...others] = shown(log);
    expect([title, key, others]).toEqual([
      expect.stringMatching(/^ ?no filters in use +\d of \d lines$/),
      expect.stringMatching(/^ {2}\S.* keeps those in use by a name$/),
      [],
    ]);
    expect(shown(log, {namedFilters: [named('a')]}).slice(1)).toEqual([
      '  kept by a name',
      expect.stringMatching(/^○ a +\+?line$/),
    ]);
    expect(shown(filtered('line')).slice(1)).toHaveLength(2);
    const both = shown(filtered('line'), {namedFilters: [named('a')]});
    expect([both.length, both[2], both[3]]).toEqual([5, '', '  kept by a name']);
  });

  test('marks what is on, in a good tone', () => {
    const one = filtered('line');
    const tones = (of: LogState) =>
      listFiltersPane(play.state, of)
        .rows[0]?.row()
        .slice(0, 2)
        .map(({text, tone}) => [text.trim(), tone]);
    expect(tones(one)).toEqual([
      ['●', 'good'],
      ['+ line', 'strong'],
    ]);
    const off = [
      ['○', 'dim'],
      ['+ line', 'plain'],
    ];
    expect(tones(toggleFilter(one, 0))).toEqual(off);
    expect(tones({...one, areFiltersOff: true})).toEqual(off);
    expect(shown({...one, areFiltersOff: true})[0]).toContain('all switched off');
    expect(shown(one)[0]).not.toContain('all switched off');
  });

  test('cuts a name only where what it says needs the room, and at 30 cells', () => {
    const long = filtered('a-pattern-that-has-more-than-thirty-cells');
    const says = (columns: number): number | undefined => shown(long, {columns})[1]?.indexOf('shows');
    expect([20, 36, 44, 60, 93].map(says)).toEqual([12, 16, 24, 30, 30].map(cells => 2 + cells + 2));
    expect(shown(filtered('line'), {columns: 80})[1]).toBe('● + line  shows 0 lines');
  });

  test('is read in words', () => {
    expect(readFilterRow(play.state, log, pane)).toBe('There are no filters.');
    const one = filtered('line');
    expect(readFilterRow(play.state, one, pane)).toMatch(/^\+ line, shows \d lines?, on$/);
    expect(readFilterRow(play.state, toggleFilter(one, 0), pane)).toMatch(/, off$/);
    const isConfigured = true;
    expect(readFilterRow({...play.state, namedFilters: [named('a', {isConfigured})]}, log, pane)).toBe(
      'a, +line  (config file), off',
    );
    const ranged = {...log, range: {from: BigInt(Date.UTC(2026, 10, 21, 14)) * 1_000_000n}};
    expect(readFilterRow(play.state, ranged, pane)).toBe('from 14:00:00, the range of time, on');
    expect(readFilterRow(play.state, {...log, minimumLevel: 'warn'}, pane)).toBe('≥ warn, the minimum level, on');
  });
});

describe('filters kept by a name', () => {
  const one = filtered('line');
  const taken = (name: string, kept: readonly NamedFilters[] = []) =>
    takeFilterName({...play.state, namedFilters: kept}, one, name);

  test('have one of at most 30 characters, and are at most 100', () => {
    expect(taken(' ').effects).toEqual([]);
    expect(promptOf(taken(' ').state)).toBeUndefined();
    expect(taken('x'.repeat(30)).effects).toMatchObject([{kind: 'keepFilters', name: 'x'.repeat(30)}]);
    const long = taken('x'.repeat(31));
    expect([long.state.notice, long.effects, promptOf(long.state)?.kind]).toEqual([
      'A name has at most 30 characters',
      [],
      'filterName',
    ]);
    const many = Array.from({length: 100}, (_, index) => named(`n${index}`));
    expect(taken('new', many).state.notice).toBe('100 names are kept already: forget one first');
    expect(taken('new', many.slice(1)).state.namedFilters).toHaveLength(100);
    expect(taken('n5', many).state.namedFilters).toHaveLength(100);
    expect(taken('n5', many).effects).toMatchObject([{name: 'n5', filters: [expect.stringContaining('line')]}]);
  });

  test('are those that are on', () => {
    const two = toggleFilter(filtered('line', 'other'), 1);
    expect(takeFilterName(play.state, two, 'a').state.namedFilters?.[0]?.filters).toHaveLength(1);
  });

  test('are not taken into use if there would be too many', () => {
    const full = filtered(...Array.from({length: 20}, (_, index) => `q${index}`));
    const step = toggleNamed(play.state, full, named('a'));
    expect([step.state.notice, step.state.columns, step.state.log]).toEqual([
      expect.stringContaining('20 filters are in use already'),
      80,
      log,
    ]);
  });

  test('are forgotten, unless they are in the config file', () => {
    const kept = {...play.state, namedFilters: [named('a'), named('b')]};
    const gone = forgetNamed(kept, named('a'));
    expect([gone.state.namedFilters, gone.state.columns, gone.effects]).toEqual([
      [named('b')],
      80,
      [{kind: 'keepFilters', name: 'a', filters: []}],
    ]);
    const stays = forgetNamed(kept, named('a', {isConfigured: true}));
    expect([stays.state.notice, stays.state.namedFilters, stays.effects]).toEqual([
      'a is in the config file: remove it there',
      kept.namedFilters,
      [],
    ]);
  });
});
