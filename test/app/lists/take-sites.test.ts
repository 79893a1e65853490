import {expect, test} from 'vitest';
import {give, openBranch, sampleBranches, sampleState, showScreen, startAt, windowOf} from '../../support/play.ts';

const rowsOf = (play: ReturnType<typeof startAt>): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .map(row => row.trimEnd())
    .filter(row => row !== '');

test('sites come and go around the highlight, which stays on its site or goes to the next', () => {
  const play = startAt(sampleState());
  play.send({kind: 'sitesChanged', ids: ['api', 'site-1', 'site-3']});
  expect(rowsOf(play)).toEqual(['   api', ' ▸ shop   site-1', '   blog   site-3']);
  play.send({kind: 'sitesChanged', ids: ['api', 'site-3', 'web']});
  expect(rowsOf(play)).toEqual(['   api', ' ▸ blog   site-3', '   web']);
  play.send({kind: 'sitesChanged', ids: ['api']});
  expect(rowsOf(play)).toEqual([' ▸ api']);
});

test('the same sites change nothing', () => {
  const play = startAt(sampleState());
  const {sites, sitePicker} = play.state;
  play.send({kind: 'sitesChanged', ids: ['site-1', 'site-2', 'site-3']});
  expect(play.state.sites).toBe(sites);
  expect(play.state.sitePicker).toBe(sitePicker);
});

test('the open site stays open when it is gone, with its log, until it is left', () => {
  const play = openBranch({}, sampleBranches);
  play.windowArrives(windowOf(1, 2, 3));
  const {log} = play.state;
  play.send({kind: 'sitesChanged', ids: ['site-2']});
  expect(play.state.log).toBe(log);
  expect(play.state.sites.map(({id}) => id)).toEqual(['site-2', 'site-1']);
  give(play, 'back', 'back');
  expect(rowsOf(play)).toEqual(['   shipping   site-2', ' ▸ shop       site-1']);
  play.send({kind: 'sitesChanged', ids: ['site-2']});
  expect(rowsOf(play)).toEqual([' ▸ shipping   site-2']);
});
