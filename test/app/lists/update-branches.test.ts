import {describe, expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {give, onBranches, paneOf, sampleBranches, sampleState, showScreen, startAt} from '../../support/play.ts';

describe('branches', () => {
  test('are listed with words for every status, those that are not built out last', () => {
    const rows = paneOf(onBranches());
    expect(rows.map(row => row.trim().split(/ {2,}/).slice(0, 2))).toEqual([
      ['▸ ● master', 'deployed'],
      ['✗ staging', 'deploy failed'],
      ['◐ hotfix/cart', 'build running'],
      ['? experiment', 'waiting for quota'],
      ['○ feature/new-theme', 'not built out'],
    ]);
  });

  test('a branch that is not built out has no log: it is said, and nothing is asked', () => {
    const play = onBranches();
    give(play, 'goLast', 'open');
    expect(play.effects).toEqual([{kind: 'cancel'}]);
    expect(showScreen(play.state).join('\n')).toContain('not built out: it has no log yet');
  });

  test('what the guard told stands in its row until somebody looks at the branch', () => {
    const play = onBranches(sampleBranches, {remembersLogs: true});
    const asked = {kind: 'readGuard', contextName: play.state.context.name, siteId: play.state.branches?.siteId};
    expect(play.effects).toContainEqual({...asked, generation: 1, looked: []});
    play.send({kind: 'guardRead', generation: 1, told: new Map([['master', 2]])});
    expect(paneOf(play).filter(row => row.includes('2 new'))).toEqual([expect.stringContaining('master')]);
    give(play, 'open');
    expect(play.effects).toContainEqual({...asked, generation: play.state.generation, looked: ['master']});
    play.send({kind: 'guardRead', generation: play.state.generation, told: new Map()});
    give(play, 'back');
    expect(paneOf(play).filter(row => row.includes('2 new'))).toEqual([]);
  });

  test('only the deployed ones, and all again', () => {
    const play = onBranches();
    give(play, 'toggleDeployed');
    expect(paneOf(play)).toHaveLength(1);
    give(play, 'toggleDeployed');
    expect(paneOf(play)).toHaveLength(5);
  });

  test('the highlight stays on its branch when the list changes', () => {
    const play = onBranches();
    give(play, 'moveDown', 'moveDown');
    expect(play.state.branches?.picker.selectedId).toBe('b-hotfix');
    play.branchesArrive(sampleBranches.filter(branch => branch._id !== 'b-master'));
    expect(paneOf(play)[1]).toContain('▸ ◐ hotfix/cart');
  });

  test('a failed listing leaves the branches on the screen and says what is wrong', () => {
    const play = onBranches();
    play.wait(30_000);
    play.branchesFail();
    const rows = showScreen(play.state);
    expect(rows[0]).toContain('failing since 14:02:40');
    expect(rows.at(-2)).toContain('api.example.com:443 refused');
    expect(paneOf(play)).toHaveLength(5);
    expect(play.effects).toEqual([{kind: 'refreshAfter', delayMs: 750, generation: 1}]);
  });

  test('secrets of the record are masks', () => {
    const play = onBranches();
    give(play, 'toggleDetails');
    play.send({kind: 'resized', columns: 120, rows: 60});
    const {state} = play;
    const drawn = JSON.stringify(showScreen({...state, showsDetails: true}));
    expect(JSON.stringify(state)).not.toContain('not-to-be-seen');
    expect(drawn).not.toContain('not-to-be-seen');
  });

  test('a branch named on the command line is opened as soon as the branches are known, by name or id', () => {
    for (const wanted of ['master', 'b-master']) {
      const branches = {...onBranches().state.branches, openWhenKnown: wanted} as never;
      const play = startAt(sampleState({branches}));
      play.send({kind: 'started'});
      play.branchesArrive();
      expect(play.state.screen).toBe('log');
      expect(play.state.log?.sources[0].branch._id).toBe('b-master');
    }
  });

  test('one that may be several is not guessed: the list says which', () => {
    const branches = {...onBranches().state.branches, openWhenKnown: 'web'} as never;
    const play = startAt(sampleState({branches}));
    play.send({kind: 'started'});
    play.branchesArrive(
      decodeBranches([
        {_id: '1', name: 'shop', status: 'DEPLOY_APPLICATION_SUCCESS', workloads: ['deployment/web']},
        {_id: '2', name: 'blog', status: 'DEPLOY_APPLICATION_SUCCESS', workloads: ['job/web']},
      ]).value,
    );
    expect(play.state.screen).toBe('branches');
    expect(showScreen(play.state).at(-2)).toContain('“web” names 2 branches: shop, blog');
  });

  test('one that does not exist is told, with the list in sight', () => {
    const branches = {...onBranches().state.branches, openWhenKnown: 'nope'} as never;
    const play = startAt(sampleState({branches}));
    play.send({kind: 'started'});
    play.branchesArrive();
    expect(play.state.screen).toBe('branches');
    expect(showScreen(play.state).at(-2)).toContain('no branch here has the id or name “nope”');
  });
});
