import {describe, expect, test} from 'vitest';
import {ApiError} from '../../../src/api/api-error.ts';
import type {Branch} from '../../../src/api/decode/branch.ts';
import {branchColumns, listedColumns, listedWords, spokenWords} from '../../../src/app/branches/branch-columns.ts';
import {branchListWidth, branchRow, fitBranchColumns} from '../../../src/app/branches/branch-rows.ts';
import {orderNow, refreshBranches, updateBranches} from '../../../src/app/branches/update-branches.ts';
import type {State} from '../../../src/app/state/state.ts';
import {give} from '../finding-way.ts';
import {decode, drawn, header, lastRowOf, onBranches, rowsOf, textOf, typeFilter} from '../list-screens.ts';
import {answer, type Play, sampleBranches, sampleState, startAt, windowOf} from '../sample-state.ts';
import {showScreen} from '../show-screen.ts';

const one = (fields: object): Branch => decode({_id: '1', name: 'main', ...fields})[0] ?? expect.fail();

describe('printed', () => {
  const printed = (title: string, fields: object): unknown =>
    branchColumns.find(column => column.title === title)?.printed?.(one(fields));

  test.each<readonly [title: string, fields: object, cell: unknown]>([
    ['NAME', {name: 5, status: null}, {text: '1 (name not as described)'}],
    ['STATUS', {status: 'DEPLOY_APPLICATION_SUCCESS'}, {text: 'deployed', tone: 'good'}],
    ['STATUS', {status: 'BUILD_APPLICATION_RUNNING'}, {text: 'BUILD_APPLICATION_RUNNING', tone: 'busy'}],
    ['STATUS', {status: 'BUILD_FAILED'}, {text: 'BUILD_FAILED', tone: 'bad'}],
    ['STATUS', {status: null}, {text: 'not built out', tone: 'dim'}],
    [
      'STATUS',
      {status: 'BUILD_FAILED', troubles: [{reason: 'OOMKilled', state: 'now'}]},
      {text: 'BUILD_FAILED, OOMKilled', tone: 'busy'},
    ],
    ['TYPE', {status: null, branchType: 'MASTER'}, {text: 'MASTER'}],
    ['TYPE', {status: null, branchType: 7}, {text: 'not as described'}],
    ['HOSTNAME', {status: null}, {text: ''}],
    ['UPDATED', {status: null, updatedAt: 'today'}, {text: 'today'}],
    ['ID', {status: null}, {text: '1'}],
  ])('%s of %j', (title, fields, cell) => {
    expect(printed(title, fields)).toEqual(cell);
  });
});

describe('listed', () => {
  const nowMs = Date.UTC(2026, 10, 21, 14, 0, 0);
  const minute = 60_000;
  const pulse = {toMs: 0, spanMs: minute, lines: 3, errors: 3, minutes: []};
  const known = (fields: object) => ({known: new Map([['1', {lookedAtMs: 0, ...fields}]]), nowMs: minute});
  const words = (key: string, fields: object, more: object = {}): string | undefined => {
    const column = listedColumns.find(each => each.key === key) ?? expect.fail();
    return listedWords(column, one(fields), {news: new Map(), nowMs, ...more});
  };

  test.each<readonly [key: string, fields: object, words: string]>([
    ['pods', {status: null, replicas: 1}, '1 pod'],
    ['pods', {status: null, replicas: 2}, '2 pods'],
    ['pods', {status: null}, ''],
    ['pods', {status: null, replicas: 'x'}, 'pods not as described'],
    ['since', {status: null, createdAt: '2026-11-21T12:00:00Z'}, 'made 2 h ago'],
    ['since', {status: 'A', createdAt: '2026-11-21T12:00:00Z', updatedAt: '2026-11-21T13:59:00Z'}, 'changed 1 min ago'],
    ['since', {status: 'A', createdAt: '2026-11-21T12:00:00Z'}, ''],
    ['since', {status: null, createdAt: 9, updatedAt: '2026-11-21T13:59:00Z'}, 'time not as described'],
    ['since', {status: 'A', updatedAt: 9}, 'time not as described'],
    ['pulse', {status: 'DEPLOY_APPLICATION_SUCCESS'}, ''],
  ])('%s of %j', (key, fields, told) => {
    expect(words(key, fields)).toBe(told);
  });

  test('news are told in words', () => {
    const told = (news: 'new' | 'status' | 'changed') => words('news', {status: null}, {news: new Map([['1', news]])});
    expect([told('new'), told('status'), told('changed')]).toEqual(['new branch', 'new status', 'new change']);
    expect(words('news', {status: null})).toBe('');
  });

  test('errors are told of what is deployed, and of what was looked at; a screen reader hears them in words', () => {
    const deployed = {status: 'DEPLOY_APPLICATION_SUCCESS'};
    const none = {known: new Map(), nowMs: minute};
    expect(words('pulse', deployed, {pulses: none})).toBe('····· not looked at');
    expect(words('pulse', {status: 'BUILD_FAILED'}, {pulses: none})).toBe('');
    expect(words('pulse', {status: 'BUILD_FAILED'}, {pulses: known({pulse, countedAtMs: 0})})).toMatch(/3/);
    expect(words('trend', deployed, {pulses: none})).toBe('');
    const column = listedColumns.find(({key}) => key === 'pulse') ?? expect.fail();
    const trend = listedColumns.find(({key}) => key === 'trend') ?? expect.fail();
    const listedWith = {news: new Map(), nowMs, pulses: known({pulse, countedAtMs: 0})};
    expect(spokenWords(column, one(deployed), listedWith)).toMatch(/3 errors/);
    expect(spokenWords(column, one(deployed), {news: new Map(), nowMs})).toBe('');
    expect(spokenWords(trend, one(deployed), listedWith)).toBe('');
    const pods = listedColumns.find(({key}) => key === 'pods') ?? expect.fail();
    expect(spokenWords(pods, one({status: null, replicas: 3}), listedWith)).toBe('3 pods');
  });

  test('a column has room only if some branch has something for it', () => {
    const cells = (key: string, fields: object, more: object = {}): number | undefined =>
      listedColumns.find(each => each.key === key)?.cells([one(fields)], {news: new Map(), nowMs, ...more} as never);
    expect([cells('since', {status: 'A'}), cells('since', {status: 'A', updatedAt: 'x'})]).toEqual([0, 21]);
    expect([cells('pods', {status: 'A'}), cells('pods', {status: 'A', replicas: 10})]).toEqual([0, 7]);
    expect([cells('news', {}), cells('news', {}, {news: new Map([['9', 'new']])})]).toEqual([0, 10]);
    expect([cells('pulse', {}), cells('pulse', {}, {pulses: known({})})]).toEqual([0, 19]);
    expect([cells('trend', {}), cells('trend', {}, {pulses: known({})})]).toEqual([0, 4]);
    expect(cells('trouble', {troubles: [{reason: 'x'.repeat(50)}]})).toBe(40);
  });
});

describe('the columns of the list', () => {
  const branches = decode(
    {
      _id: '1',
      name: 'a-name-of-24-characters-',
      status: 'WAITING_FOR_SOMETHING',
      updatedAt: '2026-11-21T12:00:00Z',
      replicas: 2,
    },
    {_id: '2', name: 'b', status: null, createdAt: '2026-11-20T12:00:00Z'},
  );
  const listedWith = {news: new Map(), nowMs: Date.UTC(2026, 10, 21, 14, 0, 0)};
  const rowAt = (columns: number, index = 0): string => {
    const widths = fitBranchColumns(branches, columns, listedWith);
    return textOf(branchRow(branches[index] ?? expect.fail(), '', widths, listedWith, false));
  };
  // A glyph, the name, the status, the pods and the last change, with three blanks between them.
  const wholeWidth = 2 + 24 + 3 + 21 + 3 + 6 + 3 + 21;

  test('are all shown if they fit, else the least of them is dropped and the rest moves closer', () => {
    expect(branchListWidth(branches, listedWith)).toBe(3 + wholeWidth);
    expect(rowAt(wholeWidth)).toBe(
      '? a-name-of-24-characters-   WAITING_FOR_SOMETHING   2 pods   changed 2 h ago      ',
    );
    expect(rowAt(wholeWidth, 1)).toBe(
      '○ b                          not built out                    made 1 day ago       ',
    );
    expect(rowAt(wholeWidth - 1)).toBe(
      '? a-name-of-24-characters-  WAITING_FOR_SOMETHING  2 pods  changed 2 h ago      ',
    );
    expect(rowAt(79)).toBe('? a-name-of-24-characters-  WAITING_FOR_SOMETHING  changed 2 h ago      ');
    expect(rowAt(72)).toBe('? a-name-of-24-characters-  WAITING_FOR_SOMETHING  changed 2 h ago      ');
  });

  test('the last change is told in short where it does not fit, and dropped where not even that does', () => {
    expect(rowAt(60)).toMatch(/ 2 h {6}$/);
    const short = fitBranchColumns(branches, 50, listedWith);
    const since = listedColumns.find(({key}) => key === 'since') ?? expect.fail();
    expect([50, 49, 48].map(columns => fitBranchColumns(branches, columns, listedWith).listed.get(since))).toEqual([
      9, 0, 0,
    ]);
    expect(short.name).toBe(22);
  });

  test('a name is dim if nothing is built out, strong if it is highlighted', () => {
    const toneAt = (index: number, isSelected: boolean): unknown =>
      branchRow(
        branches[index] ?? expect.fail(),
        '',
        fitBranchColumns(branches, 80, listedWith),
        listedWith,
        isSelected,
      )[1]?.tone;
    expect([toneAt(0, false), toneAt(1, false), toneAt(0, true), toneAt(1, true)]).toEqual([
      'plain',
      'dim',
      'strong',
      'strong',
    ]);
  });

  test.each([
    [21, 'WAITING_FOR_SOMETHING'],
    [20, 'WAITING_F…_SOMETHING'],
    [12, 'W…_SOMETHING'],
    [11, '…_SOMETHING'],
    [10, '…SOMETHING'],
  ])('a status in %i cells keeps its last word', (status, shown) => {
    const widths = {gap: 1, name: 1, status, listed: new Map()};
    expect(textOf(branchRow(branches[0] ?? expect.fail(), '', widths, listedWith, false))).toBe(`? … ${shown}`);
  });

  test('letters that a filter found are marked where they are in a name that is cut', () => {
    const [branch = expect.fail()] = decode({_id: '1', name: 'abcdefghijklmnop', status: null});
    const hits = (filter: string, name: number): readonly string[] =>
      branchRow(branch, filter, {gap: 1, name, status: 3, listed: new Map()}, listedWith, false)
        .filter(({tone}) => tone === 'hit')
        .map(({text}) => text);
    const shownAt = textOf(branchRow(branch, '', {gap: 1, name: 9, status: 3, listed: new Map()}, listedWith, false));
    expect(shownAt.slice(2, 11)).toBe('abcd…mnop');
    expect(hits('abcdefghijklmnop', 9)).toEqual(['abcd', 'mnop']);
    expect(hits('dm', 9)).toEqual(['d', 'm']);
    expect(hits('el', 9)).toEqual([]);
    expect(hits('el', 16)).toEqual(['e', 'l']);
  });
});

describe('the header of the branches', () => {
  test('counts them, and those that are deployed', () => {
    expect(header(onBranches(sampleBranches, {columns: 99}))).toMatch(
      / {3}5 branches, 1 deployed {3}by status {3}live/,
    );
    expect(header(onBranches(sampleBranches.slice(1, 2), {columns: 99}))).toContain('1 branch, 1 deployed');
    expect(header(onBranches([], {columns: 99}))).toContain('0 branches, 0 deployed');
    expect(header(onBranches([], {columns: 99}))).not.toContain('by status');
  });

  test('counts nothing before the first answer', () => {
    const play = startAt(sampleState({columns: 99}));
    give(play, 'open');
    expect(header(play).trim()).toBe('shop   production   asking…');
    play.branchesFail();
    expect(header(play).trim()).toMatch(/^shop {3}production {3}failing/);
  });

  test('says of a choice of rows how many it leaves, and what is chosen', () => {
    const play = onBranches(sampleBranches, {columns: 120});
    give(play, 'toggleFaults');
    expect(header(play)).toContain('1 of 5 branches, failed only');
    give(play, 'toggleFaults', 'toggleDeployed');
    expect(header(play)).toContain('1 of 5 branches, deployed only');
    give(play, 'toggleDeployed');
    typeFilter(play, 'a');
    expect(header(play)).toMatch(/\d of 5 branches {3}best fit first/);
    play.send({kind: 'textTyped', text: 'zz'});
    expect(drawn(play)).toContain('None of the 5 branches fits the filter.');
    expect(drawn(play)).toContain('Press Esc to see them all.');
  });

  test('has what the user chose where there is little room, and the rest only where there is more', () => {
    const at = (columns: number, ...commands: Parameters<typeof give>[1][]): string => {
      const play = onBranches(sampleBranches, {columns});
      give(play, ...commands);
      return header(play).trim();
    };
    expect(at(28)).toBe('shop   production   live');
    expect(at(60)).toBe('shop   production   5 branches, 1 deployed   live');
    expect(at(60, 'toggleFaults')).toBe('shop   production   1 of 5 branches, failed only   live');
    expect(at(51)).toBe('shop   production   5 branches, 1 deployed   live');
    expect(at(50)).toBe('shop   production   live');
    expect(at(48, 'toggleFaults')).toBe('shop   1 of 5 branches, failed only   live');
    expect(at(60, 'nextOrder')).toMatch(/by name/);
    expect(at(60)).not.toMatch(/by status/);
    expect(at(44, 'toggleMark')).toMatch(/1 marked/);
  });

  test('tells the age of the oldest look on the screen in whole minutes, and that looks are slowed', () => {
    const looks = {nextAtMs: 0, allAtMs: 0, slowDown: 1};
    const play = onBranches(sampleBranches, {columns: 200});
    const at = (ages: readonly number[], slowDown = 1): string => {
      const {branches} = play.state;
      const pulses = new Map(
        ages.map((age, index) => [
          sampleBranches[index]?._id ?? '',
          {lookedAtMs: 0, countedAtMs: play.state.nowMs - age} as never,
        ]),
      );
      const state: State = {...play.state, branches: branches && {...branches, pulses, looks: {...looks, slowDown}}};
      return showScreen(state)[0] ?? '';
    };
    expect(at([])).not.toContain('look');
    expect(at([59_999])).toContain('look <1 min');
    expect(at([60_000])).toContain('look 1 min   ');
    expect(at([1000, 179_000], 2)).toContain('look 2 min, slowed');
  });
});

describe('an empty list of branches', () => {
  const empty = (play: Play): string => drawn(play).replaceAll(/\s+/g, ' ').trim();

  test('says what is going on, or which key shows the others', () => {
    const play = startAt(sampleState());
    give(play, 'open');
    expect(empty(play)).toBe('Asking the service for the branches…');
    play.branchesArrive([]);
    expect(empty(play)).toBe('This site has no branches. Press Esc to go back to the sites.');
    play.branchesFail();
    expect(empty(play)).toMatch(/^No branches to show: the service has not answered/);
    const failed = onBranches(sampleBranches.filter(({status}) => status === null));
    give(failed, 'toggleDeployed');
    expect(empty(failed)).toBe('None of the 1 branch is deployed. Press a to see them all.');
  });
});

describe('the row below the list', () => {
  test('says what of the listing is not as described, what is held, and first of all a notice', () => {
    const play = onBranches();
    play.send({
      kind: 'branchesArrived',
      generation: play.state.generation,
      answer: {...answer(sampleBranches), skipped: ['x'] as never},
    });
    expect(lastRowOf(play).trim()).toBe('1 part of the answer is not as described');
    give(play, 'copyField');
    expect(lastRowOf(play)).toContain('Tab goes into the record');
    const left = onBranches();
    give(left, 'open');
    left.windowArrives(windowOf(1, 2));
    give(left, 'back');
    left.branchesArrive();
    expect(lastRowOf(left).trim()).toMatch(
      /^2 lines held since 15:02:10.*: Enter opens the log as you left it|^2 lines held since/,
    );
    give(left, 'moveDown');
    expect(lastRowOf(left).trim()).toBe('');
    give(left, 'toggleMark', 'moveUp');
    expect(lastRowOf(left).trim()).toBe('');
  });

  test('tells what is the matter with the token, unless something is wrong with the listing', () => {
    const {state} = onBranches();
    expect(
      showScreen({...state, tokenNotice: 'the token file is gone'})
        .at(-2)
        ?.trim(),
    ).toBe('the token file is gone');
    const play = onBranches();
    play.branchesFail();
    expect(showScreen({...play.state, tokenNotice: 'the token file is gone'}).at(-2)).not.toContain('token file');
  });

  test('has the whole of the field that is highlighted in the record', () => {
    const play = onBranches(sampleBranches, {columns: 100});
    give(play, 'enterDetails');
    expect(lastRowOf(play).trim()).toMatch(/^name {2}master$|^id {2}b-master$/);
  });
});

describe('keys on the branches', () => {
  test('Esc clears the filter, closes the record, takes the marks, and then goes to the sites, with the site highlighted', () => {
    const play = onBranches(sampleBranches, {columns: 80, rows: 24});
    give(play, 'toggleMark', 'toggleDetails');
    expect(play.state.showsDetails).toBe(true);
    typeFilter(play, 'a');
    play.send({kind: 'inputKey', key: 'Enter'});
    give(play, 'back');
    const at = (): unknown[] => [
      play.state.screen,
      play.state.branches?.picker.filter,
      play.state.showsDetails,
      play.state.branches?.marked.length,
    ];
    if (play.state.screen === 'log') {
      play.branchesArrive();
    }
    const seen = [at()];
    for (let count = 0; play.state.screen !== 'sites' && count < 9; count++) {
      give(play, 'back');
      seen.push(at());
    }
    expect(seen.at(-1)?.[0]).toBe('sites');
    expect(play.state.sitePicker.selectedId).toBe('site-1');
    expect(play.effects).toEqual([{kind: 'cancel'}]);
    expect(play.state.branches).toBeUndefined();
  });

  test('a refresh cancels what is under way, and a failed listing is tried now', () => {
    const play = onBranches();
    const {generation} = play.state;
    const asked = [{kind: 'cancel'}, {kind: 'fetchBranches', siteId: 'site-1', generation}];
    expect(refreshBranches(play.state).effects).toEqual(asked);
    expect(refreshBranches(play.state).state).toBe(play.state);
    play.branchesFail();
    const failed = refreshBranches(play.state);
    expect(failed.effects).toEqual(asked);
    expect(failed.state.branches?.listing).toMatchObject({kind: 'failed', retryAtMs: play.state.nowMs});
  });

  test('without branches there is nothing to order, to refresh or to move in', () => {
    const state = sampleState();
    expect(refreshBranches(state)).toEqual({state, effects: []});
    expect(orderNow(state)).toBe(state);
    expect(updateBranches(state, 'moveDown')).toEqual({state, effects: []});
    const play = startAt(sampleState());
    give(play, 'open');
    for (const command of ['open', 'toggleMark', 'moveDown'] as const) {
      give(play, command);
      expect([play.state.screen, play.state.branches?.marked, play.effects]).toEqual(['branches', [], []]);
    }
  });

  test('a listing orders the rows only if the key that orders them was pressed less than ten seconds before', () => {
    const rowsAfter = (ms: number): string => {
      const play = onBranches();
      give(play, 'tryNow');
      play.wait(ms);
      play.branchesArrive(
        sampleBranches.map(each => ({
          ...each,
          status: each._id === 'b-quota' ? 'DEPLOY_APPLICATION_SUCCESS' : each.status,
        })),
      );
      return rowsOf(play)
        .map(row => /[●◐✗?○] (\S+)/.exec(textOf(row))?.[1])
        .slice(0, 2)
        .join(' ');
    };
    expect(rowsAfter(9_999)).toBe('master experiment');
    expect(rowsAfter(10_000)).toBe('master staging');
  });

  test('an answer or a failure that nobody waits for any more changes nothing', () => {
    const play = startAt(sampleState());
    const {state} = play;
    play.branchesArrive();
    expect(play.state.branches).toBe(state.branches);
    play.branchesFail();
    expect(play.effects).toEqual([]);
    const listed = onBranches();
    listed.branchesFail(new ApiError('cancelled', 'left'));
    expect(listed.state.branches?.listing.kind).toBe('good');
    expect(listed.effects).toEqual([]);
  });

  test('a site is remembered with its first answer, and a typed one is a site from then on', () => {
    const play = onBranches();
    expect(play.effects).toContainEqual({kind: 'rememberSite', siteId: 'site-1'});
    play.branchesArrive();
    expect(play.effects).toEqual([{kind: 'refreshAfter', delayMs: 30_000, generation: play.state.generation}]);
    expect(play.state.sites).toHaveLength(3);
    const typed = startAt(sampleState({sites: []}));
    typeFilter(typed, 'new-site');
    typed.send({kind: 'inputKey', key: 'Enter'});
    give(typed, ...(typed.state.screen === 'sites' ? (['open'] as const) : []));
    typed.branchesArrive();
    expect(typed.state.sites).toEqual([{id: 'new-site', name: undefined, openedAtMs: undefined}]);
    expect(typed.effects).toContainEqual({kind: 'rememberSite', siteId: 'new-site'});
  });
});
