import {describe, expect, test} from 'vitest';
import {
  drawn,
  give,
  header,
  lastRowOf,
  rowsOf,
  sampleBranches,
  sampleState,
  showScreen,
  startAt,
  typeFilter,
} from '../../support/play.ts';

describe('the sites are listed', () => {
  const hoursAgo = (hours: number): number => sampleState().clockOffsetMs - hours * 3600_000;
  const sites = [
    {id: 'id-1', name: 'zebra', openedAtMs: undefined},
    {id: 'id-2', name: 'shop-10', openedAtMs: undefined},
    {id: 'id-3', name: 'shop-9', openedAtMs: undefined},
    {id: 'id-4', name: 'blog', openedAtMs: hoursAgo(5)},
    {id: 'id-5', name: undefined, openedAtMs: hoursAgo(1)},
  ];

  test('those that were opened lately first, the others as the config file has them', () => {
    const rows = showScreen(sampleState({sites})).slice(2, -2);
    expect(rows.map(row => row.slice(3).split(/ {3}/)[0]?.trim())).toEqual([
      'id-5',
      'blog',
      'zebra',
      'shop-10',
      'shop-9',
    ]);
  });

  test('by what was typed, the best fit first, with its letters told from the others', () => {
    const play = startAt(sampleState({sites}));
    typeFilter(play, 's10');
    expect(showScreen(play.state)[2]).toMatch(/▸ shop-10/);
    expect(
      rowsOf(play)[0]
        ?.filter(({tone}) => tone === 'hit')
        .map(({text}) => text),
    ).toEqual(['s', '10']);
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.branches?.siteId).toBe('id-2');
  });
});

describe('contexts', () => {
  const contexts = [
    {label: {name: 'production', host: 'api.example.com'}, sites: sampleState().sites},
    {label: {name: 'broken', host: ''}, sites: [], fault: "the context broken can't be used: no token"},
    {label: {name: 'staging', host: 'stage.example.com'}, sites: [{id: 's-1', name: 'trial', openedAtMs: undefined}]},
  ];

  test('Tab goes round through them, and the sites change along; one whose settings are wanting is passed over and told', () => {
    const play = startAt(sampleState({contexts, columns: 120, tokenNotice: 'old'}));
    expect(header(play)).toContain('production   api.example.com   context 1 of 3, Tab');
    give(play, 'nextContext');
    expect(header(play)).toContain('staging   stage.example.com   context 3 of 3, Tab');
    expect(showScreen(play.state)[2]).toContain('▸ trial');
    expect(lastRowOf(play)).toContain("the context broken can't be used: no token");
    expect(play.effects).toEqual([{kind: 'cancel'}, {kind: 'switchContext', name: 'staging'}]);
    expect(play.state.tokenNotice).toBeUndefined();
    give(play, 'nextContext');
    expect(header(play)).toContain('production');
    expect(lastRowOf(play).trim()).toBe('');
  });

  test('an answer that was asked for in another context is dropped', () => {
    const play = startAt(sampleState({contexts}));
    give(play, 'open', 'back');
    const {generation} = play.state;
    give(play, 'nextContext');
    expect(play.state.generation).toBe(generation + 1);
    give(play, 'open');
    expect(play.effects).toContainEqual({kind: 'fetchBranches', siteId: 's-1', generation: play.state.generation});
  });

  test('a site that was opened by its id is still there when one comes back', () => {
    const play = startAt(sampleState({contexts}));
    typeFilter(play, 'typed-id');
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.screen).toBe('sites');
    expect(play.state.notice).toBe('no site here is called “typed-id”: Enter asks the service for one with this id');
    give(play, 'open');
    play.branchesArrive(sampleBranches);
    give(play, 'back', 'nextContext', 'nextContext');
    expect(drawn(play)).toContain('typed-id');
  });

  test('where there is none to go to it is said, and nothing is let go of', () => {
    for (const few of [[], contexts.slice(0, 1)]) {
      const play = startAt(sampleState({contexts: few}));
      give(play, 'nextContext');
      expect(lastRowOf(play)).toContain('there is no other context in the config file');
      expect(play.effects).toEqual([]);
    }
    const play = startAt(sampleState({contexts: contexts.slice(0, 2)}));
    give(play, 'nextContext');
    expect(lastRowOf(play)).toContain("the context broken can't be used");
  });
});
