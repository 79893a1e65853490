import {expect, test} from 'vitest';
import {createBudget, nextOf} from '#cli/logs/guard/budget.ts';
import {createGuard, type GuardEvent, type GuardState, recordOf, toStoredGuard} from '#cli/logs/guard/state.ts';
import {step} from '#cli/logs/guard/step.ts';
import {storedShape} from '#cli/logs/guard/stored.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {findingOf} from '#log/incident/incident-finding.ts';
import {sourceOfLog} from '#log/incident/verdict.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const moment = (second: number) => ({atMs: startMs + 1000 * second, monoMs: 1000 * second});

const listed = (...names: readonly string[]): GuardEvent => ({
  kind: 'listed',
  branches: names.map(name => ({id: name, name})),
});
const failed = (id: string): GuardEvent => ({kind: 'checked', id, check: {kind: 'failed', message: 'no answer'}});
const answered = (id: string): GuardEvent => ({
  kind: 'checked',
  id,
  check: {
    kind: 'answered',
    answer: {
      ...{cameMs: 0, proof: 'counted', isNumbered: true, notLineCount: 0, isUnreadable: false},
      ...{podNames: [], hasMore: false},
    },
    entries: [],
    report: undefined,
  },
});

/** An event and its second; `ahead`: the service's clock is then ahead of the monotonic one. */
type Played = readonly [second: number, event: GuardEvent, ahead?: number];

/** Runs events, each at its second, and says what is printed, paged and said. */
const play = (events: readonly Played[], from?: GuardState) => {
  let state = from ?? createGuard('shop', undefined, moment(0));
  const told: string[] = [];
  for (const [second, event, ahead = 0] of events) {
    const {atMs} = moment(second + ahead);
    const {state: next, effects} = step(state, event, {...moment(second), atMs});
    state = next;
    for (const effect of effects) {
      told.push(
        ...(effect.kind === 'print' || effect.kind === 'notify'
          ? [`${second} ${effect.kind} ${effect.record.what} ${effect.record.branch}`]
          : effect.kind === 'say'
            ? [`${second} ${effect.sentence}`]
            : []),
      );
    }
  }
  return {state, told};
};

const ticked: GuardEvent = {kind: 'ticked'};
const delivered: GuardEvent = {kind: 'notified', failure: undefined};

test('a fault that lasts less than a minute, or was seen once, is not told', () => {
  const {told} = play([
    [0, listed('a', 'b')],
    [1, failed('a')],
    [40, failed('a')],
    [41, answered('b')],
    [59, answered('a')],
    [100, failed('b')],
    [101, answered('a')],
    [300, ticked],
  ]);
  expect(told).toEqual([]);
});

test('two failures a minute apart, between which nobody asked, may be two short faults: a third one is told', () => {
  const twice: readonly Played[] = [
    [0, listed('a')],
    [1, failed('a')],
    [61, failed('a')],
  ];
  expect(play([...twice, [120, ticked], [121, answered('a')], [300, ticked]]).told).toEqual([]);
  expect(printed(play([...twice, [121, failed('a')]]))).toEqual(['121 print blind null']);
});

test('a silence that may be chance is not told because the service did not answer for a moment', () => {
  const silent = (second: number): readonly [number, GuardEvent] => {
    const seconds = secondsOf(-1200, 0).filter(at => at % 20 === 0);
    return [second, judged(second, {now: second, seconds, isError: () => false})];
  };
  const checks = [200, 220, 240].map(silent);
  const {told} = play([[0, listed('a')], ...checks, [250, failed('a')], ...[270, 310, 320].map(silent)]);
  expect(told).toEqual([]);
  const after = play([[0, listed('a')], [150, failed('a')], ...[210, 240, 270].map(silent)]);
  expect(after.told).toEqual([]);
  const long = play([[0, listed('a')], [150, failed('a')], ...[210, 300, 400, 500].map(silent)]);
  expect(printed(long)).toEqual(['500 print blind a']);
});

test('a branch that cannot be read is told after a minute, while others can be', () => {
  const {told} = play([
    [0, listed('a', 'b')],
    [1, failed('a')],
    [30, failed('a')],
    [60, answered('b')],
    [61, answered('b')],
    [62, delivered],
    [90, failed('a')],
    [100, answered('a')],
    [130, answered('b')],
    [180, ticked],
  ]);
  expect(told.filter(row => row.includes('print'))).toEqual(['61 print blind a', '180 print sees a']);
});

test('a service of which no branch answers is one page, not one for each', () => {
  const {told} = play([
    [0, listed('a', 'b')],
    [1, failed('a')],
    [2, failed('b')],
    [40, failed('a')],
    [41, failed('b')],
    [61, ticked],
    [90, failed('a')],
    [91, delivered],
    [100, answered('a')],
    [130, answered('b')],
    [159, ticked],
    [160, ticked],
  ]);
  expect(told).toEqual(['61 print blind null', '61 notify blind null', '160 print sees null', '160 notify sees null']);
});

test('a notify command that fails is run six times with longer and longer pauses, and one that hangs once', () => {
  const record = recordOf(
    {what: 'token', site: 'shop', branch: null, from: '2026-11-21T14:00:00Z', text: ''},
    moment(0),
  );
  const stored = {...toStoredGuard(createGuard('shop', undefined, moment(0))), outbox: [{record, tries: 0, cuts: 0}]};
  const again = createGuard('shop', storedShape.parse(JSON.parse(JSON.stringify(stored))), moment(0));
  const {told, state} = play(
    Array.from(
      {length: 700},
      (_, second): Played => [
        second,
        // It takes a second to fail.
        [1, 12, 33, 74, 155, 316].includes(second) ? {kind: 'notified', failure: 'it failed'} : ticked,
      ],
    ),
    again,
  );
  expect(told).toEqual([
    '0 notify token null',
    '1 it failed; tried again: token shop  2026-11-21T14:00:00Z',
    '11 notify token null',
    '12 it failed; tried again: token shop  2026-11-21T14:00:00Z',
    '32 notify token null',
    '33 it failed; tried again: token shop  2026-11-21T14:00:00Z',
    '73 notify token null',
    '74 it failed; tried again: token shop  2026-11-21T14:00:00Z',
    '154 notify token null',
    '155 it failed; tried again: token shop  2026-11-21T14:00:00Z',
    '315 notify token null',
    '316 it failed; given up after 6 tries: token shop  2026-11-21T14:00:00Z',
  ]);
  expect(state.outbox).toEqual([]);
});

test('a page that cannot be sent holds back later ones of its branch, and of no other', () => {
  const outgoing = (branch: string, what: 'found' | 'ended') => ({
    ...{record: recordOf({what, site: 'shop', branch, from: '2026-11-21T14:00:00Z', text: ''}, moment(0))},
    ...{tries: 0, cuts: 0},
  });
  const outbox = [outgoing('a', 'found'), outgoing('a', 'ended'), outgoing('b', 'found'), outgoing('b', 'ended')];
  const stored = {...toStoredGuard(createGuard('shop', undefined, moment(0))), outbox};
  const {told, state} = play(
    [
      [0, ticked],
      [1, {kind: 'notified', failure: 'it failed'}],
      [2, {kind: 'notified', failure: undefined}],
      [3, {kind: 'notified', failure: undefined}],
      [10, ticked],
      [11, ticked],
      [12, {kind: 'notified', failure: undefined}],
      [13, {kind: 'notified', failure: undefined}],
    ],
    createGuard('shop', stored, moment(0)),
  );
  expect([told, state.outbox]).toEqual([
    [
      '0 notify found a',
      '1 it failed; tried again: found shop a 2026-11-21T14:00:00Z',
      '1 notify found b',
      '2 notify ended b',
      '11 notify found a',
      '12 notify ended a',
    ],
    [],
  ]);
});

test('a page that a killed guard was sending is sent once more, and not a third time', () => {
  const record = recordOf(
    {what: 'token', site: 'shop', branch: null, from: '2026-11-21T14:00:00Z', text: ''},
    moment(0),
  );
  const killed = (state: GuardState, second: number): GuardState =>
    createGuard('shop', storedShape.parse(JSON.parse(JSON.stringify(toStoredGuard(state)))), moment(second));
  const stored = {...toStoredGuard(createGuard('shop', undefined, moment(0))), outbox: [{record, tries: 0, cuts: 0}]};
  const first = play([[0, ticked]], createGuard('shop', stored, moment(0)));
  const second = play([[10, ticked]], killed(first.state, 10));
  const third = play(
    [
      [20, ticked],
      [21, ticked],
    ],
    killed(second.state, 20),
  );
  expect([first.told, second.told, third.told, third.state.outbox]).toEqual([
    ['0 notify token null'],
    ['10 notify token null'],
    ['20 given up, since the guard was killed twice while it sent it: token shop  2026-11-21T14:00:00Z'],
    [],
  ]);
});

type Judged = {
  /** By the service's clock. */
  readonly now: number;
  /** The seconds that have a line; ten minutes until now if left out. */
  readonly seconds?: readonly number[];
  /** Whether the line of a second is an error. */
  readonly isError: (second: number) => boolean;
};

const secondsOf = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

/** What is found in a log, of which the lines of the last minute are new. */
const judged = (second: number, {now, seconds = secondsOf(now - 600, now), isError}: Judged): GuardEvent => {
  const lines = seconds.map(at => {
    const text = isError(at) ? 'level=error msg="tax service rejected quote"' : 'level=info msg="order stored"';
    return `${new Date(moment(at).atMs).toISOString()} ${text} id=${Math.abs(at)}`;
  });
  const nowAt = instantFromMs(moment(now).atMs);
  const {log, added} = takeWindow(createBranchLog(1e6), {
    ...{lines, pods: [{name: 'web-1', createdAt: undefined}], serviceAt: nowAt},
    numbering: {series: 's', first: 1, runs: [[0, lines.length]], sources: [{pod: 'web-1'}], losses: []},
  });
  const answer = {
    ...{cameMs: moment(second).monoMs, proof: 'counted' as const, isNumbered: true, notLineCount: 0},
    ...{isUnreadable: false, podNames: ['web-1'], hasMore: false},
  };
  const report = finishWork(findIncident([sourceOfLog(log, noShapes)], {asked: {now: nowAt}}));
  const isNew = ({at}: {readonly at: Instant}): boolean => at >= nowAt - 60_000_000_000n;
  return {kind: 'checked', id: 'a', check: {kind: 'answered', answer, entries: added.filter(isNew), report}};
};

const printed = ({told}: {readonly told: readonly string[]}): readonly string[] =>
  told.filter(row => row.includes('print'));

test('an incident after the clock was set back is told, also if one of its kind ended at a later time', () => {
  const first = (second: number): boolean => second >= -60 && second < 0 && second % 2 === 0;
  const second = (at: number): boolean => at >= -230 && at % 2 === 0;
  const checks = Array.from(
    {length: 14},
    (_, index): Played => [60 * index, judged(60 * index, {now: 60 * index, isError: first})],
  );
  expect(printed(play([[0, listed('a')], ...checks, [900, judged(900, {now: -200, isError: second}), -1100]]))).toEqual(
    ['0 print found a', '360 print ended a', '900 print found a'],
  );
});

test('what stopped is told once it lasted for a third as long again as when it was noticed', () => {
  const stopped = (second: number): Played => {
    const event = judged(second, {now: second, isError: () => false});
    if (event.kind !== 'checked' || event.check.kind !== 'answered' || event.check.report === undefined) {
      throw new Error('no report');
    }
    const finding = findingOf({
      ...{what: 'stopped', of: 'message', subject: 'cache refreshed', since: instantFromMs(moment(-100).atMs)},
      ...{before: 6, now: 0, confidence: 'sure'},
    });
    const report = {...event.check.report, verdict: {kind: 'found' as const}, findings: [finding]};
    return [second, {...event, check: {...event.check, report}}];
  };
  const calm: Played = [30, judged(30, {now: 30, isError: () => false})];
  expect(printed(play([[0, listed('a')], ...[0, 20, 40, 60, 80].map(stopped)]))).toEqual(['40 print found a']);
  expect(printed(play([[0, listed('a')], stopped(0), calm, ...[40, 80].map(stopped)]))).toEqual([]);
});

test('a clock that is set forward ends no incident of what has a usual rate, and blinds nobody', () => {
  const isError = (second: number): boolean =>
    second % 60 === 7 || (second >= -60 && second < 30 && second % 2 === 0) || (second >= 3640 && second % 2 === 0);
  const checks = Array.from({length: 20}, (_, index): Played => {
    const at = 35 + 5 * index;
    const seconds = [...secondsOf(-570, 30), ...secondsOf(3630, 3600 + at)];
    return [at, judged(at, {now: 3600 + at, seconds, isError}), 3600];
  });
  expect(printed(play([[0, listed('a')], [0, judged(0, {now: 0, isError})], ...checks]))).toEqual(['0 print found a']);
});

test.each([2, 7, 60, 600])('no minute has more than %i requests, repeated ones among them', perMinute => {
  const budget = createBudget(perMinute);
  const sent: number[] = [];
  for (let ms = 0; ms < 300_000; ms += 50) {
    if (budget.isFree(ms)) {
      budget.spend(ms);
      sent.push(ms);
      if (sent.length % 5 === 0) {
        // Refused, and made again with another token.
        budget.spend(ms, {kind: 'unauthorised'});
        sent.push(ms);
      }
    }
  }
  const most = Math.max(...sent.map(from => sent.filter(ms => ms >= from && ms < from + 60_000).length));
  expect([most <= perMinute, most >= perMinute * 0.7 - 1]).toEqual([true, true]);
});

test('where something goes on it is sooner the turn, and nobody waits for ever', () => {
  const calm = {id: 'calm', dueMs: 0, checkedMs: 0, isHot: false};
  const hot = {id: 'hot', dueMs: 0, checkedMs: 800, isHot: true};
  expect([
    nextOf([calm, hot], 1000),
    nextOf([calm, {...hot, checkedMs: 700}], 1000),
    nextOf([calm, {...hot, dueMs: 2000}], 1000),
    nextOf([{...hot, dueMs: 2000}], 1000),
  ]).toEqual(['calm', 'hot', 'calm', undefined]);
});
