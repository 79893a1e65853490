import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import type {Command} from '#app/keys/keymap.ts';
import type {State} from '#app/state/state.ts';
import {answer, give, type Play, sampleState, showScreen, startAt, windowOf} from '../../support/play.ts';

type Status = string | null;

/** Branches by name, each with its status; the one named master is the site's master branch. */
const branchesOf = (statuses: Readonly<Record<string, Status>>): readonly Branch[] =>
  decodeBranches(
    Object.entries(statuses).map(([name, status]) => ({
      _id: `id-${name}`,
      name,
      status,
      branchType: name === 'master' ? 'MASTER' : 'FEATURE',
    })),
  ).value;

const [deployed, running, failed] = ['DEPLOY_APPLICATION_SUCCESS', 'DEPLOY_APPLICATION_RUNNING', 'BUILD_FAILED'];

const onBranches = (statuses: Readonly<Record<string, Status>>, change: Partial<State> = {}): Play => {
  const play = startAt(sampleState(change), 'status');
  give(play, 'open');
  play.branchesArrive(branchesOf(statuses));
  return play;
};

/** The names of the rows on the screen, the highlighted one after `▸`. */
const rows = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .flatMap(row => /^ ?(▸?).{0,3}[●○◐✗?] (\S+)/.exec(row)?.slice(1, 3).join('') ?? []);

const cart = {a: failed, b: running, c: deployed};

describe('the highlight is a branch', () => {
  test('from the first moment: a branch that comes above it takes neither the highlight nor Enter', () => {
    const play = onBranches(cart);
    expect(rows(play)).toEqual(['▸a', 'b', 'c']);
    play.branchesArrive(branchesOf({new: deployed, ...cart}));
    expect(rows(play)).toEqual(['▸a', 'b', 'c', 'new']);
    give(play, 'open');
    expect(play.state.log?.sources[0].branch.name).toBe('a');
  });

  test('before a key was pressed, too, when the rows are ordered by another order', () => {
    const play = onBranches({b: failed, a: deployed});
    give(play, 'nextOrder');
    expect(rows(play)).toEqual(['a', '▸b']);
    give(play, 'open');
    expect(play.state.log?.sources[0].branch.name).toBe('b');
  });

  test('what fits a filter best is highlighted and stays so when a better one comes', () => {
    const play = onBranches({'shop-cart': deployed, other: deployed});
    give(play, 'openFilter');
    play.send({kind: 'textTyped', text: 'cart'});
    play.branchesArrive(branchesOf({'shop-cart': deployed, other: deployed, cart: deployed}));
    expect(rows(play)).toEqual(['▸shop-cart', 'cart']);
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.log?.sources[0].branch.name).toBe('shop-cart');
  });

  test('that is gone hands the highlight to the next row, and a sentence says so', () => {
    const play = onBranches(cart);
    give(play, 'moveDown');
    play.branchesArrive(branchesOf({a: deployed, c: running}));
    expect(rows(play)).toEqual(['a', '▸c']);
    expect(showScreen(play.state).at(-2)).toContain('b is no longer listed');
    play.branchesArrive(branchesOf({a: deployed}));
    expect(rows(play)).toEqual(['▸a']);
  });

  test('that is gone with all others hands the highlight to the first row, and so does the one before, at the end', () => {
    const play = onBranches(cart);
    give(play, 'moveDown');
    play.branchesArrive(branchesOf({x: failed, y: deployed}));
    expect(rows(play)).toEqual(['▸x', 'y']);
    const atEnd = onBranches(cart);
    give(atEnd, 'moveDown', 'moveDown');
    atEnd.branchesArrive(branchesOf({a: deployed, b: failed}));
    expect(rows(atEnd)).toEqual(['a', '▸b']);
  });

  test('hidden by a choice of rows hands the highlight to a row close by', () => {
    const play = onBranches({a: failed, b: failed, c: deployed, d: deployed});
    give(play, 'moveDown', 'toggleDeployed');
    expect(rows(play)).toEqual(['▸c', 'd']);
  });
});

describe('a record that is malformed', () => {
  const records = (...changes: readonly object[]) =>
    answer(
      decodeBranches([
        {_id: 'id-a', name: 'a', status: deployed, updatedAt: '2026-11-21T12:02:10.000Z', replicas: 2, ...changes[0]},
        {_id: 'id-b', name: 'b', status: failed, updatedAt: '2026-11-21T12:02:10.000Z', ...changes[1]},
      ]).value,
    );
  const listed = (play: Play, listing: ReturnType<typeof records>, more: object = {}): void =>
    play.send({kind: 'branchesArrived', generation: play.state.generation, answer: {...listing, ...more}});
  const open = (): Play => {
    const play = startAt(sampleState({showsDetails: false, columns: 120}));
    give(play, 'open');
    listed(play, records());
    return play;
  };
  const screen = (play: Play): readonly string[] => showScreen(play.state).map(row => row.trim());

  test('keeps its row, with a word for what can’t be read, and is no news', () => {
    const play = open();
    listed(play, records({name: 7, status: {canary: 1}, updatedAt: 5, replicas: 'two'}));
    expect(screen(play).slice(2, 4)).toEqual([
      '▸ ? id-a (name not as described)   status not as described   malformed   malformed',
      expect.stringMatching(/^✗ b +build failed +2 h$/),
    ]);
    listed(play, records());
    expect(screen(play)[2]).toMatch(/^▸ ● a +deployed +2 +2 h$/);
    expect(screen(play).join('\n')).not.toMatch(/canary|no longer|new status/);
  });

  test('is found by the words, and is neither deployed nor failed', () => {
    const play = open();
    listed(play, records({}, {status: 7}));
    expect(screen(play)[0]).toContain('2 branches, 1 deployed');
    give(play, 'toggleFaults');
    expect(screen(play).join('\n')).toContain('None of the 2 branches has failed.');
    give(play, 'toggleFaults', 'openFilter');
    play.send({kind: 'textTyped', text: 'described'});
    expect(screen(play)[2]).toMatch(/^▸ \? b/);
  });

  test('has a log, which goes on', () => {
    const play = open();
    listed(play, records({status: 7}));
    give(play, 'open');
    expect(play.effects).toContainEqual({kind: 'fetchWindow', siteId: 'site-1', branchId: 'id-a', generation: 2});
    play.windowArrives(windowOf(1, 2));
    listed(play, records({status: []}));
    expect(play.effects.map(({kind}) => kind)).toEqual(['refreshAfter']);
    expect(screen(play).join('\n')).not.toMatch(/── .*status/);
  });

  test('is counted, and one without an id in words of its own', () => {
    const play = open();
    listed(play, records({status: 7}), {skipped: ['[0].status: …']});
    expect(screen(play).at(-2)).toBe('1 part of the answer is not as described');
    listed(play, records({status: 7}), {skipped: ['[0].status: …', '[2]._id: …'], withoutId: 1});
    expect(screen(play).at(-2)).toBe('1 record has no id, 1 part of the answer is not as described');
    const {value} = records();
    listed(play, answer(value.slice(1)), {skipped: ['[0]._id: …', '[1]: …'], withoutId: 2});
    expect(screen(play).at(-2)).toBe('a is no longer listed, but 2 records have no id');
  });
});

describe('rows never move under the reader', () => {
  test('a status that changes leaves its row in place, marked', () => {
    const play = onBranches(cart);
    play.branchesArrive(branchesOf({a: deployed, b: failed, c: running}));
    expect(rows(play)).toEqual(['▸a', 'b', 'c']);
    expect(showScreen(play.state)[3]).toMatch(/\+✗ b +build failed/);
  });

  test('the header says which key orders rows that are no longer in their order', () => {
    const play = onBranches(cart, {columns: 99});
    expect(showScreen(play.state)[0]).toContain('needs you first   live   as of');
    play.branchesArrive(branchesOf({a: deployed, b: failed, c: running}));
    expect(showScreen(play.state)[0]).toContain('needs you first: r reorders   live');
    play.branchesArrive(branchesOf(cart));
    expect(showScreen(play.state)[0]).toContain('needs you first   live   as of');
  });

  test('a branch that no longer fits the choice of rows stays, and one that does now is added at the end', () => {
    const play = onBranches({a: deployed, b: failed, c: failed});
    give(play, 'toggleFaults');
    play.branchesArrive(branchesOf({a: failed, b: deployed, c: failed}));
    expect(rows(play)).toEqual(['▸b', 'c', 'a']);
  });

  test.each([
    ['its order key', ['nextOrder', 'nextOrder', 'nextOrder']],
    ['a choice of rows', ['toggleDeployed', 'toggleDeployed']],
    ['the log and back', ['open', 'back']],
  ] as const)('until %s orders them anew', (_what, commands) => {
    const play = onBranches(cart);
    play.branchesArrive(branchesOf({a: deployed, b: failed, c: running}));
    give(play, ...commands);
    expect(rows(play)).toEqual(['b', 'c', '▸a']);
  });

  test('until r has brought a new listing', () => {
    const play = onBranches(cart);
    const now = branchesOf({a: deployed, b: failed, c: running});
    give(play, 'tryNow');
    expect(rows(play)).toEqual(['▸a', 'b', 'c']);
    play.branchesArrive(now);
    expect(rows(play)).toEqual(['b', 'c', '▸a']);
    play.branchesArrive(branchesOf(cart));
    expect(rows(play)).toEqual(['b', 'c', '▸a']);
  });

  test.each([
    ['after a failure', (play: Play) => play.branchesFail()],
    ['half a minute later, where r asked for none', (play: Play) => play.wait(30_000)],
  ])('a listing that comes %s orders nothing', (_what, happen) => {
    const play = onBranches(cart);
    give(play, 'tryNow');
    happen(play);
    play.branchesArrive(branchesOf({a: deployed, b: failed, c: running}));
    expect(rows(play)).toEqual(['▸a', 'b', 'c']);
  });

  test('r orders what is listed at once', () => {
    const play = onBranches(cart);
    play.branchesArrive(branchesOf({a: deployed, b: failed, c: running}));
    give(play, 'tryNow');
    expect(rows(play)).toEqual(['b', 'c', '▸a']);
  });

  test('a listing that came while the log was read orders them before they are seen again', () => {
    const play = onBranches(cart);
    give(play, 'open');
    play.windowArrives(windowOf(1));
    play.branchesArrive(branchesOf({a: deployed, b: failed, c: running}));
    give(play, 'back');
    expect(rows(play)).toEqual(['b', 'c', '▸a']);
  });

  test('in a list longer than the pane the highlight keeps its row when others come and go', () => {
    const many = Object.fromEntries(Array.from({length: 20}, (_, index) => [`b${index}`, deployed]));
    const play = onBranches(many, {rows: 9});
    give(play, ...Array.from({length: 12}, (): Command => 'moveDown'), 'moveUp');
    expect(rows(play)).toEqual(['b8', 'b9', 'b10', '▸b11', 'b12']);
    play.branchesArrive(branchesOf({...many, new1: deployed, new2: deployed}));
    expect(rows(play)).toEqual(['b8', 'b9', 'b10', '▸b11', 'b12']);
    const {b0: _gone, ...others} = many;
    play.branchesArrive(branchesOf(others));
    expect(rows(play)).toEqual(['b8', 'b9', 'b10', '▸b11', 'b12']);
  });

  test('the sites keep their order and the highlight its site when one that was opened is left again', () => {
    const play = startAt(sampleState());
    const sites = (): readonly string[] => showScreen(play.state).slice(2, 5);
    give(play, 'moveDown');
    const before = sites();
    give(play, 'open');
    play.branchesArrive(branchesOf(cart));
    give(play, 'back');
    expect(sites()).toEqual(before);
  });
});

describe('what needs the user first', () => {
  test('has master first among equals', () => {
    const play = onBranches({a: running, master: running, b: failed});
    expect(rows(play)).toEqual(['▸b', 'master', 'a']);
  });

  test('a master that is not built out is last like any other', () => {
    const play = onBranches({master: null, a: deployed});
    expect(rows(play)).toEqual(['▸a', 'master']);
  });
});
