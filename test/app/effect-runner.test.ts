import {expect, test} from 'vitest';
import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import {createEffectRunner} from '#app/effect-runner.ts';
import type {Event} from '#app/state/event.ts';
import {answer, windowOf} from '../support/play.ts';
import {idleEffects} from './idle-effects.ts';

type Request = {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly respond: () => void;
  readonly fail: (kind?: ApiErrorKind) => void;
};
type Timer = {readonly delayMs: number; readonly callback: () => void; isCancelled: boolean};

/** A runner whose requests are answered, and whose timers end, when the test says so. */
const start = () => {
  const requests: Request[] = [];
  const timers: Timer[] = [];
  const happenings: Event[] = [];
  const clock = {nowMs: 0};
  const hold = <T>(name: string, signal: AbortSignal | undefined, value: T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      requests.push({
        name,
        signal,
        respond: () => resolve(value),
        fail: (kind = 'network') => reject(new ApiError(kind, 'api.example.com:443 refused')),
      });
    });
  let isNewTokenThere = false;
  const writes: ((notice?: string) => void)[] = [];
  const client = {
    token: {watch: () => async () => isNewTokenThere},
    listBranches: (siteId: string, signal?: AbortSignal) => hold(siteId, signal, answer([])),
    fetchLog: (_siteId: string, branchId: string, signal?: AbortSignal) => hold(branchId, signal, windowOf(1)),
    probeLog: (_siteId: string, branchId: string, signal?: AbortSignal) =>
      hold(`look ${branchId}`, signal, windowOf(1)),
    countErrors: async () => undefined,
  };
  const run = createEffectRunner({
    ...idleEffects,
    openClient: async () => client,
    setTimer: (callback, delayMs) => {
      const timer: Timer = {delayMs, callback, isCancelled: false};
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
    nowMs: () => clock.nowMs,
    openSearch: async () => {
      throw new Error('this branchlog was replaced');
    },
    keepFilters: () =>
      new Promise(resolve => {
        writes.push(resolve);
      }),
  });
  const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  return {
    requests,
    timers,
    writes,
    clock,
    putToken: () => {
      isNewTokenThere = true;
    },
    happenings,
    give: async (...effects: readonly Parameters<typeof run>[0][]): Promise<void> => {
      for (const effect of effects) {
        run(effect, event => happenings.push(event));
      }
      await settle();
    },
    settle,
    told: () => happenings.map(event => ('branchId' in event ? `${event.kind} ${event.branchId}` : event.kind)),
  };
};

const fetchWindow = (branchId: string) => ({kind: 'fetchWindow', siteId: 'site-1', branchId, generation: 1}) as const;
const pollAfter = (branchId: string, delayMs: number) =>
  ({kind: 'pollAfter', branchId, delayMs, generation: 1}) as const;

test('branches are asked side by side, and each answer says whose it is', async () => {
  const runner = start();
  await runner.give(fetchWindow('b-1'), fetchWindow('b-2'));
  runner.requests[1]?.respond();
  await runner.settle();
  runner.requests[0]?.fail();
  await runner.settle();
  expect(runner.told()).toEqual(['windowArrived b-2', 'windowFailed b-1']);
});

test('a second request for a branch ends its first one and its timer, and leaves the others alone', async () => {
  const runner = start();
  await runner.give(fetchWindow('b-1'), pollAfter('b-2', 500), pollAfter('b-1', 250), fetchWindow('b-1'));
  expect(runner.requests.map(({signal}) => signal?.aborted)).toEqual([true, false]);
  expect(runner.timers.map(({delayMs, isCancelled}) => [delayMs, isCancelled])).toEqual([
    [500, false],
    [250, true],
  ]);
  runner.requests[0]?.respond();
  runner.requests[1]?.respond();
  await runner.settle();
  expect(runner.told()).toEqual(['windowArrived b-1']);
  runner.timers[0]?.callback();
  expect(runner.told().at(-1)).toBe('pollDue b-2');
});

test('a branch of a held log is asked for beside the same branch of the open one', async () => {
  const runner = start();
  await runner.give(fetchWindow('b-1'), {...fetchWindow('b-1'), generation: 4}, pollAfter('b-1', 250));
  expect(runner.requests.map(({signal}) => signal?.aborted)).toEqual([false, false]);
  runner.requests[1]?.respond();
  await runner.settle();
  expect(runner.happenings).toMatchObject([{kind: 'windowArrived', branchId: 'b-1', generation: 4}]);
  expect(runner.timers.map(({isCancelled}) => isCancelled)).toEqual([false]);
});

test('the listing of branches has a request and a timer of its own', async () => {
  const runner = start();
  await runner.give(
    fetchWindow('b-1'),
    {kind: 'fetchBranches', siteId: 'site-1', generation: 1},
    {kind: 'refreshAfter', delayMs: 30_000, generation: 1},
    pollAfter('b-1', 250),
  );
  expect(runner.requests.map(({signal}) => signal?.aborted)).toEqual([false, false]);
  expect(runner.timers.map(({isCancelled}) => isCancelled)).toEqual([false, false]);
});

test('leaving a place ends every request and every timer', async () => {
  const runner = start();
  await runner.give(fetchWindow('b-1'), fetchWindow('b-2'), pollAfter('b-2', 250), {kind: 'cancel'});
  expect(runner.requests.map(({signal}) => signal?.aborted)).toEqual([true, true]);
  expect(runner.timers.map(({isCancelled}) => isCancelled)).toEqual([true]);
  for (const request of runner.requests) {
    request.respond();
  }
  await runner.settle();
  expect(runner.happenings).toEqual([]);
});

test('leaving a place ends what is being summed up', async () => {
  const runner = start();
  const order = {parts: [], entryCount: 0};
  await runner.give({kind: 'summarise', order}, {kind: 'cancelSummary'}, {kind: 'summarise', order}, {kind: 'cancel'});
  expect(runner.timers.map(({isCancelled}) => isCancelled)).toEqual([true, true]);
  await runner.give({kind: 'summarise', order});
  runner.timers[2]?.callback();
  expect(runner.told()).toEqual(['summaryCounted']);
});

test('filters go on after the keys that wait, once for all orders, for the log that is open then', async () => {
  const runner = start();
  await runner.give({kind: 'filterSoon', generation: 1}, {kind: 'filterSoon', generation: 2});
  expect(runner.timers.map(({delayMs}) => delayMs)).toEqual([0]);
  runner.timers[0]?.callback();
  expect(runner.happenings).toEqual([{kind: 'filterDue', generation: 2}]);
  await runner.give({kind: 'filterSoon', generation: 3});
  expect(runner.timers).toHaveLength(2);
});

test('a search that cannot be loaded fails with its sentence, and the rest goes on', async () => {
  const runner = start();
  const pattern = {query: 'timeout', kind: 'literal', source: 'timeout', isCaseSensitive: false} as const;
  await runner.give({kind: 'match', patternId: 4, pattern, chunks: []}, {kind: 'cancelPattern', patternId: 4});
  expect(runner.happenings).toEqual([{kind: 'patternFailed', patternId: 4, sentence: 'this branchlog was replaced'}]);
});

test('a key that is held down asks once at a time, and at most once a second', async () => {
  const runner = start();
  const press = {...fetchWindow('b1'), isPressed: true};
  await runner.give(press, press, press);
  expect(runner.requests).toHaveLength(1);
  runner.requests[0]?.fail();
  await runner.settle();
  runner.clock.nowMs = 300;
  await runner.give(press, press);
  expect(runner.requests).toHaveLength(1);
  expect(runner.timers.map(({delayMs, isCancelled}) => [delayMs, isCancelled])).toEqual([
    [700, true],
    [700, false],
  ]);
  runner.clock.nowMs = 999;
  await runner.give(press);
  expect([runner.requests.length, runner.timers[2]?.delayMs]).toEqual([1, 1]);
  runner.clock.nowMs = 1000;
  runner.timers[2]?.callback();
  await runner.give({...press, branchId: 'b2'});
  expect(runner.requests.map(({name}) => name)).toEqual(['b1', 'b1', 'b2']);
  expect(runner.requests[1]?.signal?.aborted).toBe(false);
});

test('while signed out it looks for a new token each second, and tells of it once', async () => {
  const runner = start();
  await runner.give(fetchWindow('b1'), fetchWindow('b2'));
  runner.requests[0]?.fail('unauthorised');
  runner.requests[1]?.fail('unauthorised');
  await runner.settle();
  expect(runner.timers.map(({delayMs}) => delayMs)).toEqual([1000]);
  runner.putToken();
  runner.timers[0]?.callback();
  await runner.settle();
  expect(runner.told()).toEqual(['windowFailed b1', 'windowFailed b2', 'tokenChanged']);
  expect(runner.timers).toHaveLength(1);
});

test('a look-out that was left does not go on beside the next one', async () => {
  const runner = start();
  await runner.give(fetchWindow('b1'));
  runner.requests[0]?.fail('unauthorised');
  await runner.settle();
  await runner.give({kind: 'cancel'}, fetchWindow('b1'));
  runner.requests[1]?.fail('unauthorised');
  await runner.settle();
  runner.putToken();
  for (const timer of runner.timers) {
    timer.callback();
  }
  await runner.settle();
  expect(runner.told().filter(kind => kind === 'tokenChanged')).toHaveLength(1);
});

test('an answer ends the look-out for a new token', async () => {
  const runner = start();
  await runner.give(fetchWindow('b1'), fetchWindow('b2'));
  runner.requests[0]?.fail('token');
  await runner.settle();
  runner.requests[1]?.respond();
  await runner.settle();
  runner.timers[0]?.callback();
  await runner.settle();
  expect(runner.timers).toHaveLength(1);
});

test('filters are said to be saved or forgotten once they are, or why they are not', async () => {
  const runner = start();
  await runner.give(
    {kind: 'keepFilters', name: 'quiet', filters: ['-GET']},
    {kind: 'keepFilters', name: 'loud', filters: []},
    {kind: 'keepFilters', name: 'late', filters: ['-PUT']},
  );
  expect(runner.happenings).toEqual([]);
  runner.writes[0]?.();
  runner.writes[1]?.();
  runner.writes[2]?.('cannot save the filters (ENOSPC)');
  await runner.settle();
  expect(runner.happenings).toEqual([
    {kind: 'noticed', notice: 'filters saved as quiet'},
    {kind: 'noticed', notice: 'loud forgotten'},
    {kind: 'noticed', notice: 'cannot save the filters (ENOSPC)'},
  ]);
});
