import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {
  decode,
  drawn,
  give,
  header,
  names,
  onBranches,
  type Play,
  rowsOf,
  sampleBranches,
  showScreen,
  textOf,
  typeFilter,
  windowOf,
} from '../../support/play.ts';

describe('the branches are listed', () => {
  const records = decode(
    {_id: '1', name: 'release-10', status: 'DEPLOY_APPLICATION_SUCCESS', updatedAt: '2026-11-01T00:00:00.000Z'},
    {_id: '2', name: 'sketch', status: null, createdAt: '2026-11-20T00:00:00.000Z'},
    {_id: '3', name: 'release-9', status: 'DEPLOY_APPLICATION_FAILED', updatedAt: 'no time'},
    {_id: '4', name: 'master', status: 'DEPLOY_APPLICATION_SUCCESS', updatedAt: '2026-11-21T00:00:00.000Z'},
    {_id: '5', name: 'cart', status: 'BUILD_ERROR', updatedAt: '2026-11-19T00:00:00.000Z'},
  );

  test('what needs the user first, by name, by last change, and again, as the header says', () => {
    const play = onBranches(records, {columns: 99}, 'status');
    expect(names(play)).toEqual(['release-9', 'cart', 'release-10', 'master', 'sketch']);
    expect(header(play)).toContain('needs you first');
    give(play, 'nextOrder');
    expect(names(play)).toEqual(['cart', 'master', 'release-9', 'release-10', 'sketch']);
    expect(header(play)).toContain('by name');
    give(play, 'nextOrder');
    expect(names(play)).toEqual(['master', 'sketch', 'cart', 'release-10', 'release-9']);
    expect(header(play)).toContain('by last change');
    give(play, 'nextOrder');
    expect(header(play)).toContain('needs you first');
  });

  test('the highlight stays on its branch when they are ordered anew', () => {
    const play = onBranches(records, {}, 'status');
    give(play, 'moveDown', 'nextOrder');
    expect(play.state.branches?.picker.selectedId).toBe('5');
    expect(drawn(play)).toContain('cart');
  });

  test('only those that failed, or only those that are deployed, never both', () => {
    const play = onBranches(records);
    give(play, 'toggleFaults');
    expect(names(play)).toEqual(['cart', 'release-9']);
    expect(header(play)).toContain('2 of 5 branches, failed only');
    give(play, 'toggleDeployed');
    expect(names(play)).toEqual(['master', 'release-10']);
    expect(header(play)).toContain('2 of 5 branches, deployed only');
    give(play, 'toggleDeployed');
    expect(names(play)).toHaveLength(5);
  });

  test('where nothing failed it says so, and which key shows them all', () => {
    const play = onBranches(records.filter(({status}) => status === null));
    give(play, 'toggleFaults');
    expect(showScreen(play.state).join('\n')).toMatch(/None of the 1 branch has failed\.\n.*Press x to see/);
  });

  test('by what was typed, the best fit first, with its letters told from the others', () => {
    const play = onBranches(records, {columns: 99});
    typeFilter(play, 'r9');
    expect(names(play)).toEqual(['release-9']);
    const hits = rowsOf(play)[0]?.filter(({tone}) => tone === 'hit');
    expect(hits?.map(({text}) => text)).toEqual(['r', '9']);
    play.send({kind: 'inputKey', key: 'ClearLine'});
    play.send({kind: 'textTyped', text: 're'});
    // A letter that begins a word counts more, and a name more than a status or an id.
    expect(names(play).slice(0, 2)).toEqual(['release-10', 'release-9']);
    expect(header(play)).toContain('best fit first');
  });

  test('a filter puts the highlight on what fits best, and Esc puts it back', () => {
    const play = onBranches(records);
    give(play, 'moveDown', 'moveDown');
    typeFilter(play, 'a');
    expect(names(play)).toEqual(['master', 'cart', 'release-10', 'release-9']);
    expect(showScreen(play.state)[2]).toMatch(/▸ ● master/);
    play.send({kind: 'inputKey', key: 'Esc'});
    expect(play.state.branches?.picker).toEqual({selectedId: '5', filter: ''});
  });

  test('letters that are strewn over an id fit nothing; an id and a status that hold them do', () => {
    const play = onBranches(decode({_id: '5f3c0a12e', name: 'master', status: 'WAITING_FOR_QUOTA'}));
    for (const [filter, count] of [
      ['5a1', 0],
      ['c0a', 1],
      ['quota', 1],
    ] as const) {
      typeFilter(play, filter);
      expect(play.state.branches && names(play).filter(name => name === 'master')).toHaveLength(count);
      play.send({kind: 'inputKey', key: 'Esc'});
    }
  });

  test('a name that is cut keeps its cut mark, which is no letter that was typed', () => {
    const named = (name: string): Play => {
      const play = onBranches(decode({_id: '1', name, status: 'WAITING_FOR_A_LONG_TIME_NOW'}), {columns: 40});
      typeFilter(play, 'q');
      return play;
    };
    const at = textOf(rowsOf(named(`q${'x'.repeat(50)}`))[0] ?? []).indexOf('…') - 3;
    expect(at).toBeGreaterThan(5);
    for (const [before, hits] of [
      [at - 1, ['q']],
      [at, []],
    ] as const) {
      const row = rowsOf(named(`${'x'.repeat(before)}q${'x'.repeat(50)}`))[0] ?? [];
      expect(row.filter(({tone}) => tone === 'hit').map(({text}) => text)).toEqual(hits);
      expect(textOf(row).indexOf('…')).toBe(at + 3);
    }
  });
});

describe('what changed since the user looked', () => {
  const changed = (changes: Partial<Branch>) =>
    sampleBranches.map(branch => (branch._id === 'b-staging' ? {...branch, ...changes} : branch));

  test('is told by a sign and words until the highlight was there', () => {
    const play = onBranches();
    expect(drawn(play)).not.toContain('+');
    play.branchesArrive(changed({status: 'DEPLOY_APPLICATION_SUCCESS'}));
    expect(drawn(play)).toMatch(/\+● staging +deployed +new status/);
    // Another listing that says the same takes nothing back.
    play.branchesArrive(changed({status: 'DEPLOY_APPLICATION_SUCCESS'}));
    give(play, 'moveDown');
    expect(drawn(play)).toContain('new status');
    give(play, 'moveDown');
    expect(drawn(play)).not.toContain('new status');
  });

  test('a branch that came is new, and one that changed otherwise says so', () => {
    const play = onBranches(sampleBranches.slice(0, 4));
    play.branchesArrive(sampleBranches);
    expect(drawn(play)).toMatch(/\+\? experiment .* new branch/);
    play.branchesArrive(sampleBranches.map(branch => ({...branch, updatedAt: '2026-11-21T14:02:00.000Z'})));
    expect(drawn(play)).toMatch(/\+\? experiment .* new branch/);
    expect(drawn(play)).toMatch(/\+● master .* new change/);
  });

  test('an older record, from a replica that lags, is no news', () => {
    const play = onBranches();
    play.branchesArrive(changed({status: 'BUILD_RUNNING', updatedAt: '2026-11-20T00:00:00.000Z'}));
    expect(play.state.branches?.news.size).toBe(0);
  });

  test('what its log told is no news in the list, and opening the log ends what was', () => {
    const play = onBranches();
    play.branchesArrive(changed({status: 'BUILD_RUNNING'}));
    give(play, 'moveDown', 'open');
    expect(play.state.branches?.news.size).toBe(0);
    play.windowArrives(windowOf(1));
    play.branchesArrive(changed({status: 'DEPLOY_APPLICATION_SUCCESS'}));
    expect(play.state.branches?.news.size).toBe(0);
  });
});
