import {expect, test} from 'vitest';
import {
  createPace,
  fillMsOf,
  intervalMsMax,
  intervalMsMin,
  type Pace,
  type PaceInput,
  stepPace,
} from '#log/ingest/pace.ts';

const steady: PaceInput = {
  newLines: 10,
  leftLines: 10,
  windowLinesBefore: 1000,
  shareLines: 1000,
  isGap: false,
  elapsedMs: 2000,
  random: 0,
};
const learned = stepPace(createPace(2000), {...steady, elapsedMs: undefined}).pace;

/** The times to the next poll, one step after the other. */
const stepAll = (from: Pace, inputs: readonly Partial<PaceInput>[]): readonly number[] => {
  let pace = from;
  return inputs.map(input => {
    const step = stepPace(pace, {...steady, ...input});
    pace = step.pace;
    return step.nextPollInMs;
  });
};

test('the second poll comes 250 ms after the first, to learn the rate', () => {
  const step = stepPace(createPace(2000), {...steady, elapsedMs: undefined});
  expect([step.nextPollInMs, step.reason, step.pace.pollCount]).toEqual([250, 'learning the rate', 1]);
});

test('a log that moves slowly is asked as wanted', () => {
  const step = stepPace(learned, steady);
  expect([step.nextPollInMs, step.reason]).toEqual([2000, 'as wanted']);
});

test('with nothing new the interval grows to 5 s and no further, and the first new line brings it back', () => {
  const nothing = {newLines: 0, leftLines: 0};
  expect(stepAll(learned, [nothing, nothing, nothing, nothing, {newLines: 1}])).toEqual([3000, 4500, 5000, 5000, 2000]);
});

test('whoever wants to ask less than every 5 s is not asked for more, with nothing new neither', () => {
  const slow = stepPace(createPace(15_000), {...steady, elapsedMs: undefined}).pace;
  expect(stepAll(slow, [{newLines: 0, leftLines: 0}, {newLines: 1}])).toEqual([15_000, 15_000]);
});

test('with less than half overlapping the next poll comes after 250 ms and the interval is halved', () => {
  const step = stepPace(learned, {...steady, newLines: 501, leftLines: 501});
  expect([step.nextPollInMs, step.pace.intervalMs, step.reason]).toEqual([
    250,
    1000,
    'less than half of the window is left',
  ]);
});

test('with just half overlapping the interval stays', () => {
  expect(stepPace(learned, {...steady, newLines: 500, leftLines: 500}).pace.intervalMs).toBe(2000);
});

test('after a gap the next poll comes after 250 ms and the interval is halved, never below 250 ms', () => {
  const step = stepPace(learned, {...steady, isGap: true});
  expect([step.nextPollInMs, step.pace.intervalMs, step.reason]).toEqual([250, 1000, 'the window moved on']);
  let {pace} = step;
  for (let poll = 0; poll < 9; poll++) {
    pace = stepPace(pace, {...steady, isGap: true}).pace;
  }
  expect(pace.intervalMs).toBe(intervalMsMin);
});

test('where each pod is cut on its own, half of a share counts as half', () => {
  const step = stepPace(learned, {...steady, shareLines: 100, newLines: 51, leftLines: 51});
  expect([step.nextPollInMs, step.reason]).toEqual([250, 'less than half of the window is left']);
});

test('it never waits beyond half the time in which the highest rate seen fills the window', () => {
  // 200 lines a second fill 1,000 in five seconds; half of a second window's worth of them leaves time for 2.5 s.
  const step = stepPace(learned, {...steady, newLines: 500, leftLines: 400, elapsedMs: 1000});
  expect([step.nextPollInMs, step.reason]).toEqual([1000, 'the window fills soon']);
  expect(stepPace(step.pace, {...steady, newLines: 0, leftLines: 0, elapsedMs: 1}).nextPollInMs).toBe(1000);
});

test('a high rate is half forgotten after five minutes', () => {
  const {pace} = stepPace(learned, {...steady, newLines: 400, leftLines: 400, elapsedMs: 1000});
  expect(pace.highestRate).toBe(400);
  expect(stepPace(pace, {...steady, newLines: 0, leftLines: 0, elapsedMs: 300_000}).pace.highestRate).toBe(200);
});

test('an empty window is not one that fills at once', () => {
  const {pace} = stepPace(learned, {...steady, newLines: 400, leftLines: 0, elapsedMs: 2000});
  const gone = {newLines: 0, leftLines: 0, windowLinesBefore: 0, shareLines: 0};
  expect(stepPace(pace, {...steady, ...gone}).nextPollInMs).toBe(2500);
});

test('what a window held fades as the rate does: one that shrinks as the log goes quiet is not asked as if it filled at once', () => {
  const burst = stepPace(learned, {...steady, newLines: 400, leftLines: 400, elapsedMs: 1000}).pace;
  const shrunk = stepPace(burst, {...steady, newLines: 1, leftLines: 1, shareLines: 10, elapsedMs: 300_000}).pace;
  expect([shrunk.highestRate, shrunk.capacityLines]).toEqual([200, 500]);
});

test('where more than half of a share comes the share is what counts, whatever was held before', () => {
  const {pace} = stepPace(learned, {...steady, shareLines: 300, newLines: 151, leftLines: 151});
  expect(pace.capacityLines).toBe(300);
});

test('chance shortens the wait by a tenth at the most and never below 250 ms', () => {
  expect(stepPace(learned, {...steady, random: 1}).nextPollInMs).toBe(1800);
  expect(stepPace(createPace(250), {...steady, random: 1}).nextPollInMs).toBe(250);
});

test('whatever comes, it asks neither sooner than 250 ms after an answer nor later than 5 s', () => {
  const inputs = [0, 1, 600, 5000].flatMap(newLines =>
    [1, 400, 60_000].flatMap(elapsedMs => [0, 1, 1000].map(shareLines => ({newLines, elapsedMs, shareLines}))),
  );
  const waits = stepAll(learned, [...inputs, ...inputs.toReversed()]);
  expect(waits.filter(waitMs => waitMs < intervalMsMin || waitMs > intervalMsMax)).toEqual([]);
});

test('polls are between a quarter of a second and five seconds apart', () => {
  expect([intervalMsMin, intervalMsMax]).toEqual([250, 5000]);
});

test('the time in which a window fills is that of the highest rate', () => {
  expect(fillMsOf({capacityLines: 1000, highestRate: 50})).toBe(20_000);
  expect(fillMsOf({capacityLines: 1000, highestRate: 0})).toBe(Number.POSITIVE_INFINITY);
});

test('a rate is half as high after five minutes', () => {
  const step = stepPace(
    {...learned, highestRate: 100, capacityLines: 0},
    {...steady, newLines: 0, leftLines: 0, elapsedMs: 300_000},
  );
  expect(step.pace.highestRate).toBeCloseTo(50, 9);
  expect(stepPace({...learned, highestRate: 100}, {...steady, newLines: 200, elapsedMs: 1000}).pace.highestRate).toBe(
    200,
  );
  expect(stepPace({...learned, highestRate: 0}, {...steady, newLines: 3, elapsedMs: 0}).pace.highestRate).toBe(3000);
});

test('until a line is new, a window of few lines is taken for one of twenty', () => {
  // Fewer than one line came in half a second: twenty fill the window in ten seconds, and half of that is waited.
  const nothing = {...steady, newLines: 0, leftLines: 0, elapsedMs: 400};
  const quiet = createPace(15_000);
  expect(stepPace(quiet, {...nothing, shareLines: 5}).nextPollInMs).toBe(4000);
  expect(stepPace(quiet, {...nothing, shareLines: 20}).nextPollInMs).toBe(4000);
  expect(stepPace(quiet, {...nothing, shareLines: 21})).toMatchObject({
    nextPollInMs: 4200,
    reason: 'the window fills soon',
  });
});

test('chance shortens the time by a tenth at most', () => {
  expect([0, 0.5, 1].map(random => stepPace(learned, {...steady, random}).nextPollInMs)).toEqual([2000, 1900, 1800]);
});

test.each([
  [500, 500, false],
  [501, 501, true],
  // More came than half of a share, and something left.
  [501, 1, true],
  [500, 1, false],
  [501, 0, false],
])('with %d new lines, and %d that left, the window moves on: %s', (newLines, leftLines, movesOn) => {
  const {reason} = stepPace(learned, {...steady, newLines, leftLines});
  expect(reason === 'less than half of the window is left').toBe(movesOn);
});

test('of a window smaller than a share its own half counts', () => {
  const input = {...steady, windowLinesBefore: 10, newLines: 6};
  expect(stepPace(learned, {...input, leftLines: 5}).pace.intervalMs).toBe(2000);
  expect(stepPace(learned, {...input, leftLines: 6}).pace.intervalMs).toBe(1000);
});

test('a window that moved on is as full as it gets, if anything came', () => {
  const before = {...learned, capacityLines: 800};
  const moved = (newLines: number) =>
    stepPace(before, {...steady, isGap: true, newLines, shareLines: 300, elapsedMs: 300_000}).pace.capacityLines;
  expect([moved(1), moved(0)]).toEqual([300, 400]);
});
