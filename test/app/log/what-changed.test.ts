import {expect, test} from 'vitest';
import type {Answer, Branch, LogAnswer} from '#api/client/answer.ts';
import {give, openBranch, type Play, sampleBranches, showScreen, windowOf} from '../../support/play.ts';

const master = sampleBranches.find(({name}) => name === 'master') ?? expect.fail('no master');

const openLog = (change: Partial<Branch> = {}): Play => {
  const play = openBranch({}, [{...master, ...change}]);
  play.windowArrives(windowOf(1, 2, 3, 4));
  return play;
};

const listingDue = (play: Play): void => play.send({kind: 'refreshDue', generation: play.state.generation});
const fetchBranches = {kind: 'fetchBranches', siteId: 'site-1', generation: 2};
const markers = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .flatMap(row => /── (.*?) ─*$/.exec(row)?.[1] ?? [])
    .filter(words => !words.startsWith('the service held'));

const deployed = (status: string, second: number): Partial<Branch> => ({
  status: status === 'SUCCESS' ? 'DEPLOY_APPLICATION_SUCCESS' : 'BUILD_APPLICATION_RUNNING',
  lastActivity: {
    _id: 'activity-2',
    action: 'DEPLOY_APPLICATION',
    createdBy: 'user-9',
    status,
    updatedAt: `2026-11-21T14:00:0${second}.500Z`,
  },
});

/** Another pod than before. */
const withPod = (name: string, window: Answer<LogAnswer>): Answer<LogAnswer> => ({
  ...window,
  value: {...window.value, pods: [{name, resourceVersion: '1', metadata: {}, createdAt: undefined}]},
});

test('the branches are asked for every 30 s beside the log, whose polls go on', () => {
  const play = openLog();
  listingDue(play);
  expect(play.effects).toEqual([fetchBranches]);
  play.windowArrives(windowOf(3, 4, 5));
  expect(play.effects).toEqual([{kind: 'pollAfter', branchId: 'b-master', delayMs: 250, generation: 2}]);
  play.branchesArrive([master]);
  expect(play.effects).toEqual([{kind: 'refreshAfter', delayMs: 30_000, generation: 2}]);
  expect(markers(play)).toEqual([]);
});

test('what changed stands in the log at its time, once, and is no line', () => {
  const play = openLog();
  for (const branches of [[{...master, ...deployed('RUNNING', 2)}], [{...master, ...deployed('RUNNING', 2)}]]) {
    listingDue(play);
    play.branchesArrive(branches);
  }
  expect(showScreen(play.state).slice(3, 9)).toEqual([
    '   14:00:01 line 1',
    '   14:00:02 line 2',
    expect.stringMatching(/^ ── 14:00:02 {2}DEPLOY_APPLICATION RUNNING by user-9 ─+$/),
    expect.stringMatching(/^ ── 14:00:02 {2}status DEPLOY_APPLICATION_SUCCESS → BUILD_APPLICATION_RUNNING ─+$/),
    '   14:00:03 line 3',
    '   14:00:04 line 4',
  ]);
  expect(play.state.log?.sources[0].tail.log.buffer.lineCount).toBe(4);
  expect(play.state.log?.sources[0].tail.polls.sums.newLines).toBe(4);
});

test('a pod that comes or goes has the branches asked for at once', () => {
  const play = openLog();
  play.windowArrives(withPod('web-1', windowOf(3, 4, 5)));
  expect(play.effects.map(({kind}) => kind)).toEqual(['pollAfter', 'fetchBranches']);
});

test('there is never more than one listing under way: what happens meanwhile has it asked for again', () => {
  const play = openLog();
  listingDue(play);
  play.windowArrives(withPod('web-1', windowOf(3, 4, 5)));
  expect(play.effects.map(({kind}) => kind)).toEqual(['pollAfter']);
  play.windowArrives(withPod('web-2', windowOf(3, 4, 5)));
  play.branchesArrive([master]);
  expect(play.effects).toEqual([fetchBranches]);
  play.branchesArrive([{...master, ...deployed('RUNNING', 4)}]);
  expect(play.effects).toEqual([{kind: 'refreshAfter', delayMs: 30_000, generation: 2}]);
  expect(markers(play).filter(words => words.includes('DEPLOY_APPLICATION RUNNING'))).toHaveLength(1);
});

test('a listing that fails is silent, is tried again by its own clock, and a pod does not hurry it', () => {
  const play = openLog();
  const before = showScreen(play.state);
  listingDue(play);
  play.branchesFail();
  expect(play.effects).toEqual([{kind: 'refreshAfter', delayMs: 750, generation: 2}]);
  expect(showScreen(play.state)).toEqual(before);
  play.windowArrives(withPod('web-1', windowOf(3, 4, 5)));
  expect(play.effects.map(({kind}) => kind)).toEqual(['pollAfter']);
  listingDue(play);
  expect(play.effects).toEqual([fetchBranches]);
});

test('a change above what is being read moves nothing', () => {
  const play = openLog();
  play.send({kind: 'resized', columns: 80, rows: 7});
  give(play, 'togglePause');
  const before = showScreen(play.state).slice(2, -2);
  listingDue(play);
  play.branchesArrive([{...master, ...deployed('RUNNING', 1)}]);
  expect(showScreen(play.state).slice(2, -2)).toEqual(before);
});

test('a branch that is not in the listing, or was changed before its log was opened, says nothing', () => {
  const play = openLog(deployed('SUCCESS', 2));
  listingDue(play);
  play.branchesArrive([]);
  listingDue(play);
  play.branchesArrive([{...master, ...deployed('SUCCESS', 2)}]);
  expect(markers(play)).toEqual([]);
});

test('words of the record are made safe', () => {
  const play = openLog();
  listingDue(play);
  play.branchesArrive([{...master, status: '\u001b]0;title\u0007BAD\u202e'}]);
  expect(markers(play).join('')).toContain('BAD');
  expect(JSON.stringify(showScreen(play.state))).not.toMatch(/\\u001b|\\u0007|\u202e/);
});

test('a listing of a log that was left changes no other', () => {
  const play = openLog();
  listingDue(play);
  give(play, 'back');
  play.branchesArrive([master]);
  give(play, 'open');
  const {state} = play;
  play.send({
    kind: 'branchesArrived',
    generation: 2,
    answer: {value: [], status: 200, durationMs: 1, bodyBytes: 1, serviceTimeMs: undefined, skipped: []},
  });
  expect(play.state.log).toBe(state.log);
});

test('a branch that is not built out is not asked about', () => {
  const play = openBranch({}, [{...master, status: null}]);
  expect(play.effects).toEqual([{kind: 'cancel'}]);
});
