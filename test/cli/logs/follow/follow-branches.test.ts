import {describe, expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import type {AnswerTimes} from '#api/recording/recording-format.ts';
import {createTail} from '#app/tail/tail.ts';
import {followBranches} from '#cli/logs/follow/follow-branches.ts';
import {createRequestTurns, type PrintedBranch} from '#cli/logs/follow/poll-branch.ts';
import {createBranchPrinter} from '#cli/logs/print/branch-printer.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {createQuickClock} from '../../quick-clock.ts';

const answerOf = (lines: readonly string[]): Answer<LogAnswer> => ({
  value: {pods: [], lines, sessionId: undefined},
  status: 200,
  durationMs: 5,
  bodyBytes: 100,
  serviceTimeMs: undefined,
  skipped: [],
});

const line = (number: number): string => `2026-11-21T14:00:00.00000000${number}Z line ${number}`;

/** Follows two branches, whose n-th answers (from 1) are given, and collects what is printed. */
const startFollowing = (
  fetches: readonly ((requestNumber: number, signal: AbortSignal) => Promise<Answer<LogAnswer>>)[],
  timesOf?: (result: Answer<LogAnswer> | ApiError) => AnswerTimes | undefined,
  holdMs = 2000,
  watchToken?: () => () => Promise<boolean>,
) => {
  const clock = createQuickClock(100);
  const printed: string[] = [];
  const said: string[] = [];
  const stop = new AbortController();
  const underWay = fetches.map(() => 0);
  let mostAtOnce = 0;
  const branches: readonly PrintedBranch[] = fetches.map((fetch, index) => {
    let requestNumber = 0;
    return {
      tail: createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true}),
      name: `branch ${index}`,
      fetchLog: async signal => {
        requestNumber += 1;
        underWay[index] = (underWay[index] ?? 0) + 1;
        mostAtOnce = Math.max(mostAtOnce, underWay[index] ?? 0);
        try {
          return await fetch(requestNumber, signal);
        } finally {
          underWay[index] = (underWay[index] ?? 0) - 1;
        }
      },
    };
  });
  const printer = createBranchPrinter({
    labels: fetches.map((_, index) => ({name: `branch ${index}`, prefix: ''})),
    printer: {
      print: async ({entries}) => {
        printed.push(...entries.flatMap(({entry}) => (entry.kind === 'line' ? [entry.raw.slice(31)] : [])));
        return printed.includes('line 9') ? 'stop' : 'goOn';
      },
      hasGap: false,
      lacksHeld: false,
      hasMatched: false,
      noteProof: () => 'goOn',
      noteHeld: () => undefined,
      finish: async () => undefined,
      shortFrom: undefined,
      proof: undefined,
      lacksProof: undefined,
      counts: {lines: 0, gaps: 0, late: 0},
      lastPollAtMs: undefined,
    },
    holdMs,
    printsFirstAtOnce: false,
    foldsGrowth: true,
    sourceFilter: undefined,
    showsSources: false,
    part: 'pod',
    cutSaidBy: undefined,
    say: sentence => said.push(sentence),
    clock,
  });
  const ended = followBranches({
    branches,
    printer,
    timesOf,
    watchToken,
    clock,
    deadlineMs: undefined,
    random: () => 0.5,
    signal: stop.signal,
  });
  return {ended, printed, said, stop, clock, mostAtOnce: () => mostAtOnce};
};

const never = (signal: AbortSignal): Promise<Answer<LogAnswer>> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ApiError('cancelled', 'cancelled'))));

describe('branches side by side', () => {
  test('one that never answers again does not keep back what the other brings', async () => {
    const {ended, printed, stop} = startFollowing([
      async number => answerOf(number === 1 ? [line(1)] : [line(1), line(3)]),
      (number, signal) => (number === 1 ? Promise.resolve(answerOf([line(2)])) : never(signal)),
    ]);
    await waitFor(() => printed.length === 3, {what: 'the line of the branch that answers'});
    expect(printed).toEqual(['line 1', 'line 2', 'line 3']);
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(ended).rejects.toBe(reason);
  });

  test('what is held goes when its time is over, though every request hangs', async () => {
    const {ended, printed, stop} = startFollowing([
      (number, signal) => (number < 3 ? Promise.resolve(answerOf(number === 1 ? [] : [line(3)])) : never(signal)),
      (number, signal) => (number === 1 ? Promise.resolve(answerOf([line(2)])) : never(signal)),
    ]);
    await waitFor(() => printed.includes('line 3'), {what: 'the line that was held'});
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
  });

  test('the order is that of the times which a recording tells, whatever the clock says', async () => {
    // By its recorded time the second answer of branch 1 was asked for before branch 0's lines came, and so proves nothing.
    const times = new Map<unknown, AnswerTimes>();
    const told = (answer: Answer<LogAnswer>, beganMs: number, cameMs: number) => {
      times.set(answer, {beganMs, cameMs});
      return answer;
    };
    const {promise: thirdHasCome, resolve: thirdCame} = Promise.withResolvers<void>();
    const {ended, printed} = startFollowing(
      [
        async number => {
          if (number < 3) {
            return number === 1 ? told(answerOf([line(1)]), 0, 10) : told(answerOf([line(1), line(4)]), 100, 110);
          }
          await thirdHasCome;
          return told(answerOf([line(1), line(4), line(9)]), number * 100_000, number * 100_000 + 10);
        },
        async number => {
          if (number < 3) {
            return number === 1 ? told(answerOf([line(2)]), 0, 10) : told(answerOf([line(2)]), 105, 120);
          }
          if (number === 3) {
            return told(answerOf([line(2), line(3)]), 130, 140);
          }
          // What asks again has merged and handed on its third answer.
          thirdCame();
          return told(answerOf([line(2), line(3)]), number * 100_000, number * 100_000 + 20);
        },
      ],
      result => times.get(result),
      60_000,
    );
    await ended;
    expect(printed).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 9']);
  });

  test('each has one request under way at most', async () => {
    const slow = async (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5));
    const {ended, mostAtOnce} = startFollowing([
      async number => {
        await slow();
        return answerOf([line(1), ...(number > 6 ? [line(9)] : [])]);
      },
      async () => {
        await slow();
        return answerOf([line(2)]);
      },
    ]);
    await ended;
    expect(mostAtOnce()).toBe(1);
  });

  test('the printer that says stop ends all of them, those that hang too', async () => {
    const {ended} = startFollowing([
      async () => answerOf([line(1)]),
      (number, signal) => (number === 1 ? Promise.resolve(answerOf([line(9)])) : never(signal)),
    ]);
    await expect(ended).resolves.toBeUndefined();
  });

  test('a first answer that fails ends all of them, with the name of its branch', async () => {
    const {ended, printed} = startFollowing([
      async () => answerOf([line(1)]),
      async () => {
        throw new ApiError('forbidden', 'not permitted', {status: 403});
      },
    ]);
    await expect(ended).rejects.toMatchObject({kind: 'forbidden', status: 403, message: 'branch 1: not permitted'});
    expect(printed).toEqual([]);
  });

  test('a later one is told, with the name of its branch', async () => {
    const {ended, said} = startFollowing([
      async number => answerOf([line(1), ...(number > 8 ? [line(9)] : [])]),
      async number => {
        if (number > 1) {
          throw new ApiError('server', 'HOST answers 500', {status: 500});
        }
        return answerOf([line(2)]);
      },
    ]);
    await ended;
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^branch 1: \d\d:\d\d:\d\d HOST answers 500, retrying$/);
  });
});

test('turns are as far apart as was asked, and nobody waits who comes later', async () => {
  const sleeps: number[] = [];
  let nowMs = 1000;
  const wait = createRequestTurns(
    {
      nowMs: () => 0,
      monotonicMs: () => nowMs,
      sleep: async ms => {
        sleeps.push(ms);
      },
    },
    30,
  );
  const {signal} = new AbortController();
  await wait(signal);
  await wait(signal);
  await wait(signal);
  nowMs = 1200;
  await wait(signal);
  nowMs = 1210;
  await wait(signal);
  expect(sleeps).toEqual([30, 60, 20]);
});

test('while the token is refused a new one is looked for each second, and used at once', async () => {
  let looks = 0;
  const askedAtMs: number[] = [];
  const {ended, clock} = startFollowing(
    [
      async number => {
        askedAtMs.push(clock.monotonicMs());
        if (number === 2) {
          throw new ApiError('unauthorised', 'token rejected', {status: 401});
        }
        return answerOf(number === 1 ? [line(1)] : [line(1), line(9)]);
      },
    ],
    undefined,
    undefined,
    () => async () => {
      looks += 1;
      return looks === 3;
    },
  );
  await ended;
  const [, refusedAtMs = 0, againAtMs = 0] = askedAtMs;
  expect([looks, askedAtMs.length]).toEqual([3, 3]);
  // Three looks, where it would have polled again after 30 seconds.
  expect(againAtMs - refusedAtMs).toBeLessThan(10_000);
});
