import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import type {LogMemory} from '#log/overview/log-memory.ts';
import {branchesNamed, give, type Play, sampleState, startAt, windowOf} from '../../support/play.ts';

const at = (clock: string): bigint => parseInstant(`2026-11-21T${clock}Z`) ?? 0n;

const last: LogMemory = {
  ...{filters: [], contextLines: 0, minimumLevel: undefined, wraps: false, timeMode: undefined, rows: undefined},
  ...{highlights: [], marks: [], lastSeenAt: at('14:00:03')},
};

const openBranches = (guarded: readonly (readonly [string, number])[] = []): Play => {
  const play = startAt(sampleState({remembersLogs: true}));
  play.send({kind: 'started'});
  give(play, 'open');
  play.branchesArrive(branchesNamed('master'));
  play.send({kind: 'guardRead', generation: play.state.generation, told: new Map(guarded)});
  return play;
};

const openLog = (memory: LogMemory | undefined, guarded: readonly (readonly [string, number])[] = []): Play => {
  const play = openBranches(guarded);
  give(play, 'open');
  play.send({kind: 'logRecalled', generation: play.state.generation, memory});
  play.windowArrives(windowOf(1, 2, 3, 4, 5));
  return play;
};

/** What is ordered to be kept by the last event. */
const kept = (play: Play): LogMemory | undefined =>
  play.effects.flatMap(effect => (effect.kind === 'rememberLog' ? [effect.memory] : []))[0];

test('a log that is opened again begins with what came since, and a key takes that away', () => {
  const play = openLog(last);
  expect(play.state.notice).toBe('since 14:00:03: 2 lines');
  play.windowArrives(windowOf(1, 2, 3, 4, 5, 6));
  expect(play.state.notice).toBe('since 14:00:03: 3 lines');
  give(play, 'moveUp');
  expect(play.state.notice).toBeUndefined();
  play.windowArrives(windowOf(1, 2, 3, 4, 5, 6, 7));
  expect(play.state.notice).toBeUndefined();
});

test('lines before the first one that is held may have come, too', () => {
  expect(openLog({...last, lastSeenAt: at('13:00:00')}).state.notice).toBe('since 13:00:00: at least 5 lines');
});

test('nothing is said of a log that is opened for the first time, or to which nothing came', () => {
  expect(openLog(undefined).state.notice).toBeUndefined();
  expect(openLog({...last, lastSeenAt: undefined}).state.notice).toBeUndefined();
  expect(openLog({...last, lastSeenAt: at('14:00:05')}).state.notice).toBeUndefined();
});

test('what the guard told and marks follow, and then what else there is to say', () => {
  const marks = [{at: at('14:00:01'), lineHash: undefined, note: ''}];
  const play = openLog({...last, marks, filters: ['+line']}, [['master', 2]]);
  expect(play.state.notice).toMatch(
    /^since 14:00:03: 2 lines; the guard told 2 times; 1 mark; as you left it: 1 filter active; /,
  );
});

test('what the guard told is said of a log that is opened for the first time', () => {
  expect(openLog(undefined, [['master', 1]]).state.notice).toBe('the guard told once');
});

test('what the guard told is said though it is read after the log was opened', () => {
  const play = openLog(last);
  play.send({kind: 'guardRead', generation: play.state.generation, told: new Map([['master', 3]])});
  play.windowArrives(windowOf(1, 2, 3, 4, 5, 6));
  expect(play.state.notice).toBe('since 14:00:03: 3 lines; the guard told 3 times');
});

const watched = {what: 'rise', of: 'errors', subject: 'errors', since: at('14:00:01')} as const;

test('a finding that is watched is watched again, and kept', () => {
  const play = openLog({...last, watched});
  expect(play.state.notice).toBe('since 14:00:03: 2 lines; watched: errors');
  expect(play.state.log?.findingWatch?.finding).toMatchObject(watched);
  give(play, 'toggleWrap');
  expect(kept(play)?.watched).toEqual(watched);
  give(play, 'watchFinding');
  expect(kept(play)).toMatchObject({watched: undefined});
});

test.each([
  ['a change', {...watched, what: 'changed'}],
  ['a field', {...watched, of: 'field'}],
] as const)('a finding that cannot be watched, %s, is not', (_, given) => {
  expect(openLog({...last, watched: given}).state.log?.findingWatch).toBeUndefined();
});

test('the newest line that was seen is kept when a log is left, and not with each key', () => {
  const play = openLog(undefined);
  give(play, 'moveUp');
  expect(kept(play)).toBeUndefined();
  give(play, 'back');
  expect([play.state.log, kept(play)?.lastSeenAt]).toEqual([undefined, at('14:00:05')]);
});

test('a subject with a secret in it, or a long one, is not kept', () => {
  for (const subject of ['login token=abc123xyz', 'x'.repeat(501)]) {
    const play = openLog({...last, watched: {...watched, of: 'kind', subject}});
    give(play, 'toggleWrap');
    expect(kept(play)).toMatchObject({watched: undefined});
  }
});
