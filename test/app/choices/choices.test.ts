import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {markedBranches, markedBranchesMax} from '#app/choices/branch-choices.ts';
import {filterRow, listingFaults, newsAfter, newsSeen} from '#app/choices/list-words.ts';
import {filterPicker, movedIndex, selectedIndex, visibleRange} from '#app/choices/palette.ts';
import {listSites, matchSite, siteLabel, siteName} from '#app/choices/site-choices.ts';
import {createBranchesScreen} from '#app/lists/update-sites.ts';
import type {RowNews} from '#app/panes/panes.ts';
import type {KnownSite} from '#app/state/state.ts';
import {give, sampleState, startAt, textOf} from '../../support/play.ts';

describe('the highlight of a list', () => {
  test('is on its item, and on the first one without an item or if it is gone', () => {
    const picked = (selectedId: string | undefined): number => selectedIndex(['a', 'b', 'c'], {selectedId, filter: ''});
    expect([picked('c'), picked('a'), picked(undefined), picked('gone')]).toEqual([2, 0, 0, 0]);
  });

  test('moves by a row, a page or to an end, and stops at both', () => {
    const moved = (...[index, command]: [number, Parameters<typeof movedIndex>[2]]) =>
      movedIndex(index, 10, command, 4);
    expect([moved(3, 'moveDown'), moved(3, 'moveUp'), moved(3, 'pageDown'), moved(5, 'pageUp')]).toEqual([4, 2, 7, 1]);
    expect([moved(9, 'moveDown'), moved(0, 'moveUp'), moved(8, 'pageDown'), moved(2, 'pageUp')]).toEqual([9, 0, 9, 0]);
    expect([moved(3, 'goFirst'), moved(3, 'goLast'), moved(3, 'open')]).toEqual([0, 9, undefined]);
    expect(movedIndex(0, 0, 'moveDown', 4)).toBe(0);
  });

  test('leaves its item for the best match while a filter is typed, and goes back when it is cleared', () => {
    const before = {selectedId: 'b', filter: ''};
    const typed = filterPicker(before, 'x');
    expect(typed).toEqual({selectedId: undefined, filter: 'x', selectedBefore: 'b'});
    const more = filterPicker({...typed, selectedId: 'c'}, 'xy');
    expect(more).toEqual({selectedId: undefined, filter: 'xy', selectedBefore: 'b'});
    expect(filterPicker(more, '')).toEqual({selectedId: 'b', filter: ''});
    // The same text again moves nothing.
    expect(filterPicker({...more, selectedId: 'c'}, 'xy')).toEqual({
      selectedId: 'c',
      filter: 'xy',
      selectedBefore: 'b',
    });
  });

  test.each([
    [10, 0, 4, {from: 0, to: 4}],
    [10, 2, 4, {from: 0, to: 4}],
    [10, 3, 4, {from: 1, to: 5}],
    [10, 8, 4, {from: 6, to: 10}],
    [10, 9, 4, {from: 6, to: 10}],
    [10, 5, 5, {from: 3, to: 8}],
    [3, 2, 4, {from: 0, to: 3}],
    [0, 0, 4, {from: 0, to: 0}],
  ])('is in the middle of what is shown: of %i items, at %i, in %i rows', (length, selected, rows, shown) => {
    expect(visibleRange(length, selected, rows)).toEqual(shown);
  });
});

describe('the row of a filter', () => {
  test('has a cursor and what can be typed while it is open, then the key that clears it, and is blank without text', () => {
    const rowOf = (play: ReturnType<typeof startAt>): string =>
      textOf(filterRow(play.state, 'sites', play.state.sitePicker.filter, 'a name or an id'));
    const play = startAt(sampleState());
    expect(rowOf(play)).toBe('');
    give(play, 'openFilter');
    expect(rowOf(play)).toBe(' / █   a name or an id');
    play.send({kind: 'textTyped', text: 'sh'});
    expect(rowOf(play)).toBe(' / sh█   a name or an id');
    expect(textOf(filterRow(sampleState(), 'branches', 'sh', ''))).toBe(' / sh   Esc clears');
  });
});

test.each([
  [0, 0, undefined],
  [1, 0, '1 part of the answer is not as described'],
  [2, 0, '2 parts of the answer are not as described'],
  [1, 1, '1 record has no id'],
  [4, 2, '2 records have no id, 2 parts of the answer are not as described'],
])('of %i items that are not as described, %i of them records without an id', (skippedCount, withoutIdCount, words) => {
  expect(listingFaults({skippedCount, withoutIdCount})).toBe(words);
});

const decode = (...records: readonly object[]): readonly Branch[] =>
  decodeBranches(records.map(record => ({name: 'n', status: 'A', ...record}))).value;

describe('marks', () => {
  test('are of branches that can be opened, in the order in which they were marked, eight at the most', () => {
    const branches = decode({_id: '1'}, {_id: '2', status: null}, {_id: '3'});
    const marked = markedBranches({...createBranchesScreen('s', undefined), branches, marked: ['3', '2', 'gone', '1']});
    expect(marked.map(({_id}) => _id)).toEqual(['3', '1']);
    expect(markedBranchesMax).toBe(8);
  });
});

describe('news of a listing', () => {
  const at = (time: string): string => `2026-11-21T${time}:00.000Z`;
  const newsOf = (
    before: object,
    after: object,
    {was, watched = []}: {readonly was?: RowNews; readonly watched?: readonly string[]} = {},
  ): RowNews | undefined =>
    newsAfter(
      {
        ...createBranchesScreen('s', undefined),
        branches: decode({_id: '1', updatedAt: at('12:00'), ...before}),
        news: new Map(was === undefined ? [] : [['1', was]]),
      },
      decode({_id: '1', updatedAt: at('12:00'), ...before, ...after}),
      watched,
    ).get('1');

  test.each<readonly [string, object, object, RowNews | undefined]>([
    ['nothing changed', {}, {}, undefined],
    ['another status', {}, {status: 'B'}, 'status'],
    ['a later time', {}, {updatedAt: at('12:01')}, 'changed'],
    ['more pods', {replicas: 1}, {replicas: 2}, 'changed'],
    ['another activity', {lastActivity: {_id: 'x'}}, {lastActivity: {_id: 'y'}}, 'changed'],
    ['the outcome of an activity', {lastActivity: {_id: 'x'}}, {lastActivity: {_id: 'x', status: 'OK'}}, 'changed'],
    ['an older record', {}, {status: 'B', updatedAt: at('11:59')}, undefined],
    ['a record without a time', {}, {updatedAt: undefined, status: 'B'}, 'status'],
    ['a time where there was none', {updatedAt: undefined}, {updatedAt: at('12:00')}, 'changed'],
    ['a status that can not be read', {}, {status: 5}, undefined],
    ['a status that could not be read', {status: 5}, {status: 'A'}, undefined],
    ['a malformed field beside a change', {}, {replicas: 2, name: 5}, undefined],
    ['a field that was malformed', {name: 5}, {replicas: 2, name: 'n'}, undefined],
  ])('%s', (_, before, after, news) => {
    expect(newsOf(before, after)).toBe(news);
  });

  test('stay until they are seen; of two the one that says more', () => {
    expect(newsOf({}, {}, {was: 'changed'})).toBe('changed');
    expect(newsOf({}, {status: 'B'}, {was: 'new'})).toBe('new');
    expect(newsOf({}, {replicas: 5}, {was: 'status'})).toBe('status');
    expect(newsOf({}, {status: 'B'}, {was: 'changed'})).toBe('status');
    expect(newsOf({}, {status: 'B'}, {was: 'status'})).toBe('status');
    expect(newsOf({}, {status: 'B'}, {watched: ['1']})).toBeUndefined();
    expect(newsOf({}, {status: 'B'}, {was: 'changed', watched: ['1']})).toBe('changed');
  });

  test('none come of the first listing; after an empty one every branch is new', () => {
    const empty = createBranchesScreen('s', undefined);
    expect([...newsAfter(empty, decode({_id: '1'}), [])]).toEqual([]);
    const good = {kind: 'good', atMs: 0} as never;
    expect([...newsAfter({...empty, listing: good}, decode({_id: '1'}), [])]).toEqual([['1', 'new']]);
    const gone = {...empty, branches: decode({_id: '0'}), news: new Map([['0', 'new'] as const])};
    expect([...newsAfter(gone, decode({_id: '1'}), [])]).toEqual([['1', 'new']]);
  });

  test('go once the branches were seen', () => {
    const news = new Map([
      ['1', 'new'],
      ['2', 'status'],
    ] as const);
    expect([...newsSeen(news, ['2', undefined])]).toEqual([['1', 'new']]);
    expect(newsSeen(news, [undefined, '3'])).toBe(news);
  });
});

describe('the sites', () => {
  const site = (id: string, name?: string, openedAtMs?: number): KnownSite => ({id, name, openedAtMs});
  const sites = [site('x1', 'zebra'), site('x2', 'apple', 5), site('Id-3', undefined, 9), site('x4', 'maple', 5)];
  const listed = (filter: string): readonly string[] => listSites(sites, filter).map(({key}) => key);

  test('that were opened last come first, then the others in the order of the config file', () => {
    expect(listed('')).toEqual(['Id-3', 'x2', 'x4', 'x1']);
    expect(listed('  ')).toEqual(['Id-3', 'x2', 'x4', 'x1']);
    expect(listSites([site('a', 'a'), site('b', 'b', 1)], '').map(({key}) => key)).toEqual(['b', 'a']);
    // A site without a time and one that was opened at 0 have no order among each other.
    expect(listSites([site('a', 'a'), site('b', 'b', 0)], '').map(({key}) => key)).toEqual(['a', 'b']);
    expect(listSites([site('b', 'b', 0), site('a', 'a')], '').map(({key}) => key)).toEqual(['b', 'a']);
  });

  test('are found by name, the best match first, then by what their ids hold; what names none is offered as an id', () => {
    expect(listed('ple')).toEqual(['x2', 'x4', '\0ple']);
    expect(listed('ID-3')).toEqual(['Id-3', '\0ID-3']);
    expect(listed('Id-3')).toEqual(['Id-3']);
    expect(listed('x4')).toEqual(['x4']);
    expect(listed('zebra ')).toEqual(['x1']);
    expect(listed('i3')).toEqual(['Id-3', '\0i3']);
    expect(listSites([site('a', 'a quit'), site('b', 'quit')], 'quit').map(({key}) => key)).toEqual(['b', 'a']);
    expect(listSites([site('ab', 'shop'), site('x', 'ab')], 'ab').map(({key}) => key)).toEqual(['x', 'ab']);
    expect(listSites(sites, 'new').at(-1)).toEqual({
      id: 'new',
      name: undefined,
      openedAtMs: undefined,
      key: '\0new',
      isTyped: true,
    });
    expect(listSites(sites, 'zebra').map(({isTyped}) => isTyped)).toEqual([false]);
  });

  test('are called by their names, else by their ids', () => {
    expect([siteName(site('x1', 'zebra')), siteName(site('x1'))]).toEqual(['zebra', 'x1']);
    expect([siteLabel(sites, 'x1'), siteLabel(sites, 'Id-3'), siteLabel(sites, 'nobody')]).toEqual([
      'zebra',
      'Id-3',
      'nobody',
    ]);
    expect(matchSite('zb', site('x1', 'zebra'))?.positions).toEqual([0, 2]);
    expect(matchSite(' ', site('x1', 'zebra'))).toBeUndefined();
  });
});
