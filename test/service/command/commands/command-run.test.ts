import {expect, test} from 'vitest';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {beginCommandRun, isAheadOf, type RunLine, settleRun, step} from '#service/command/commands/command-run.ts';

const at = (second: number): Instant => instantFromMs(second * 1000);

/** Lines of the seconds 5 to 7 are remembered. */
const lines = [5, 7, 6].map(second => ({id: `${second}`, own: at(second)}));

const begin = ({hasForgotten = false, unfinished}: {hasForgotten?: boolean; unfinished?: string} = {}) =>
  beginCommandRun(
    {lines, hasForgotten},
    {isFirst: false, unfinished: unfinished === undefined ? undefined : {text: unfinished, hasTime: true}},
  );

const unknown = (text: string, second?: number): RunLine => ({
  text,
  own: second === undefined ? undefined : at(second),
  is: 'unknown',
});
const known = (text: string, second: number): RunLine => ({text, own: at(second), is: 'known'});
const headless = (text: string): RunLine => ({text, own: undefined, is: 'headless'});

/** What the steps take of lines, and how the run joins after them. */
const taken = (given: readonly RunLine[], begun = begin()) => {
  let run = begun;
  const all = given.flatMap(line => {
    const next = step(run, line);
    run = next.run;
    return next.taken;
  });
  return {all, front: run.front, run};
};

test.each([
  [
    'a first run lacks nothing',
    beginCommandRun({lines, hasForgotten: false}, {isFirst: true, unfinished: undefined}),
    'joined',
  ],
  ['a later run has to show how it joins', begin(), 'open'],
  [
    'where nothing is remembered it cannot',
    beginCommandRun({lines: [], hasForgotten: true}, {isFirst: false, unfinished: undefined}),
    'broken',
  ],
])('%s', (_, run, front) => {
  expect(run.front).toBe(front);
});

test('a known line joins the run, and is not taken', () => {
  expect(taken([known('a', 6)])).toMatchObject({all: [], front: 'joined'});
});

test('an unknown line first breaks the run, and is taken', () => {
  expect(step(begin(), unknown('b', 8))).toMatchObject({run: {front: 'broken'}, taken: ['b']});
});

test('lines without a time wait for the first with one, and share its fate', () => {
  const waiting = taken([headless('  at x'), headless('  at y')]);
  expect(waiting).toMatchObject({all: [], front: 'open'});
  expect(taken([known('a', 6)], waiting.run).all).toEqual([]);
  expect(taken([unknown('b', 8)], waiting.run).all).toEqual(['  at x', '  at y', 'b']);
  expect(settleRun(waiting.run)).toMatchObject({run: {front: 'broken', waiting: []}, taken: ['  at x', '  at y']});
});

test('a line can only be ahead of all others once it is known how the run joins', () => {
  const {run} = taken([known('a', 6)]);
  expect([isAheadOf(begin(), at(8)), isAheadOf(run, at(8)), isAheadOf(run, at(7))]).toEqual([false, true, false]);
});

test('a line without a time is ahead if the last one with a time was', () => {
  const {run} = taken([known('a', 6), {text: 'b', own: at(8), is: 'ahead'}]);
  expect([isAheadOf(run, undefined), isAheadOf(taken([unknown('c', 7)], run).run, undefined)]).toEqual([true, false]);
});

test('lines up to the oldest that is remembered are passed over if others were forgotten, with those that follow', () => {
  const given = [unknown('a', 4), unknown('  at a'), unknown('b', 5), unknown('c', 6), unknown('d', 4)];
  expect(taken(given, begin({hasForgotten: true})).all).toEqual(['c', 'd']);
  expect(taken(given).all).toEqual(['a', '  at a', 'b', 'c', 'd']);
});

test('of a line whose end had not come only the rest is taken', () => {
  const {all, front, run} = taken([unknown('half a line', 7)], begin({unfinished: 'half a'}));
  expect([all, front]).toEqual([[' line'], 'joined']);
  expect(taken([unknown('half a line', 7)], run).all).toEqual(['half a line']);
});

test('a line without a time is the rest of the unfinished one only if it follows the one that it followed', () => {
  const begun = beginCommandRun(
    {lines, hasForgotten: false},
    {isFirst: false, unfinished: {text: '  at', hasTime: false}},
  );
  expect(taken([known('a', 7), unknown('  at x')], begun).all).toEqual([' x']);
  expect(taken([known('a', 7), unknown('b', 8), unknown('  at x')], begun).all).toEqual(['b', '  at x']);
});
