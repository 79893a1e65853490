import {expect, test} from 'vitest';
import {createBudget, nextOf} from '#cli/guard/step/budget.ts';
import {recordOf} from '#cli/guard/step/record.ts';
import {createGuard, type GuardEvent, type GuardState, storedOf} from '#cli/guard/step/state.ts';
import {step} from '#cli/guard/step/step.ts';
import {storedShape} from '#cli/guard/step/stored.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const moment = (second: number) => ({atMs: startMs + 1000 * second, monoMs: 1000 * second});

const listed = (...names: readonly string[]): GuardEvent => ({
  kind: 'listed',
  branches: names.map(name => ({id: name, name})),
});
const failed = (id: string): GuardEvent => ({kind: 'looked', id, look: {kind: 'failed', message: 'no answer'}});
const answered = (id: string): GuardEvent => ({
  kind: 'looked',
  id,
  look: {
    kind: 'answered',
    answer: {
      ...{cameMs: 0, proof: 'counted', isNumbered: true, notLineCount: 0, isUnreadable: false},
      ...{podNames: [], hasMore: false},
    },
    entries: [],
    report: undefined,
  },
});

/** Runs events, each at its second, and says what is printed, paged and said. */
const play = (events: readonly (readonly [second: number, event: GuardEvent])[], from?: GuardState) => {
  let state = from ?? createGuard('shop', undefined, moment(0));
  const told: string[] = [];
  for (const [second, event] of events) {
    const {state: next, effects} = step(state, event, moment(second));
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
  const stored = {...storedOf(createGuard('shop', undefined, moment(0))), outbox: [record]};
  const again = createGuard('shop', storedShape.parse(JSON.parse(JSON.stringify(stored))), moment(0));
  const {told, state} = play(
    Array.from({length: 700}, (_, second): readonly [number, GuardEvent] => [
      second,
      // It takes a second to fail.
      [1, 12, 33, 74, 155, 316].includes(second) ? {kind: 'notified', failure: 'it failed'} : ticked,
    ]),
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
  const calm = {id: 'calm', dueMs: 0, lookedMs: 0, isHot: false};
  const hot = {id: 'hot', dueMs: 0, lookedMs: 800, isHot: true};
  expect([
    nextOf([calm, hot], 1000),
    nextOf([calm, {...hot, lookedMs: 700}], 1000),
    nextOf([calm, {...hot, dueMs: 2000}], 1000),
    nextOf([{...hot, dueMs: 2000}], 1000),
  ]).toEqual(['calm', 'hot', 'calm', undefined]);
});
