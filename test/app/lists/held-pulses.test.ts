import {expect, test} from 'vitest';
import {countHeldPulses} from '#app/lists/update-probes.ts';
import type {State} from '#app/state/state.ts';
import type {Tail} from '#app/tail/tail.ts';
import {give, linesOf, openLogWith, refused} from '../../support/play.ts';

/** The branches' screen, with the log of master left. */
const left = (change: (tail: Tail) => Partial<Tail> = () => ({})): State => {
  const play = openLogWith(linesOf(100, 129, [120, 125]));
  give(play, 'back');
  const {state} = play;
  const [held = expect.fail()] = state.held;
  const [source] = held.log.sources;
  return {
    ...state,
    branches: state.branches && {...state.branches, probes: {nextAtMs: 0, allAtMs: 0, slowDown: 1}},
    held: [{...held, log: {...held.log, sources: [{...source, tail: {...source.tail, ...change(source.tail)}}]}}],
  };
};
const before = (state: State): State => ({...state, held: []});
const counted = (state: State, was = before(state)) => countHeldPulses(was, state).branches?.pulses.get('b-master');

test('a log that is held is counted as it changes', () => {
  const state = left();
  expect(counted(state)).toMatchObject({pulse: {errors: 2}});
  expect(counted(state)?.failure).toBeUndefined();
  expect(countHeldPulses(state, state)).toBe(state);
  const same = {...state, held: [...state.held]};
  expect(countHeldPulses(state, same)).toBe(same);
});

test('not of another site, nor if nobody looks at logs', () => {
  const state = left();
  const elsewhere = {...state, branches: state.branches && {...state.branches, siteId: 'site-2'}};
  expect(countHeldPulses(before(elsewhere), elsewhere)).toBe(elsewhere);
  const blind = {...state, branches: state.branches && {...state.branches, probes: undefined}};
  expect(countHeldPulses(before(blind), blind)).toBe(blind);
});

test('a poll that failed is told with the count, and before the first answer there is none', () => {
  const never = left(() => ({lastAnswerAtMs: undefined}));
  expect(counted(never)).toBeUndefined();
  const play = openLogWith(linesOf(100, 129, [120]));
  play.wait(2000);
  play.windowFails(refused);
  const failing = play.state.log?.sources[0].tail ?? expect.fail();
  const state = left(() => failing);
  expect(counted(state)).toMatchObject({pulse: {errors: 1}, failure: {errorKind: 'network', message: refused.message}});
  const {polls} = left().held[0]?.log.sources[0].tail ?? expect.fail();
  expect(counted(left(() => ({...failing, polls})))?.failure).toBeUndefined();
});
