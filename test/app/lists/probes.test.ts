import {describe, expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import type {ProbeAnswer} from '#app/tail/known-pulse.ts';
import {countWindow, type Pulse} from '#log/overview/pulse.ts';
import {finishWork} from '#log/work.ts';
import {answer, give, type Play, sampleState, showScreen, startAt, windowOf} from '../../support/play.ts';

const status = 'DEPLOY_APPLICATION_SUCCESS';
const branches = decodeBranches([
  {_id: 'b-1', name: 'one', status},
  {_id: 'b-2', name: 'two', status},
  {_id: 'b-3', name: 'three', status},
  {_id: 'b-4', name: 'failed', status: 'DEPLOY_APPLICATION_FAILED'},
  {_id: 'b-5', name: 'unbuilt', status: null},
]).value;

const onBranches = (change: Partial<Parameters<typeof sampleState>[0]> = {}, listed = branches): Play => {
  const {logSettings} = sampleState();
  const play = startAt(sampleState({logSettings: {...logSettings, probeIntervalMs: 1000}, ...change}));
  give(play, 'open');
  play.branchesArrive(listed);
  return play;
};

/** The service's clock of the sample: 14:02:10 at the start. */
const clockMs = (play: Play): number => play.state.nowMs + play.state.clockOffsetMs;

const pulseOf = (play: Play, errorCount: number, spanS = 120) => {
  const stamp = (ageS: number): string => new Date(clockMs(play) - ageS * 1000).toISOString();
  const lines = [
    `${stamp(spanS)} started`,
    ...Array.from({length: errorCount}, () => `${stamp(Math.min(5, spanS))} ERROR payment timed out`),
  ];
  return finishWork(countWindow(lines, undefined, clockMs(play)));
};

const due = (play: Play): void => play.send({kind: 'probeDue', generation: play.state.generation});
const counted = (play: Play, pulses: ReadonlyMap<string, Pulse>, given: Partial<ProbeAnswer> = {}): void =>
  play.send({
    kind: 'probeArrived',
    generation: play.state.generation,
    answer: {...answer(pulses), isOfAll: false, ...given},
  });
const looked = (play: Play, branchId: string, errorCount: number, {durationMs = 20, spanS = 120} = {}): void =>
  counted(play, new Map([[branchId, pulseOf(play, errorCount, spanS)]]), {durationMs});
const failed = (play: Play, branchId: string, error: ApiError): void =>
  play.send({kind: 'probeFailed', branchId, generation: play.state.generation, error});

const effectsOf = (play: Play): readonly string[] =>
  play.effects.map(effect =>
    effect.kind === 'probeAfter'
      ? `look after ${effect.delayMs}`
      : effect.kind === 'probeBranch'
        ? `look at ${effect.branchId}${effect.wantsAll ? '' : ' alone'}`
        : effect.kind,
  );

const rowOf = (play: Play, name: string): string =>
  showScreen(play.state).find(row => new RegExp(`[●✗○] ${name} `).test(row)) ?? expect.fail(`no ${name}`);

describe('a look at a log', () => {
  test('is taken of deployed branches in turn, one at a time, at the interval', () => {
    const play = onBranches();
    expect(effectsOf(play)).toContain('look after 0');
    const asked: string[] = [];
    for (const id of ['b-1', 'b-2', 'b-3']) {
      due(play);
      asked.push(...effectsOf(play));
      // A second timer, from wherever it comes, asks for nothing.
      due(play);
      expect(effectsOf(play)).toEqual([]);
      play.wait(20);
      looked(play, id, 0);
      asked.push(...effectsOf(play));
      play.wait(980);
    }
    expect(asked).toEqual([
      'look at b-1',
      'look after 980',
      'look at b-2',
      'look after 980',
      'look at b-3',
      'look after 980',
    ]);
    due(play);
    expect(effectsOf(play)).toEqual(['look after 1000']);
    play.wait(7020);
    due(play);
    expect(effectsOf(play)).toEqual(['look at b-1']);
  });

  test('is not taken at all if the setting says so', () => {
    const play = onBranches({logSettings: sampleState().logSettings});
    expect(effectsOf(play).filter(name => name.startsWith('look'))).toEqual([]);
    due(play);
    expect(effectsOf(play)).toEqual([]);
    expect(showScreen(play.state).join('\n')).not.toContain('not checked');
  });

  test('is not taken behind help, on another screen, or while branches cannot be listed', () => {
    const play = onBranches();
    give(play, 'toggleHelp');
    due(play);
    expect(effectsOf(play)).toEqual(['look after 1000']);
    give(play, 'toggleHelp');
    play.branchesFail();
    due(play);
    expect(effectsOf(play)).toEqual(['look after 1000']);
    play.branchesArrive(branches);
    give(play, 'open');
    due(play);
    expect(effectsOf(play)).toEqual(['look after 1000']);
  });

  test('of the record in place of the list is of its branch alone, until nothing of it is due', () => {
    const play = onBranches();
    give(play, 'moveDown', 'toggleDetails');
    due(play);
    expect(effectsOf(play)).toEqual(['look at b-2']);
    looked(play, 'b-2', 7);
    expect(showScreen(play.state).join('\n')).toContain('7 in the last minute, of 7 lines');
    expect(showScreen(play.state).join('\n')).toContain('ERROR payment timed out');
  });

  test('is only of branches on the screen where a look is costly', () => {
    const {logSettings} = sampleState();
    const play = onBranches({rows: 6, logSettings: {...logSettings, probeIntervalMs: 1000, probesOnlyShown: true}});
    due(play);
    looked(play, 'b-1', 0);
    play.wait(1000);
    due(play);
    looked(play, 'b-2', 0);
    play.wait(1000);
    due(play);
    expect(effectsOf(play)).toEqual(['look after 1000']);
    give(play, 'goLast');
    due(play);
    expect(effectsOf(play)).toEqual(['look after 1000']);
    give(play, 'moveUp', 'moveUp');
    due(play);
    expect(effectsOf(play)).toEqual(['look at b-3']);
  });

  test('waits three times as long as a slow answer took', () => {
    const play = onBranches();
    due(play);
    play.wait(2000);
    looked(play, 'b-1', 0, {durationMs: 2000});
    expect(effectsOf(play)).toEqual(['look after 6000']);
  });

  test('waits as a 429 asks, then probes half as often, until good answers come again', () => {
    const play = onBranches();
    due(play);
    failed(play, 'b-1', new ApiError('tooManyRequests', 'too many', {status: 429, retryAfterMs: 20_000}));
    expect(effectsOf(play)).toEqual(['look after 20000']);
    play.wait(20_000);
    due(play);
    expect(effectsOf(play)).toEqual(['look at b-2']);
    failed(play, 'b-2', new ApiError('tooManyRequests', 'too many', {status: 429, retryAfterMs: 1000}));
    expect(effectsOf(play)).toEqual(['look after 4000']);
    play.wait(4000);
    due(play);
    looked(play, 'b-3', 0);
    expect(effectsOf(play)).toEqual(['look after 2000']);
    expect(showScreen({...play.state, columns: 120})[0]).toContain('errors checked just now, slowed');
  });

  test('backs off while the service fails, but not for a branch that may not be read', () => {
    const play = onBranches();
    due(play);
    failed(play, 'b-1', new ApiError('forbidden', 'not permitted', {status: 403}));
    expect(effectsOf(play)).toEqual(['look after 1000']);
    const delays = ['b-2', 'b-3'].map(id => {
      play.wait(30_000);
      due(play);
      failed(play, id, new ApiError('server', 'the service answered 503', {status: 503}));
      return effectsOf(play)[0];
    });
    // Half to whole of 1 s, then of 2 s; the interval is 1 s.
    expect(delays).toEqual(['look after 1000', 'look after 1500']);
  });

  test('goes on after a listing, which ends a look that is under way, and within the budget', () => {
    const play = onBranches();
    due(play);
    play.wait(100);
    give(play, 'tryNow');
    play.branchesArrive(branches);
    expect(effectsOf(play)).toContain('look after 900');
    play.wait(900);
    due(play);
    expect(effectsOf(play)).toEqual(['look at b-1']);
  });
});

test('rows tell apart what nobody looked at, what is calm, old, failing and partly seen', () => {
  const play = onBranches();
  expect(rowOf(play, 'one')).toContain('····· not checked');
  expect(rowOf(play, 'failed')).not.toContain('·');
  due(play);
  looked(play, 'b-1', 0, {spanS: 600});
  expect(rowOf(play, 'one')).toMatch(/deployed +▁▁▁▁▁$/);
  play.wait(1000);
  due(play);
  looked(play, 'b-2', 196, {spanS: 600});
  expect(rowOf(play, 'two')).toMatch(/▁▁▁▁▆ 196\/min +new$/);
  play.wait(1000);
  due(play);
  looked(play, 'b-3', 31, {spanS: 10});
  expect(rowOf(play, 'three')).toMatch(/····▅ 31\/10 s$/);
  play.wait(130_000);
  play.branchesArrive(branches);
  expect(rowOf(play, 'two')).toMatch(/▁▁▆·· 2 min ago$/);
  expect(showScreen({...play.state, columns: 99})[0]).toContain('errors checked 2 min ago');
  due(play);
  failed(play, 'b-1', new ApiError('forbidden', 'not permitted', {status: 403}));
  expect(rowOf(play, 'one')).toMatch(/▁▁▁·· refused 403$/);
});

test('ordered by errors a minute, rows move only when the user asks', () => {
  const play = onBranches();
  for (const [id, errorCount] of [
    ['b-1', 0],
    ['b-2', 3],
    ['b-3', 8],
  ] as const) {
    due(play);
    looked(play, id, errorCount);
    play.wait(1000);
  }
  const names = (): readonly string[] => showScreen(play.state).flatMap(row => /[●✗○] (\w+) /.exec(row)?.[1] ?? []);
  give(play, 'nextOrder');
  expect(names()).toEqual(['three', 'two', 'failed', 'one', 'unbuilt']);
  play.wait(60_000);
  due(play);
  looked(play, 'b-1', 50);
  expect(names()).toEqual(['three', 'two', 'failed', 'one', 'unbuilt']);
  play.send({kind: 'resized', columns: 120, rows: 24});
  expect(showScreen(play.state)[0]).toContain('by errors a minute: r reorders');
  give(play, 'tryNow');
  expect(names()).toEqual(['one', 'three', 'two', 'failed', 'unbuilt']);
});

test('a log that is held tells its errors without a look', () => {
  const play = onBranches();
  give(play, 'open');
  const window = windowOf(100, 110);
  play.windowArrives({
    ...window,
    value: {...window.value, lines: [...window.value.lines, '2026-11-21T14:02:09.000000000Z ERROR out of stock']},
  });
  give(play, 'back');
  play.branchesArrive(branches);
  expect(rowOf(play, 'one')).toMatch(/···▁▂ 1\/30 s$/);
  for (const id of ['b-2', 'b-3']) {
    due(play);
    expect(effectsOf(play)).toEqual([`look at ${id}`]);
    looked(play, id, 0);
  }
  play.wait(9000);
  due(play);
  expect(effectsOf(play)).toEqual(['look after 1000']);
  // After ten minutes nobody polls it any more.
  play.wait(10 * 60_000);
  due(play);
  expect(effectsOf(play)).toEqual(['look at b-1']);
});

test('a service that counts all branches is asked once in ten seconds; those it leaves out are looked at alone', () => {
  const play = onBranches();
  due(play);
  const all = new Map([
    ['b-1', pulseOf(play, 0)],
    ['b-3', pulseOf(play, 7)],
    ['b-9', pulseOf(play, 1)],
  ]);
  counted(play, all, {isOfAll: true});
  expect(rowOf(play, 'one')).toMatch(/deployed +··▁▁▁$/);
  expect(rowOf(play, 'two')).toContain('····· not checked');
  expect(rowOf(play, 'three')).toContain('7/min');
  expect([...(play.state.branches?.pulses.keys() ?? [])]).toEqual(['b-1', 'b-3']);
  play.wait(1000);
  due(play);
  expect(effectsOf(play)).toEqual(['look at b-2 alone']);
  looked(play, 'b-2', 1);
  play.wait(1000);
  due(play);
  expect(effectsOf(play)).toEqual(['look after 1000']);
  play.wait(8000);
  due(play);
  expect(effectsOf(play)).toEqual(['look at b-1']);
});

test('a count is as old as the service says', () => {
  const play = onBranches();
  due(play);
  const pulse = pulseOf(play, 7);
  play.wait(180_000);
  counted(play, new Map([['b-1', pulse]]), {isOfAll: true, serviceTimeMs: pulse.toMs + 180_000});
  expect(rowOf(play, 'one')).toMatch(/3 min ago$/);
});

test('what is known of a branch that is gone is forgotten', () => {
  const play = onBranches();
  due(play);
  looked(play, 'b-1', 5);
  play.branchesArrive(branches.slice(1));
  expect([...(play.state.branches?.pulses.keys() ?? [])]).toEqual([]);
});

test('an error’s text is made safe, wherever it is shown', () => {
  const play = onBranches();
  give(play, 'toggleDetails');
  due(play);
  const at = new Date(clockMs(play) - 1000).toISOString();
  const pulse = finishWork(countWindow([`${at} ERROR \u001b[2Jgone \u202e`], undefined, clockMs(play)));
  counted(play, new Map([['b-1', pulse]]));
  const screen = showScreen(play.state).join('\n');
  expect(screen).toContain('ERROR ');
  expect(screen).not.toMatch(/[\u001b\u202e]/);
});
