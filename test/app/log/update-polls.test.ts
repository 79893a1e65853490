import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {fetchWindow, nearEnds, wantedLines} from '#app/log/fetch-window.ts';
import {logWindowFailed, openLog, pollDue, refreshLog, takeHeldWindow, takeListing} from '#app/log/update-polls.ts';
import {
  afterPods,
  askForBranches,
  listingArrivedOnLog,
  listingFailedOnLog,
  withChanges,
} from '#app/log/update-watch.ts';
import type {State} from '#app/state/state.ts';
import {heldPolledMsMax} from '#app/tail/polls.ts';
import {
  answer,
  branchesNamed,
  give,
  linesOf,
  logOf,
  openBranch,
  openEmptyLog,
  openLogWith,
  type Play,
  refused,
  sampleBranches,
  sampleState,
  showScreen,
  stateRow,
  windowOf,
} from '../../support/play.ts';

const branchOf = (name: string): Branch => sampleBranches.find(branch => branch.name === name) ?? expect.fail();
const [master, staging, bare] = ['master', 'staging', 'feature/new-theme'].map(branchOf) as [Branch, Branch, Branch];
const moment = {nowMs: 0, wallMs: 0, random: 0.5, tokenExpiresAtMs: undefined};
const bounded = (change: Partial<State> = {}): State =>
  sampleState({
    logSettings: {intervalMs: 2000, bufferBytesMax: 1001, keepsColour: false, rows: 'received', columns: ['msg']},
    ...change,
  });

describe('a log that is opened', () => {
  test('asks for the windows of all branches that are built out, and for the listing after 30 seconds', () => {
    const step = openLog(sampleState({generation: 7}), 'site-1', [master, bare, staging]);
    expect(step.effects).toEqual([
      {kind: 'cancel'},
      {kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-master', generation: 8},
      {kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-staging', generation: 8},
      {kind: 'refreshAfter', delayMs: 30_000, generation: 8},
    ]);
    expect([step.state.screen, step.state.generation]).toEqual(['log', 8]);
    expect(openLog(sampleState(), 'site-1', [bare]).effects).toEqual([{kind: 'cancel'}]);
  });

  test('shares its bound among the branches, and looks as the settings say', () => {
    const log = logOf(openLog(bounded(), 'site-1', [master, staging], 5n));
    expect(log.sources.map(({tail}) => tail.log.buffer.bytesMax)).toEqual([500, 500]);
    expect(log.look).toMatchObject({rows: 'received', columns: [{name: 'msg'}], wraps: false});
    expect([log.goToAt, log.call, log.viewport.kind]).toEqual([5n, undefined, 'following']);
    expect(log.watch).toMatchObject({isAsking: false, asksAgain: false});
    const called = openLog(bounded({notifyRules: {firstError: true, quietMs: 5}}), 'site-1', [master]);
    expect(logOf(called).call).toEqual({quietSinceMs: 10_000, lastCallMs: undefined, heldBack: 0});
  });

  test('is recalled only if logs are remembered, and only the first time', () => {
    const kinds = (state: State): readonly string[] => openLog(state, 'site-1', [master]).effects.map(({kind}) => kind);
    expect(kinds(sampleState())).not.toContain('recallLog');
    expect(kinds(sampleState({remembersLogs: true}))).toContain('recallLog');
    const play = openBranch({remembersLogs: true}, sampleBranches);
    play.send({kind: 'logRecalled', generation: play.state.generation, memory: undefined});
    play.windowArrives(windowOf(1));
    give(play, 'back');
    expect(play.state.held).toHaveLength(1);
    give(play, 'open');
    expect(play.effects.map(({kind}) => kind)).not.toContain('recallLog');
    expect(play.state.held).toEqual([]);
  });
});

describe('a poll', () => {
  test('is asked for when it is due, of a branch of the log', () => {
    const play = openLogWith(linesOf(1, 5));
    const {generation} = play.state;
    const asked = {kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-master', generation};
    expect(pollDue(play.state, logOf(play), 'b-master').effects).toEqual([asked]);
    expect(pollDue(play.state, logOf(play), 'b-staging')).toEqual({state: play.state, effects: []});
    expect(pollDue(play.state, logOf(play), 'b-master').state.columns).toBe(80);
    expect(refreshLog(play.state).effects).toEqual([asked]);
    expect(refreshLog(sampleState()).effects).toEqual([]);
    play.windowFails();
    const failing = logOf(pollDue(play.state, logOf(play), 'b-master')).sources[0].tail.connection;
    expect(failing).toMatchObject({kind: 'failing', retryAtMs: play.state.nowMs});
    expect(logOf(refreshLog(play.state)).sources[0].tail.connection).toEqual(failing);
    expect(refreshLog(play.state).state.rows).toBe(9);
  });

  test('that fails says so, one that was cancelled does not, and at the end of a recording there is none to come', () => {
    const play = openLogWith(linesOf(1, 5));
    const {generation} = play.state;
    const fail = (error: ApiError, at = moment, branchId = 'b-master') =>
      logWindowFailed(play.state, logOf(play), {kind: 'windowFailed', branchId, generation, error, moment: at});
    const failed = fail(refused, {...moment, nowMs: play.state.nowMs});
    expect(logOf(failed).sources[0].tail.connection.kind).toBe('failing');
    expect(failed.effects).toEqual([
      {kind: 'pollAfter', branchId: 'b-master', delayMs: 750, generation: play.state.generation},
    ]);
    const cancelled = fail(new ApiError('cancelled', 'x'));
    expect(cancelled).toEqual({state: play.state, effects: []});
    const ended = fail(new ApiError('ended', 'x'));
    expect(logOf(ended).sources[0].tail.connection.kind).toBe('ended');
    expect([ended.effects, ended.state.columns]).toEqual([[], 80]);
    expect(fail(refused, moment, 'nobody')).toEqual({state: play.state, effects: []});
  });

  test('of a branch that is not there changes nothing', () => {
    const play = openLogWith(linesOf(1, 5));
    const {state} = play;
    play.windowArrives(linesOf(1, 6), 'nobody');
    expect(play.state.log).toBe(state.log);
    expect(play.effects).toEqual([]);
  });

  test('names what the log has, and which lines that were not read it wants', () => {
    const numbered = answer({
      ...windowOf(1, 2).value,
      numbering: {series: 'a', first: 1, sources: [{}], runs: [[0, 2] as const], losses: []},
    });
    const play = openEmptyLog();
    expect(fetchWindow(logOf(play).sources[0], 's', 3)).toEqual({
      kind: 'fetchWindow',
      siteId: 's',
      branchId: 'b-master',
      generation: 3,
    });
    play.windowArrives(numbered);
    const fetched = fetchWindow(logOf(play).sources[0], 's', 3, logOf(play));
    expect(fetched).toMatchObject({kind: 'fetchWindow', after: {series: 'a'}});
    expect(fetched.kind === 'fetchWindow' && fetched.after).not.toHaveProperty('wants');
    expect(wantedLines(logOf(play).sources[0].tail, logOf(play))).toBeUndefined();
  });
});

describe('near an end of the log', () => {
  const near = (count: number, topSecond?: number): readonly string[] => {
    const play = openLogWith(linesOf(1, count));
    const log = logOf(play);
    const at = BigInt(Date.UTC(2026, 10, 21, 14, 0, topSecond ?? 0)) * 1_000_000n;
    return nearEnds(
      topSecond === undefined ? log : {...log, viewport: {kind: 'paused', top: {source: 0, id: -1, at}, rowsAbove: 0}},
    );
  };

  test('are less than two hundred entries', () => {
    // The horizon is the first entry.
    expect(near(500)).toEqual(['later']);
    expect(near(500, 198)).toEqual(['earlier']);
    expect(near(500, 199)).toEqual([]);
    expect(near(500, 300)).toEqual([]);
    expect(near(500, 301)).toEqual(['later']);
    expect(near(100, 50)).toEqual(['earlier', 'later']);
    expect(near(100)).toEqual(['earlier', 'later']);
  });
});

describe('logs that were left', () => {
  const left = (window = linesOf(1, 40)): Play => {
    const play = openLogWith(window);
    give(play, 'back');
    play.branchesArrive(branchesNamed('master'));
    return play;
  };
  const polled = (play: Play, change: object = {}): readonly unknown[] => {
    const [held = expect.fail()] = play.state.held;
    const state = {...play.state, nowMs: held.leftAtMs + 60_000, held: [{...held, ...change}]};
    return takeListing({state, effects: []}, []).effects;
  };

  test('are polled for ten minutes, fifteen seconds apart, when their next poll is due', () => {
    const play = left();
    const [{leftAtMs} = expect.fail()] = play.state.held;
    const nowMs = leftAtMs + 60_000;
    expect(heldPolledMsMax).toBe(600_000);
    expect(polled(play)).toHaveLength(1);
    expect(polled(play, {askedAtMs: nowMs - 15_000})).toHaveLength(1);
    expect(polled(play, {askedAtMs: nowMs - 14_999})).toHaveLength(0);
    expect(polled(play, {leftAtMs: nowMs - 600_000})).toHaveLength(1);
    expect(polled(play, {leftAtMs: nowMs - 600_001})).toHaveLength(0);
    const [held = expect.fail()] = play.state.held;
    const [source] = held.log.sources;
    const withTail = (tail: object, branch: object = {}) => ({
      log: {
        ...held.log,
        sources: [{...source, branch: {...source.branch, ...branch}, tail: {...source.tail, ...tail}}],
      },
    });
    const pollAt = (atMs: number) => ({polls: {...source.tail.polls, latest: [{atMs, nextPollInMs: 1000}]}});
    expect(polled(play, withTail(pollAt(nowMs - 1000)))).toHaveLength(1);
    expect(polled(play, withTail(pollAt(nowMs - 999)))).toHaveLength(0);
    expect(polled(play, withTail({polls: {...source.tail.polls, latest: []}}))).toHaveLength(1);
    expect(polled(play, withTail({connection: {kind: 'ended'}}))).toHaveLength(0);
    expect(polled(play, withTail({}, {status: null}))).toHaveLength(0);
  });

  test('are marked as asked only if they were, and take the changes of their own site', () => {
    const play = left();
    const [held = expect.fail()] = play.state.held;
    const state = {...play.state, nowMs: held.leftAtMs + 60_000};
    const changed = [{...master, status: 'BUILD_RUNNING', updatedAt: '2026-11-21T14:02:20.000Z'}];
    const came = takeListing({state, effects: [{kind: 'cancel'}]}, changed);
    expect(came.effects.map(({kind}) => kind)).toEqual(['cancel', 'fetchWindow']);
    expect(came.state.held[0]?.askedAtMs).toBe(state.nowMs);
    const entries = (step: typeof came): number | undefined =>
      step.state.held[0]?.log.sources[0].tail.log.buffer.entryCount;
    expect(entries(came)).toBeGreaterThan(41);
    const other = {...state, held: [{...held, askedAtMs: state.nowMs, log: {...held.log, siteId: 'site-9'}}]};
    const beside = takeListing({state: other, effects: []}, changed);
    expect([entries(beside), beside.state.held[0]?.askedAtMs]).toEqual([41, state.nowMs]);
    const none = {...state, held: []};
    expect(takeListing({state: none, effects: []}, changed).state).toBe(none);
  });

  test('take the window that was asked for while they were open, or fail with it', () => {
    const play = left();
    const [held = expect.fail()] = play.state.held;
    const {generation} = held;
    const stamped = {branchId: 'b-master', generation, moment: {...moment, nowMs: play.state.nowMs}};
    const arrived = takeHeldWindow(play.state, {kind: 'windowArrived', answer: linesOf(20, 45), ...stamped});
    expect(arrived?.state.held[0]?.log.sources[0].tail.log.buffer.lineCount).toBe(45);
    expect([arrived?.effects, arrived?.state.screen, arrived?.state.log]).toEqual([[], 'branches', undefined]);
    const failed = takeHeldWindow(play.state, {kind: 'windowFailed', error: refused, ...stamped});
    expect(failed?.state.held[0]?.log.sources[0].tail.connection.kind).toBe('failing');
    expect(
      takeHeldWindow(play.state, {kind: 'windowFailed', error: refused, ...stamped, generation: 99}),
    ).toBeUndefined();
    const two = {...play.state, held: [held, {...held, generation: 98}]};
    const first = takeHeldWindow(two, {kind: 'windowArrived', answer: linesOf(20, 45), ...stamped});
    expect(first?.state.held.map(({log}) => log.sources[0].tail.log.buffer.lineCount)).toEqual([45, 40]);
  });
});

describe('branches beside their log', () => {
  test('are asked for once at a time, and again after what happened meanwhile', () => {
    const {state} = openLogWith(linesOf(1, 5));
    const fetch = {kind: 'fetchBranches', siteId: 'site-1', generation: state.generation};
    const asked = askForBranches(state, logOf({state}));
    expect([asked.effects, logOf(asked).watch]).toMatchObject([[fetch], {isAsking: true, asksAgain: false}]);
    const again = askForBranches(asked.state, logOf(asked));
    expect([again.effects, logOf(again).watch]).toMatchObject([[], {isAsking: true, asksAgain: true}]);
    const came = listingArrivedOnLog({state: again.state, effects: [{kind: 'cancel'}]}, [master]);
    expect([came.effects, logOf(came).watch]).toMatchObject([[fetch], {isAsking: true, asksAgain: false}]);
    const last = listingArrivedOnLog({state: came.state, effects: [{kind: 'cancel'}]}, [master]);
    expect([last.effects, logOf(last).watch]).toMatchObject([[{kind: 'cancel'}], {isAsking: false, asksAgain: false}]);
    const failed = listingFailedOnLog({state: again.state, effects: []});
    expect(logOf(failed).watch).toMatchObject({isAsking: false, asksAgain: false});
    const none = {state: sampleState(), effects: []};
    expect(listingArrivedOnLog(none, [master])).toBe(none);
    expect(listingFailedOnLog(none)).toBe(none);
  });

  test('are asked for when a pod came, unless the service does not list them', () => {
    const {state} = openLogWith(linesOf(1, 5));
    const pod = {kind: 'pod', id: 1, at: 0n, change: 'appeared', name: 'web-1', since: undefined} as const;
    const kinds = (of: State, added: readonly unknown[]): readonly string[] =>
      afterPods({state: of, effects: [{kind: 'cancel'}]}, added as never).effects.map(({kind}) => kind);
    expect(kinds(state, [pod])).toEqual(['cancel', 'fetchBranches']);
    expect(kinds(state, [])).toEqual(['cancel']);
    const {branches} = state;
    const failing = {...state, branches: branches && {...branches, listing: {kind: 'failed'} as never}};
    expect(kinds(failing, [pod])).toEqual(['cancel']);
    expect(kinds({...state, branches: undefined}, [pod])).toEqual(['cancel', 'fetchBranches']);
  });

  test('tell the image of their pods, unless something happened since they were asked for', () => {
    const log = logOf(openLogWith(linesOf(1, 5)));
    const listed = [
      {...master, appserverImage: 'php', appserverTag: '8.4', webserverImage: 'nginx', webserverTag: '2'},
    ];
    const podsAfter = (asksAgain: boolean) =>
      withChanges({...log, watch: {...log.watch, asksAgain}}, listed, Date.UTC(2026, 10, 21, 14, 1)).sources[0].tail
        .pods;
    expect(podsAfter(true)).toBe(log.sources[0].tail.pods);
    const changed = withChanges(log, [{...master, status: 'X'}], 0);
    expect([changed.watch.isAsking, changed.watch.snapshots.size]).toEqual([false, 1]);
    expect(withChanges(log, [staging], 0).sources[0].tail.log.buffer).toBe(log.sources[0].tail.log.buffer);
  });
});

test('who calls is told why: for a match, an error, or a finding that came again', () => {
  const rules = {firstError: true, quietMs: 0, matches: (text: string) => text.includes('fatal')};
  const called = (text: string): readonly unknown[] => {
    const play = openBranch({notifyRules: rules});
    play.windowArrives(windowOf(1));
    play.windowArrives(
      answer({...windowOf(1).value, lines: [...windowOf(1).value.lines, `2026-11-21T14:00:02.000000000Z ${text}`]}),
    );
    return play.effects.filter(({kind}) => kind === 'callUser');
  };
  expect(called('calm')).toEqual([]);
  expect(called('fatal error')).toEqual([
    {kind: 'callUser', why: 'match', text: 'fatal error', siteId: 'site-1', branch: 'master'},
  ]);
  expect(called('ERROR boom')).toEqual([
    {kind: 'callUser', why: 'error', text: 'ERROR boom', siteId: 'site-1', branch: 'master'},
  ]);
});

test('what is read stays on top while a window comes, also while filters work', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'moveUp');
  const rows = showScreen(play.state).slice(2, -2);
  play.windowArrives(linesOf(20, 60));
  expect(showScreen(play.state).slice(2, -2)).toEqual(rows);
  expect(stateRow(play)).toContain('paused');
});
