import {describe, expect, test} from 'vitest';
import {give, paneOf, sampleBranches, sampleState, showScreen, startAt, type} from '../../support/play.ts';

describe('sites', () => {
  test('Enter opens the highlighted site and starts ones branches', () => {
    const play = startAt(sampleState());
    give(play, 'moveDown', 'open');
    expect(play.state.screen).toBe('branches');
    expect(play.effects).toEqual([{kind: 'cancel'}, {kind: 'fetchBranches', siteId: 'site-2', generation: 1}]);
  });

  test('the highlight stops at both ends', () => {
    const play = startAt(sampleState());
    give(play, 'moveUp', 'moveUp', 'open');
    expect(play.state.branches?.siteId).toBe('site-1');
    const other = startAt(sampleState());
    give(other, 'goLast', 'moveDown', 'moveDown', 'open');
    expect(other.state.branches?.siteId).toBe('site-3');
  });

  test('letters go to the filter while it is open, and Enter takes what it leaves', () => {
    const play = startAt(sampleState());
    give(play, 'openFilter');
    play.send({kind: 'textTyped', text: 'b'});
    play.send({kind: 'textTyped', text: 'l'});
    expect(paneOf(play)).toEqual([' ▸ blog        site-3', '   open “bl”   as a site id']);
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.branches?.siteId).toBe('site-3');
  });

  test('an id that no list knows can be typed, and is listed once the service knows it', () => {
    const play = startAt(sampleState());
    type(play, 'openFilter', '77b1d2');
    expect(play.state.branches?.siteId).toBe('77b1d2');
    expect(play.state.sites.map(site => site.id)).not.toContain('77b1d2');
    play.branchesArrive(sampleBranches);
    expect(play.state.sites.map(site => site.id)).toContain('77b1d2');
    expect(play.effects).toContainEqual({kind: 'rememberSite', siteId: '77b1d2'});
  });

  test('a filter that is opened anew begins without the text of the last one', () => {
    const play = startAt(sampleState());
    type(play, 'openFilter', 'blog');
    give(play, 'back', 'openFilter');
    play.send({kind: 'textTyped', text: 'shop'});
    expect(play.state.sitePicker.filter).toBe('shop');
  });

  test('Esc closes the filter and shows every site again', () => {
    const play = startAt(sampleState());
    give(play, 'openFilter');
    play.send({kind: 'textTyped', text: 'blog'});
    play.send({kind: 'inputKey', key: 'Backspace'});
    expect(play.state.sitePicker.filter).toBe('blo');
    play.send({kind: 'inputKey', key: 'Esc'});
    expect(play.state.focus.kind).toBe('screen');
    expect(paneOf(play)).toHaveLength(3);
  });

  test('without any site it says what to do', () => {
    const rows = showScreen(sampleState({sites: []}));
    expect(rows.join('\n')).toContain('Press / and enter a site id');
  });
});

test('text that finds no site opens none at the first Enter, but an id does', () => {
  const typed = (text: string): ReturnType<typeof startAt> => {
    const play = startAt(sampleState());
    type(play, 'openFilter', text);
    return play;
  };
  const play = typed('checkuot');
  expect([play.state.screen, play.effects]).toEqual(['sites', []]);
  expect(play.state.notice).toContain('no site here is called “checkuot”');
  give(play, 'open');
  expect(play.state.branches?.siteId).toBe('checkuot');
  expect(typed('5f3c0a77').state.branches?.siteId).toBe('5f3c0a77');
  expect(typed('ship').state.branches?.siteId).toBe('site-2');
});
