import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {branchColumns, listedColumns, listedWords, spokenWords} from '#app/lists/branch-columns.ts';
import {type BranchWidths, branchListWidth, branchRow, fitBranchColumns} from '#app/lists/branch-rows.ts';
import {orderNow, refreshBranches, updateBranches} from '#app/lists/update-branches.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {
  answer,
  decode,
  drawn,
  give,
  header,
  lastRowOf,
  onBranches,
  type Play,
  rowsOf,
  sampleBranches,
  sampleState,
  showScreen,
  startAt,
  textOf,
  typeFilter,
  windowOf,
} from '../../support/play.ts';

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
  const known = (fields: object) => ({known: new Map([['1', {probedAtMs: 0, ...fields}]]), nowMs: minute});
  const words = (key: string, fields: object, more: object = {}): string | undefined => {
    const column = listedColumns.find(each => each.key === key) ?? expect.fail();
    return listedWords(column, one(fields), {news: new Map(), nowMs, ...more});
  };

  test.each<readonly [key: string, fields: object, words: string]>([
    ['pods', {status: null, replicas: 1}, '1'],
    ['pods', {status: null, replicas: 2000}, '2,000'],
    ['pods', {status: null}, ''],
    ['pods', {status: null, replicas: 'x'}, 'malformed'],
    ['since', {status: null, createdAt: '2026-11-21T12:00:00Z'}, '2 h'],
    ['since', {status: 'A', createdAt: '2026-11-21T12:00:00Z', updatedAt: '2026-11-21T13:59:00Z'}, '1 min'],
    ['since', {status: 'A', createdAt: '2026-11-21T12:00:00Z'}, ''],
    ['since', {status: null, createdAt: 9, updatedAt: '2026-11-21T13:59:00Z'}, 'malformed'],
    ['since', {status: 'A', updatedAt: 9}, 'malformed'],
    ['pulse', {status: 'DEPLOY_APPLICATION_SUCCESS'}, '–'],
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
    expect(words('pulse', deployed, {pulses: none})).toBe('····· not checked');
    expect(words('pulse', {status: 'BUILD_FAILED'}, {pulses: none})).toBe('–');
    expect(words('pulse', {status: 'BUILD_FAILED'}, {pulses: known({pulse, countedAtMs: 0})})).toMatch(/3/);
    const column = listedColumns.find(({key}) => key === 'pulse') ?? expect.fail();
    const listedWith = {news: new Map(), nowMs, pulses: known({pulse, countedAtMs: 0})};
    expect(spokenWords(column, one(deployed), listedWith)).toMatch(/3 errors/);
    expect(spokenWords(column, one(deployed), {news: new Map(), nowMs})).toBe('');
    const pods = listedColumns.find(({key}) => key === 'pods') ?? expect.fail();
    expect(spokenWords(pods, one({status: null, replicas: 3}), listedWith)).toBe('3 pods');
  });

  test('a column has room only if some branch has something for it', () => {
    const cells = (key: string, fields: object, more: object = {}): number | undefined =>
      listedColumns.find(each => each.key === key)?.cells([one(fields)], {news: new Map(), nowMs, ...more} as never);
    expect([cells('since', {status: 'A'}), cells('since', {status: 'A', updatedAt: 'x'})]).toEqual([0, 9]);
    expect([cells('pods', {status: 'A'}), cells('pods', {status: 'A', replicas: 10})]).toEqual([0, 2]);
    expect([cells('news', {}), cells('news', {}, {news: new Map([['9', 'new']])})]).toEqual([0, 10]);
    expect([cells('pulse', {}), cells('pulse', {}, {pulses: known({})})]).toEqual([0, 19]);
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
  const wholeWidth = 2 + 24 + 3 + 21 + 3 + 4 + 3 + 9;

  test('are all shown if they fit, else the least of them is dropped and the rest moves closer', () => {
    expect(branchListWidth(branches, listedWith)).toBe(3 + wholeWidth);
    expect(rowAt(wholeWidth)).toBe('? a-name-of-24-characters-   waiting for something      2         2 h');
    expect(rowAt(wholeWidth, 1)).toBe('○ b                          not built out                      1 day');
    expect(rowAt(wholeWidth - 1)).toBe('? a-name-of-24-characters-  waiting for something     2        2 h');
    expect(rowAt(65)).toBe('? a-name-of-24-characters-  waiting for something        2 h');
    expect(rowAt(60)).toBe('? a-name-of-24-characters-  waiting for something        2 h');
  });

  test('the last change is dropped where it does not fit', () => {
    const short = fitBranchColumns(branches, 50, listedWith);
    expect([54, 53].map(columns => fitBranchColumns(branches, columns, listedWith).cellsOf('since'))).toEqual([9, 0]);
    expect(short.cellsOf('name')).toBe(24);
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

  const widthsOf = (name: number, status: number): BranchWidths => ({
    gap: 1,
    cellsOf: column => (column === 'name' ? name : column === 'status' ? status : 0),
  });

  test.each([
    [21, 'waiting for something'],
    [20, 'waiting f… something'],
    [12, 'w… something'],
    [11, '… something'],
    [10, '…something'],
  ])('a status in %i cells keeps its last word', (status, shown) => {
    const widths = widthsOf(1, status);
    expect(textOf(branchRow(branches[0] ?? expect.fail(), '', widths, listedWith, false))).toBe(`? … ${shown}`);
  });

  test('letters that a filter found are marked where they are in a name that is cut', () => {
    const [branch = expect.fail()] = decode({_id: '1', name: 'abcdefghijklmnop', status: null});
    const hits = (filter: string, name: number): readonly string[] =>
      branchRow(branch, filter, widthsOf(name, 3), listedWith, false)
        .filter(({tone}) => tone === 'hit')
        .map(({text}) => text);
    const shownAt = textOf(branchRow(branch, '', widthsOf(9, 3), listedWith, false));
    expect(shownAt.slice(2, 11)).toBe('abcd…mnop');
    expect(hits('abcdefghijklmnop', 9)).toEqual(['abcd', 'mnop']);
    expect(hits('dm', 9)).toEqual(['d', 'm']);
    expect(hits('el', 9)).toEqual([]);
    expect(hits('el', 16)).toEqual(['e', 'l']);
  });
});

test('the columns have headings that stand above them, and a filter stands in their place', () => {
  const play = onBranches(sampleBranches, {columns: 80});
  expect(showScreen(play.state)[1]).toBe('   BRANCH                STATUS              PODS     CHANGED');
  expect(showScreen(play.state)[2]).toBe(' ▸ ● master              deployed               2         2 h');
  typeFilter(play, 'stag');
  expect(showScreen(play.state)[1]).toBe(' / stag█   name, id or status');
});

test('names and statuses are whole at 80 columns beside the errors and the last change', () => {
  const play = onBranches(
    decode(
      {_id: '1', name: 'experiment/instant-search', status: 'WAITING_FOR_QUOTA', updatedAt: '2026-11-21T12:00:00Z'},
      {_id: '2', name: 'master', status: 'DEPLOY_APPLICATION_SUCCESS', updatedAt: '2026-11-21T12:00:00Z'},
    ),
    {columns: 80, logSettings: {...sampleState().logSettings, probeIntervalMs: 1000}},
  );
  expect(showScreen(play.state).slice(1, 4)).toEqual([
    '   BRANCH                       STATUS             ERRORS, 5 MIN         CHANGED',
    ' ▸ ? experiment/instant-search  waiting for quota  –                         2 h',
    '   ● master                     deployed           ····· not checked         2 h',
  ]);
});

test('the errors of the last minutes keep their strip where there is no room for their words', () => {
  const play = onBranches(
    decode({_id: '1', name: 'feature/checkout-of-the-cart', status: 'DEPLOY_APPLICATION_SUCCESS'}),
    {columns: 100, logSettings: {...sampleState().logSettings, probeIntervalMs: 1000}},
  );
  const rowsAt = (columns: number) => showScreen({...play.state, columns}).slice(1, 3);
  expect(rowsAt(54)).toEqual([
    '   BRANCH                          STATUS    ERRORS',
    ' ▸ ● feature/checkout-of-the-cart  deployed  ·····',
  ]);
});

describe('the header of the branches', () => {
  test('counts them, and those that are deployed', () => {
    expect(header(onBranches(sampleBranches, {columns: 99}, 'status'))).toMatch(
      / {3}5 branches, 1 deployed {3}needs you first {3}live/,
    );
    expect(header(onBranches(sampleBranches.slice(1, 2), {columns: 99}))).toContain('1 branch, 1 deployed');
    expect(header(onBranches([], {columns: 99}))).toContain('0 branches, 0 deployed');
    expect(header(onBranches([], {columns: 99}))).not.toContain('by ');
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
      const play = onBranches(sampleBranches, {columns}, 'status');
      give(play, ...commands);
      return header(play).trim();
    };
    expect(at(28)).toBe('shop   production');
    expect(at(69)).toBe('shop   production   5 branches, 1 deployed   needs you first   live');
    expect(at(68)).toBe('shop   production   5 branches, 1 deployed   needs you first');
    expect(at(60)).toBe('shop   production   5 branches, 1 deployed');
    expect(at(60, 'toggleFaults')).toBe('shop   production   1 of 5 branches, failed only');
    expect(at(41)).toBe('shop   production');
    expect(at(48, 'toggleFaults')).toBe('shop   1 of 5 branches, failed only');
    expect(at(60, 'nextOrder')).toMatch(/by name/);
    expect(at(44, 'toggleMark')).toMatch(/1 marked/);
  });

  test('tells when the errors on the screen were counted at the latest, and that this is slowed', () => {
    const probes = {nextAtMs: 0, allAtMs: 0, slowDown: 1};
    const play = onBranches(sampleBranches, {columns: 200});
    const at = (ages: readonly number[], slowDown = 1, columns = 200): string => {
      const {branches} = play.state;
      const pulses = new Map(
        ages.map((age, index) => [
          sampleBranches[index]?._id ?? '',
          {probedAtMs: 0, countedAtMs: play.state.nowMs - age} as never,
        ]),
      );
      const state: State = {
        ...play.state,
        columns,
        branches: branches && {...branches, pulses, probes: {...probes, slowDown}},
      };
      return showScreen(state)[0] ?? '';
    };
    expect(at([])).not.toContain('checked');
    expect(at([9_999])).toContain('errors checked just now   ');
    expect(at([49_999])).toContain('errors checked 40 s ago   ');
    expect(at([60_000])).toContain('errors checked 1 min ago   ');
    expect(at([1000, 179_000], 2)).toContain('errors checked 2 min ago, slowed');
    expect(at([49_999], 1, 80)).toBe(' shop   production   5 branches, 1 deployed   by last change   checked 40 s ago');
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
    expect(lastRowOf(left).trim()).toBe('2 lines held from 14:00:01 on: Enter opens the log as you left it');
    give(left, 'moveDown');
    expect(lastRowOf(left).trim()).toBe('');
    // A mark on another row changes nothing of what Enter opens.
    give(left, 'toggleMark', 'moveUp');
    expect(lastRowOf(left).trim()).toMatch(/^2 lines held/);
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
    const play = onBranches(sampleBranches, {columns: 99, rows: 24});
    give(play, 'toggleMark', 'toggleDetails');
    typeFilter(play, 'cart');
    const afterBack = (): unknown[] => {
      give(play, 'back');
      const {screen, showsDetails, branches} = play.state;
      return [screen, branches?.picker.filter, showsDetails, branches?.marked.length, play.effects.length];
    };
    const {state} = play;
    play.send({kind: 'resized', columns: 99, rows: 24});
    expect([state.screen, state.branches?.picker.filter, state.showsDetails]).toEqual(['branches', 'cart', true]);
    expect(afterBack()).toEqual(['branches', '', true, 1, 0]);
    expect(afterBack()).toEqual(['branches', '', false, 1, 0]);
    expect(afterBack()).toEqual(['branches', '', false, 0, 0]);
    const {generation} = play.state;
    expect(afterBack()).toEqual(['sites', undefined, false, undefined, 1]);
    expect(play.state.generation).toBe(generation + 1);
    expect(play.state.sitePicker.selectedId).toBe('site-1');
    expect(play.effects).toEqual([{kind: 'cancel'}]);
  });

  test('Esc leaves a record beside the list open', () => {
    const play = onBranches(sampleBranches, {columns: 100, rows: 24, showsDetails: true});
    give(play, 'back');
    expect(play.state.screen).toBe('sites');
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
      const play = onBranches(sampleBranches, {}, 'status');
      give(play, 'tryNow');
      play.wait(ms);
      play.branchesArrive(
        sampleBranches.map(each => ({
          ...each,
          status: each._id === 'b-quota' ? 'BUILD_FAILED' : each.status,
        })),
      );
      return rowsOf(play)
        .map(row => /[●◐✗?○] (\S+)/.exec(textOf(row))?.[1])
        .slice(0, 2)
        .join(' ');
    };
    expect(rowsAfter(9_999)).toBe('staging experiment');
    expect(rowsAfter(10_000)).toBe('staging hotfix/cart');
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

describe('the record of the highlighted branch', () => {
  const listed = (columns: number, rows: number, ...commands: Parameters<typeof give>[1][]) => {
    const play = onBranches(sampleBranches, {columns, rows});
    give(play, ...commands);
    const view = selectView(play.state);
    return 'tooSmall' in view ? expect.fail() : view;
  };

  test('stands beside the list from 100 columns on, with a gap of two and the width that the list leaves', () => {
    const {pane} = listed(140, 24);
    const {pick, beside, below} = pane.kind === 'pick' ? pane : expect.fail();
    const listWidth = textOf(pick.items[0]?.row ?? []).length + 2;
    expect(new Set(beside.map(row => textOf(row).length))).toEqual(new Set([140 - listWidth - 2]));
    expect(textOf(beside[0] ?? []).trim()).toBe('Branch');
    expect([below, pick.isLit, pick.selectedIndex]).toEqual([[], true, 0]);
    const narrow = listed(100, 24).pane;
    expect(narrow.kind === 'pick' && textOf(narrow.beside[0] ?? []).length).toBe(38);
    expect(narrow.kind === 'pick' && textOf(narrow.pick.items[0]?.row ?? []).length).toBe(100 - 38 - 2 - 2);
    // A label, and an id of 24 digits.
    const wide = listed(120, 24).pane;
    expect(wide.kind === 'pick' && textOf(wide.beside[0] ?? []).length).toBeGreaterThanOrEqual(2 + 17 + 24);
  });

  test('stands below it where it is asked for and there are rows, a blank row between', () => {
    const {pane} = listed(80, 60, 'toggleDetails');
    const {beside, below} = pane.kind === 'pick' ? pane : expect.fail();
    expect(beside).toEqual([]);
    expect(below[0]).toEqual([]);
    expect(textOf(below[1] ?? [])).toBe(' Branch'.padEnd(80));
  });

  test('takes its place on a small screen, but for the time in which a filter is typed', () => {
    const {pane, hints} = listed(80, 12, 'toggleDetails');
    expect(pane.kind === 'rows' && textOf(pane.rows[0] ?? [])).toBe(' Branch'.padEnd(80));
    expect(textOf(hints)).toMatch(/^ ↑↓ choose {3}y copy {3}Esc to the list/);
    expect(listed(80, 12, 'toggleDetails', 'openFilter').pane.kind).toBe('pick');
  });

  test('has the keys while a field of it is highlighted, and says which', () => {
    const {pane, hints} = listed(120, 24, 'enterDetails');
    expect(pane.kind === 'pick' && pane.pick.isLit).toBe(false);
    expect(textOf(hints)).toMatch(/^ ↑↓ choose {3}y copy {3}Esc to the list/);
    expect(textOf(listed(120, 24).hints)).toMatch(/^ ↑↓ choose {3}Enter log/);
    expect(textOf(listed(120, 24, 'openFilter').hints)).toMatch(/^ Enter take/);
  });

  test('gets the moves while it is in the place of the list', () => {
    const play = onBranches(sampleBranches, {columns: 80, rows: 12});
    give(play, 'toggleDetails', 'moveDown');
    expect(play.state.branches?.picker.selectedId).toBe('b-master');
    give(play, 'back', 'moveDown');
    expect(play.state.branches?.picker.selectedId).toBe('b-staging');
  });
});

describe('the highlight', () => {
  const many = decode(...Array.from({length: 30}, (_, index) => ({_id: `${index}`, name: `n${index}`, status: 'A'})));
  const without = (...ids: readonly string[]): readonly Branch[] => many.filter(({_id}) => !ids.includes(_id));
  const selected = (play: Play): string | undefined => play.state.branches?.picker.selectedId;

  test('goes to the next branch that is still listed, else to the one before, else to none', () => {
    const play = onBranches(many);
    give(play, 'moveDown', 'moveDown');
    play.branchesArrive(without('2', '3'));
    expect(selected(play)).toBe('4');
    expect(lastRowOf(play).trim()).toBe('n2 is no longer listed');
    give(play, 'goLast');
    play.branchesArrive(without('29', '28'));
    expect(selected(play)).toBe('27');
    play.branchesArrive(many.slice(0, 3));
    expect(selected(play)).toBe('2');
    play.branchesArrive([]);
    play.branchesArrive(many.slice(4, 6));
    expect(showScreen(play.state)[2]).toMatch(/▸.* n4/);
  });

  test('says of one that is gone that it may be one of those without an id', () => {
    const play = onBranches(many.slice(0, 2));
    play.send({
      kind: 'branchesArrived',
      generation: play.state.generation,
      answer: {...answer(many.slice(1, 2)), withoutId: 1, skipped: ['x'] as never},
    });
    expect(lastRowOf(play).trim()).toBe('n0 is no longer listed, but 1 record has no id');
  });

  test('keeps its row on the screen when rows above it go, and no row is left empty at the end', () => {
    const play = onBranches(many, {rows: 14});
    give(play, 'pageDown', 'moveDown');
    const rowOf = (): number => showScreen(play.state).findIndex(row => row.includes('▸'));
    expect([rowOf(), selected(play), play.state.branches?.top]).toEqual([11, '11', 2]);
    play.branchesArrive(without('0', '1'));
    expect([rowOf(), selected(play), play.state.branches?.top]).toEqual([11, '11', 0]);
    give(play, 'goLast');
    expect(play.state.branches?.top).toBe(28 - 10);
    play.branchesArrive(many.slice(0, 12));
    expect(play.state.branches?.top).toBe(2);
  });

  test('is in the middle of what a filter leaves', () => {
    const play = onBranches(many, {rows: 14});
    give(play, 'goLast');
    typeFilter(play, 'n');
    play.send({kind: 'inputKey', key: 'Esc'});
    expect(play.state.branches?.top).toBe(20);
    expect(selected(play)).toBe('29');
  });

  test('an event that moves nothing leaves the same list', () => {
    const play = onBranches(many);
    const {branches} = play.state;
    play.send({kind: 'ticked'});
    expect(play.state.branches).toBe(branches);
  });
});
