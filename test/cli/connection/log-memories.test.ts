import {expect, test} from 'vitest';
import {createLogMemories} from '#cli/connection/log-memories.ts';
import type {BranchMemory} from '#config/memory/branch-memory.ts';
import type {BranchState} from '#config/memory/branch-state.ts';
import type {LogMemory} from '#log/overview/log-memory.ts';

/** Settings that differ in one number. */
const settings = (contextLines: number): LogMemory => ({
  filters: [],
  contextLines,
  minimumLevel: undefined,
  wraps: false,
  timeMode: undefined,
  rows: undefined,
  highlights: [],
  marks: [],
});

const keyOf = (branchId: string) => ({contextName: 'prod', siteId: 'site-1', branchId});

test('of several settings of one log the last one is stored, and another log’s are not lost', async () => {
  const stored: string[] = [];
  const timers: (() => void)[] = [];
  const branchMemory: BranchMemory = {
    recall: async () => ({state: undefined, notice: undefined}),
    remember: async ({branchId}, {contextLines}) => {
      stored.push(`${branchId} ${contextLines}`);
      return undefined;
    },
  };
  const memories = createLogMemories({
    branchMemory,
    setTimer: callback => {
      timers.push(callback);
      return () => {};
    },
    say: notice => expect.fail(notice),
  });
  memories.remember(keyOf('b1'), settings(1));
  memories.remember(keyOf('b1'), settings(2));
  expect(stored).toEqual([]);
  memories.remember(keyOf('b2'), settings(3));
  await memories.flush();
  expect(stored).toEqual(['b1 2', 'b2 3']);
});

const open = (notice?: string, state?: BranchState) => {
  const stored: BranchState[] = [];
  const timers: {callback: () => void; delayMs: number; isCancelled: boolean}[] = [];
  const said: string[] = [];
  const memories = createLogMemories({
    branchMemory: {
      recall: async () => ({state, notice}),
      remember: async (_key, each) => {
        stored.push(each);
        return notice;
      },
    },
    setTimer: (callback, delayMs) => {
      const timer = {callback, delayMs, isCancelled: false};
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
    say: sentence => said.push(sentence),
  });
  return {memories, stored, timers, said};
};

const mark = {at: 5n, lineHash: 'h', note: 'n'} as unknown as LogMemory['marks'][number];

test('settings are stored two seconds after the first change, with marks by time', async () => {
  const {memories, stored, timers} = open();
  memories.remember(keyOf('b1'), settings(1));
  memories.remember(keyOf('b1'), {...settings(2), marks: [mark]});
  expect([timers.map(({delayMs}) => delayMs), stored]).toEqual([[2_000], []]);
  timers[0]?.callback();
  expect(stored).toMatchObject([{contextLines: 2, marks: [{at: '1970-01-01T00:00:00.000000005Z', note: 'n'}]}]);
  // The next change waits anew.
  memories.remember(keyOf('b1'), settings(3));
  expect(timers).toHaveLength(2);
  await memories.flush();
  expect([stored.length, timers[1]?.isCancelled]).toEqual([2, true]);
  await memories.flush();
  expect(stored).toHaveLength(2);
});

test.each([
  {contextName: 'stage', siteId: 'site-1', branchId: 'b1'},
  {contextName: 'prod', siteId: 'site-2', branchId: 'b1'},
  {contextName: 'prod', siteId: 'site-1', branchId: 'b2'},
])('settings of another log %j are stored at once', key => {
  const {memories, stored} = open();
  memories.remember(keyOf('b1'), settings(1));
  memories.remember(key, settings(2));
  expect(stored.map(({contextLines}) => contextLines)).toEqual([1]);
});

test('what could not be stored is said', async () => {
  const {memories, said} = open('the disk is full');
  memories.remember(keyOf('b1'), settings(1));
  await memories.flush();
  expect(said).toEqual(['the disk is full']);
});

test('what is recalled is stored before, and a mark whose time is none is left out', async () => {
  const {marks: _, ...others} = settings(4);
  const state = {
    ...others,
    marks: [
      {...mark, at: '1970-01-01T00:00:00.000000005Z'},
      {...mark, at: 'nonsense'},
    ],
    lastSeenAt: undefined,
  } as unknown as BranchState;
  const {memories, stored} = open('half of it', state);
  memories.remember(keyOf('b1'), settings(1));
  expect(await memories.recall(keyOf('b1'))).toEqual({memory: {...settings(4), marks: [mark]}, notice: 'half of it'});
  expect(stored).toHaveLength(1);
  expect((await open().memories.recall(keyOf('b1'))).memory).toBeUndefined();
});

test('what is watched and what was seen last come back as they were stored', async () => {
  const watched = {what: 'rise', of: 'errors', subject: 'errors', since: 5n, before: 1, now: 9} as const;
  const memory = {...settings(1), watched, lastSeenAt: 7n};
  const {memories, stored} = open();
  memories.remember(keyOf('b1'), memory);
  await memories.flush();
  const [state] = stored;
  expect(state).toMatchObject({
    watched: {...watched, since: '1970-01-01T00:00:00.000000005Z'},
    lastSeenAt: '1970-01-01T00:00:00.000000007Z',
  });
  const again = open(undefined, state);
  expect((await again.memories.recall(keyOf('b1'))).memory).toMatchObject({watched, lastSeenAt: 7n});
});
