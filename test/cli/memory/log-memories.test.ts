import {expect, test} from 'vitest';
import type {LogMemory} from '../../../src/app/parts/log-memory.ts';
import {createLogMemories} from '../../../src/cli/memory/log-memories.ts';
import type {BranchMemory} from '../../../src/config/memory/branch-memory.ts';

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
