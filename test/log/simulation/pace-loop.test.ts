import fc from 'fast-check';
import {expect, test} from 'vitest';
import {runsOf} from '../../support/thorough.ts';
import {type PacedScenario, watchPaced} from './paced-service.ts';

const quiet: PacedScenario = {
  rates: [],
  windowLines: 1000,
  windowMs: Number.POSITIVE_INFINITY,
  hasQuietPod: false,
  saysCut: true,
  requestMs: 50,
  wantedMs: 2000,
  untilMs: 3_600_000,
  linesMax: 1e9,
};

/** From a line in a few minutes to five thousand a second, evenly over the orders of magnitude. */
const arbitraryRate = fc.double({min: -2, max: Math.log10(5000), noNaN: true}).map(exponent => 10 ** exponent);

/** A window that spans 250 ms and one request at every one of the rates, if only just. */
const windowFor = (rates: readonly number[], requestMs: number, spare: number): number =>
  Math.max(20, Math.ceil((Math.max(...rates) * (250 + requestMs)) / 1000) + 2 + spare);

const arbitraryScenario = (rateCount: number): fc.Arbitrary<PacedScenario> =>
  fc
    .record({
      rates: fc.array(arbitraryRate, {minLength: rateCount, maxLength: rateCount}),
      requestMs: fc.integer({min: 1, max: 600}),
      spare: fc.oneof(fc.constant(0), fc.integer({min: 0, max: 1500})),
      wantedMs: fc.constantFrom(250, 500, 2000, 2000, 10_000),
      jumpMs: fc.integer({min: 1, max: 30_000}),
    })
    .map(({rates, requestMs, spare, wantedMs, jumpMs}) => ({
      ...quiet,
      rates: rates.map((linesPerSecond, index) => ({fromMs: index * jumpMs, linesPerSecond})),
      windowLines: windowFor(rates, requestMs, spare),
      requestMs,
      wantedMs,
      untilMs: 120_000,
      linesMax: 6000,
    }));

const seededRandom = (seed: number) => (): number => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};

test('nothing is lost at any steady rate up to 5,000 lines a second whose window spans 250 ms and one request', () => {
  fc.assert(
    fc.property(arbitraryScenario(1), fc.integer({min: 1, max: 2147483646}), (scenario, seed) => {
      const trace = watchPaced(scenario, seededRandom(seed));
      expect({lost: trace.lostMs.length, gaps: trace.gapsMs}).toEqual({lost: 0, gaps: []});
    }),
    {numRuns: runsOf(10)},
  );
});

test('a service that does not say how it cuts costs no gap at any steady rate of which less than half a share comes in 250 ms and one request', () => {
  fc.assert(
    fc.property(arbitraryScenario(1), fc.integer({min: 1, max: 2147483646}), (scenario, seed) => {
      // One pod: a share is a third of the window.
      const unsaid = {...scenario, saysCut: false, windowLines: scenario.windowLines * 2 * 3};
      const trace = watchPaced(unsaid, seededRandom(seed));
      expect({lost: trace.lostMs.length, gaps: trace.gapsMs}).toEqual({lost: 0, gaps: []});
    }),
    {numRuns: runsOf(5)},
  );
});

test('a service that does not say how it cuts costs one gap at the most where the rate jumps', () => {
  fc.assert(
    fc.property(arbitraryScenario(2), fc.integer({min: 1, max: 2147483646}), (scenario, seed) => {
      const unsaid = {...scenario, saysCut: false, windowLines: scenario.windowLines * 2 * 3, linesMax: 16_000};
      const {gapsMs, lostMs} = watchPaced(unsaid, seededRandom(seed));
      expect(gapsMs.length).toBeLessThanOrEqual(1);
      expect(lostMs.filter(atMs => !gapsMs.some(({from, to}) => from <= atMs && atMs <= to))).toEqual([]);
    }),
    {numRuns: runsOf(5)},
  );
});

test('nothing is lost where a quiet pod keeps its line and the loud one moves on', () => {
  fc.assert(
    fc.property(arbitraryScenario(1), fc.integer({min: 1, max: 2147483646}), (scenario, seed) => {
      expect(watchPaced({...scenario, hasQuietPod: true}, seededRandom(seed)).lostMs).toEqual([]);
    }),
    {numRuns: runsOf(5)},
  );
});

test.each([false, true])(
  'a first interval in which no line came says little of the rate, quiet pod: %s',
  hasQuietPod => {
    const rates = [{fromMs: 0, linesPerSecond: 3}];
    const scenario = {...quiet, rates, windowLines: 20, requestMs: 5, wantedMs: 60_000, untilMs: 120_000, hasQuietPod};
    expect(watchPaced(scenario, () => 0).lostMs).toEqual([]);
  },
);

test('an empty log is polled as seldom as wanted from the fourth poll', () => {
  const {requestsMs} = watchPaced({...quiet, wantedMs: 60_000, untilMs: 200_000}, () => 0);
  expect(requestsMs).toEqual([0, 300, 3350, 33_900, 93_950, 154_000]);
});

test('nothing is lost where a window is cut by time and holds what came in two of the longest intervals', () => {
  fc.assert(
    fc.property(arbitraryScenario(1), fc.integer({min: 10_000, max: 60_000}), (scenario, windowMs) => {
      const trace = watchPaced({
        ...scenario,
        windowLines: 1e9,
        windowMs: windowMs + 2 * scenario.wantedMs,
        linesMax: 6000,
      });
      expect({lost: trace.lostMs.length, gaps: trace.gapsMs}).toEqual({lost: 0, gaps: []});
    }),
    {numRuns: runsOf(6)},
  );
});

test('a jump in the rate costs one gap at the most, and the gap holds every line that is lost', () => {
  fc.assert(
    fc.property(arbitraryScenario(2), fc.integer({min: 1, max: 2147483646}), (scenario, seed) => {
      const {gapsMs, lostMs} = watchPaced({...scenario, linesMax: 16_000}, seededRandom(seed));
      expect(gapsMs.length).toBeLessThanOrEqual(1);
      expect(lostMs.filter(atMs => !gapsMs.some(({from, to}) => from <= atMs && atMs <= to))).toEqual([]);
    }),
    {numRuns: runsOf(10)},
  );
});

test('a jump from one line a second to two thousand costs exactly one gap', () => {
  const rates = [
    {fromMs: 0, linesPerSecond: 1},
    {fromMs: 20_000, linesPerSecond: 2000},
  ];
  const {gapsMs, lostMs} = watchPaced({...quiet, rates, windowLines: 1000, untilMs: 60_000, linesMax: 40_000});
  expect(gapsMs).toHaveLength(1);
  expect(lostMs.length).toBeGreaterThan(0);
});

test('a quiet branch is asked at most 800 times an hour', () => {
  const {requestCount} = watchPaced(quiet, seededRandom(1));
  expect(requestCount).toBeGreaterThan(700);
  expect(requestCount).toBeLessThanOrEqual(800);
});

test('a branch with a line now and then is asked about every two seconds', () => {
  const {requestCount} = watchPaced(
    {...quiet, windowLines: 100, rates: [{fromMs: 0, linesPerSecond: 1}]},
    seededRandom(1),
  );
  expect(requestCount).toBeLessThanOrEqual(2000);
});

test('after a burst a branch is asked ever less, and at most 800 times an hour once the burst is forgotten', () => {
  const burst = [
    {fromMs: 0, linesPerSecond: 500},
    {fromMs: 10_000, linesPerSecond: 0},
  ];
  const {requestsMs} = watchPaced({...quiet, rates: burst, untilMs: 2 * 3_600_000}, seededRandom(1));
  const firstHour = requestsMs.filter(atMs => atMs < 3_600_000).length;
  expect(firstHour).toBeLessThanOrEqual(4000);
  expect(requestsMs.length - firstHour).toBeLessThanOrEqual(800);
});

test('a window cut by time that has gone empty after a burst is not asked as if the burst went on', () => {
  const burst = [
    {fromMs: 0, linesPerSecond: 100},
    {fromMs: 60_000, linesPerSecond: 0},
  ];
  const {requestsMs} = watchPaced({...quiet, rates: burst, windowLines: 1e9, windowMs: 60_000}, seededRandom(1));
  expect(requestsMs.filter(atMs => atMs > 180_000).length).toBeLessThanOrEqual(800);
});
