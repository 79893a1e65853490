import {expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {createTail} from '#app/tail/tail.ts';
import type {Clock} from '#cli/io/io.ts';
import {followLog} from '#cli/logs/follow/follow-branches.ts';
import {createFaultReporter} from '#cli/logs/print/branch-printer.ts';

const answerOf = (...lines: readonly string[]): Answer<LogAnswer> => ({
  value: {pods: [], lines, sessionId: undefined},
  status: 200,
  durationMs: 5,
  bodyBytes: 100,
  serviceTimeMs: undefined,
  skipped: [],
});

const line = '2026-11-21T14:00:00.000000001Z one';

/** A clock that only moves when someone sleeps. */
const createClock = (): Clock & {readonly sleeps: number[]; advance(ms: number): void} => {
  const sleeps: number[] = [];
  let ms = 0;
  return {
    sleeps,
    advance: by => {
      ms += by;
    },
    nowMs: () => Date.UTC(2026, 10, 21, 14, 2, 11) + ms,
    monotonicMs: () => ms,
    sleep: async (wait, signal) => {
      signal?.throwIfAborted();
      sleeps.push(wait);
      ms += wait;
    },
  };
};

type Poll = Answer<LogAnswer> | ApiError;

/** Follows through the polls, then stops; what the loop told on its way is answered. */
const followThrough = async (polls: readonly Poll[], printMs = 0) => {
  const clock = createClock();
  const said: string[] = [];
  const stop = new AbortController();
  const faults = createFaultReporter(sentence => said.push(sentence), clock);
  let pollCount = 0;
  let underWay = 0;
  let mostAtOnce = 0;
  const ended = followLog({
    branch: {
      tail: createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true}),
      name: undefined,
      fetchLog: async () => {
        underWay += 1;
        mostAtOnce = Math.max(mostAtOnce, underWay);
        const poll = polls[pollCount];
        pollCount += 1;
        await new Promise(resolve => setImmediate(resolve));
        underWay -= 1;
        if (poll === undefined) {
          stop.abort(new Error('enough'));
          throw new ApiError('cancelled', 'cancelled');
        }
        if (poll instanceof ApiError) {
          throw poll;
        }
        return poll;
      },
    },
    polled: async ({result}) => {
      if (result instanceof ApiError) {
        faults.failed(result);
      } else {
        faults.recovered();
        clock.advance(printMs);
      }
      return 'goOn';
    },
    clock,
    deadlineMs: undefined,
    random: () => 0.5,
    signal: stop.signal,
  });
  const error = await ended.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return {error, sleeps: clock.sleeps, said, mostAtOnce, pollCount};
};

const refused = new ApiError('network', 'HOST:443 refused');

test('the second poll comes 250 ms after the first answer, then as fresh as wanted', async () => {
  const {sleeps, mostAtOnce} = await followThrough([answerOf(line), answerOf(line), answerOf(line)]);
  expect(sleeps[0]).toBe(250);
  expect(sleeps.slice(1).every(ms => ms >= 250 && ms <= 5000)).toBe(true);
  expect(mostAtOnce).toBe(1);
});

test('time spent on printing is not waited for again', async () => {
  const {sleeps} = await followThrough([answerOf(line), answerOf(line)], 100);
  expect(sleeps[0]).toBe(150);
  const slow = await followThrough([answerOf(line), answerOf(line)], 60_000);
  expect(slow.sleeps).toEqual([0, 0]);
});

test('the first poll is not tried again', async () => {
  const {error, pollCount} = await followThrough([refused, answerOf(line)]);
  expect(error).toBe(refused);
  expect(pollCount).toBe(1);
});

test('after a good poll the tries back off, and the fault is told once, with how long it took', async () => {
  const {sleeps, said} = await followThrough([answerOf(line), refused, refused, refused, answerOf(line)]);
  expect(sleeps.slice(0, 4)).toEqual([250, 750, 1500, 3000]);
  expect(said).toEqual(['14:02:11 HOST:443 refused, retrying', '14:02:16 recovered after 5 s']);
});

test('another fault is told, the same one with other numbers in it is not', async () => {
  const at = (byte: number) => new ApiError('notInterface', `not JSON at byte ${byte} of 900`, {status: 200});
  const {said} = await followThrough([answerOf(line), at(1), at(77), refused]);
  expect(said.map(sentence => sentence.slice(9))).toEqual([
    'not JSON at byte 1 of 900, retrying',
    'HOST:443 refused, retrying',
  ]);
});

test('how long it took counts from the first of several faults', async () => {
  const {said} = await followThrough([
    answerOf(line),
    refused,
    refused,
    new ApiError('timeout', 'slow'),
    answerOf(line),
  ]);
  expect(said.at(-1)).toBe('14:02:16 recovered after 5 s');
});

test('what the service asks to wait is waited', async () => {
  const busy = new ApiError('tooManyRequests', 'too many requests (429)', {status: 429, retryAfterMs: 17_000});
  expect((await followThrough([answerOf(line), busy])).sleeps[1]).toBe(17_000);
});

test('an error that is no answer of the service ends it: it is a mistake of ours', async () => {
  const clock = createClock();
  const bug = new TypeError('bug');
  let isFirst = true;
  const ended = followLog({
    branch: {
      tail: createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true}),
      name: undefined,
      fetchLog: async () => {
        if (isFirst) {
          isFirst = false;
          return answerOf(line);
        }
        throw bug;
      },
    },
    polled: async () => 'goOn',
    clock,
    deadlineMs: undefined,
    random: () => 0,
    signal: new AbortController().signal,
  });
  await expect(ended).rejects.toBe(bug);
});

test('at the deadline one last poll is made, however long the pause would have been', async () => {
  const clock = createClock();
  const startMs = clock.monotonicMs();
  const askedAtMs: number[] = [];
  await followLog({
    branch: {
      tail: createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true}),
      name: undefined,
      fetchLog: async () => {
        askedAtMs.push(clock.monotonicMs() - startMs);
        return answerOf(line);
      },
    },
    polled: async () => 'goOn',
    clock,
    deadlineMs: startMs + 1000,
    random: () => 0,
    signal: new AbortController().signal,
  });
  expect(askedAtMs).toEqual([0, 250, 1000]);
});
