import {describe, expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {listedColumns} from '#app/lists/branch-columns.ts';
import {claimsBesideRecord, fitBranchColumns} from '#app/lists/branch-rows.ts';
import type {BranchOrder} from '#app/panes/panes.ts';
import {selectView} from '#app/select-view.ts';
import {give, type Play, sampleBranches, sampleState, showScreen, startAt} from '../../support/play.ts';

const onBranches = (columns: number, branches = sampleBranches, order?: BranchOrder): Play => {
  const play = startAt(sampleState({columns}), order);
  give(play, 'open');
  play.branchesArrive(branches);
  return play;
};

const rowOf = (play: Play, name: string): string =>
  showScreen(play.state).find(row => row.includes(name)) ?? expect.fail(`no ${name}`);

/** Staging is deployed and experiment has waited on: news in two rows. */
const withNews = (play: Play): Play => {
  play.branchesArrive(
    sampleBranches.map(branch =>
      branch._id === 'b-staging'
        ? {...branch, status: 'DEPLOY_APPLICATION_SUCCESS'}
        : {...branch, updatedAt: '2026-11-21T13:51:10.000Z'},
    ),
  );
  return play;
};

describe('below 100 columns', () => {
  test.each([60, 70, 80, 90, 99])('at %i, a row says when its branch changed, news or not', columns => {
    const play = onBranches(columns);
    expect(rowOf(play, 'staging')).toMatch(/ 2 h$/);
    withNews(play);
    expect(rowOf(play, 'staging')).toMatch(/\+● staging .* 2 h$/);
    expect(rowOf(play, 'experiment')).toMatch(/\+\? experiment .* 11 min$/);
  });

  test('a long name is cut in the middle, not the status and the last change', () => {
    const name = 'release/2026-11-a-name-that-somebody-made-far-too-long';
    const play = onBranches(
      80,
      decodeBranches([
        {_id: '1', name, status: 'DEPLOY_APPLICATION_FAILED', updatedAt: '2026-11-21T12:02:10.000Z'},
        {_id: '2', name: 'b', status: 'DEPLOY_APPLICATION_FAILED', updatedAt: '2025-12-21T12:02:10.000Z'},
      ]).value,
    );
    expect(rowOf(play, 'release')).toMatch(
      / release\/2026-11-a-name-t…mebody-made-far-too-long {2}deploy failed +2 h$/,
    );
    expect(rowOf(play, '✗ b')).toMatch(/ 11 months$/);
  });
});

test('beside the record, which tells the last change, names and statuses come first', () => {
  const row = rowOf(onBranches(100), 'hotfix/cart');
  expect(row).toMatch(/◐ hotfix\/cart +build running/);
  expect(rowOf(onBranches(100), 'feature/')).toMatch(/○ feature\/new-theme +not built out/);
  expect(rowOf(withNews(onBranches(100)), 'staging')).toMatch(/\+● staging +deployed +new status/);
});

test.each([
  [60, 'build running', 'deploy failed'],
  [40, 'build running', 'deploy failed'],
  [30, 'bu… running', 'dep… failed'],
  [26, '…unning', '…failed'],
])('at %i columns a status keeps its ending', (columns, running, failed) => {
  const play = onBranches(columns);
  expect(rowOf(play, 'hotfix/cart')).toContain(` ${running}`);
  expect(rowOf(play, 'staging')).toContain(` ${failed}`);
});

test('a filter and the time move no column', () => {
  const play = onBranches(99);
  const columnOf = (words: string): number => rowOf(play, 'hotfix/cart').indexOf(words);
  const before = columnOf('build r');
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text: 'cart'});
  play.wait(40 * 24 * 3_600_000);
  give(play, 'repaint');
  expect(rowOf(play, 'hotfix/cart')).toMatch(/ 1 month$/);
  expect(columnOf('build r')).toBe(before);
});

describe('a branch that does not work', () => {
  const loop = {pod: 'a', container: 'php', state: 'now', reason: 'CrashLoopBackOff ×7, OOMKilled exit 137'};
  const status = 'DEPLOY_APPLICATION_SUCCESS';
  const branches = decodeBranches([
    {_id: '1', name: 'fine', status},
    {_id: '2', name: 'sick', status, troubles: [loop, {...loop, pod: 'b'}, {...loop, pod: 'c', state: 'past'}]},
    {_id: '3', name: 'late', status, troubles: [{pod: 'd', state: 'starting', reason: 'not ready yet'}]},
  ]).value;

  test('says why beside its status, and of how many pods', () => {
    expect(rowOf(onBranches(120, branches), 'sick')).toMatch(/● sick +deployed +2 pods: CrashLoopBackOff ×7/);
    expect(rowOf(onBranches(120, branches), 'late')).toMatch(/● late +deployed +not ready yet/);
  });

  test('comes first whatever its status is, if what needs the user is first, as the header says', () => {
    const stuck = decodeBranches([
      {_id: '4', name: 'stuck', status: 'DEPLOY_APPLICATION_PROGRESSING', troubles: [loop]},
      {_id: '5', name: 'failed', status: 'DEPLOY_APPLICATION_FAILED'},
    ]).value;
    const names = (play: Play): readonly (string | undefined)[] =>
      showScreen(play.state)
        .flatMap(row => /[●◐✗] (fine|sick|late|stuck|failed)/.exec(row)?.[1] ?? [])
        .slice(0, 5);
    const header = (play: Play): string => showScreen(play.state)[0] ?? '';
    const play = onBranches(99, [...branches, ...stuck], 'status');
    expect(names(play)).toEqual(['sick', 'stuck', 'failed', 'fine', 'late']);
    expect(header(play)).toContain('needs you first');
    give(play, 'nextOrder');
    expect(names(play)).toEqual(['failed', 'fine', 'late', 'sick', 'stuck']);
    expect(header(play)).toMatch(/ {3}by name/);
  });

  test('has nothing of what is no trouble as described', () => {
    const [odd] = decodeBranches([{_id: '1', name: 'x', status, troubles: [7, {}, {reason: ''}, null]}]).value;
    expect(odd).toMatchObject({troubles: [], malformed: []});
  });
});

test.each([
  {where: 'in a list of its own', claims: undefined},
  {where: 'beside the record', claims: claimsBesideRecord},
])('every column claims room $where', ({claims}) => {
  const branches = decodeBranches([
    {_id: 'b', name: 'b', status: 'UP', replicas: 1, updatedAt: '2026-11-21T13:51:10.000Z', troubles: [{reason: 'x'}]},
  ]).value;
  const listedWith = {
    ...{news: new Map([['b', 'new'] as const]), guarded: new Map([['b', 1]]), nowMs: 0},
    pulses: {known: new Map(), nowMs: 0},
  };
  const {cellsOf} = fitBranchColumns(branches, 500, listedWith, claims);
  const without = listedColumns.filter(column => cellsOf(column.key) < column.cells(branches, listedWith));
  expect(without.map(({key}) => key)).toEqual([]);
  expect(listedColumns.filter(column => column.cells(branches, listedWith) === 0)).toEqual([]);
});

describe('many long names', () => {
  const branches = decodeBranches(
    Array.from({length: 40}, (_, index) => ({
      _id: `${index}`,
      name: `feature/checkout-payment-retry-when-the-gateway-fails-${2000 + index}`,
      status: 'DEPLOY_APPLICATION_FAILED',
    })),
  ).value;

  test.each([80, 100, 120])('no two look alike at %i columns, and the status is there', columns => {
    const rows = showScreen(onBranches(columns, branches).state).flatMap(
      row => /✗ (feature\S+) +deploy failed/.exec(row)?.[1] ?? [],
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows[0]).toMatch(/^feature\/ch.*…?.*2000$/);
  });

  test('the header counts those that a filter leaves, and letters are marked at both ends of a cut name', () => {
    const play = onBranches(80, branches);
    give(play, 'openFilter');
    play.send({kind: 'textTyped', text: 'fe-203'});
    expect(showScreen(play.state)[0]).toContain('13 of 40 branches');
    const view = selectView(play.state);
    const row = 'tooSmall' in view || view.pane.kind !== 'pick' ? [] : (view.pane.pick.items[0]?.row ?? []);
    expect(row.filter(({tone}) => tone === 'hit').map(({text}) => text)).toEqual(['fe', '-203']);
  });
});
