import {afterAll, beforeEach, expect, onTestFinished, test, vi} from 'vitest';

const mb = 1_000_000;

/** The heap as V8 would tell of it, and what was done to it. */
const heap = vi.hoisted(() => ({
  total: 0,
  used: 0,
  external: 0,
  young: 0,
  collectMs: 0,
  flags: [] as string[],
  collected: [] as string[],
}));

vi.mock('node:v8', () => ({
  getHeapStatistics: () => ({
    total_heap_size: heap.total,
    used_heap_size: heap.used,
    external_memory: heap.external,
  }),
  getHeapSpaceStatistics: () => [
    {space_name: 'old_space', space_size: 1e9},
    {space_name: 'new_space', space_size: heap.young},
  ],
  setFlagsFromString: (flag: string) => heap.flags.push(flag),
}));
vi.mock('node:vm', () => ({
  runInNewContext: (code: string) => (options: {type: string; execution: string; flavor: string}) => {
    expect([code, options.type, options.execution]).toEqual(['gc', 'major', 'sync']);
    heap.collected.push(options.flavor);
    heap.external = 0;
    vi.advanceTimersByTime(heap.collectMs);
  },
}));

beforeEach(() => {
  Object.assign(heap, {total: 50 * mb, used: 50 * mb, external: 0, young: 0, collectMs: 0, flags: [], collected: []});
});

// Other tests of this process have the real ones.
afterAll(() => {
  vi.doUnmock('node:v8');
  vi.doUnmock('node:vm');
  vi.resetModules();
});

/** Keeps the heap of a process that has just begun. */
const keep = async (keyAtMs?: () => number): Promise<void> => {
  vi.useFakeTimers({toFake: ['setInterval', 'clearInterval', 'performance', 'Date']});
  onTestFinished(() => void vi.useRealTimers());
  vi.resetModules();
  const {keepHeapSmall} = await import('#cli/io/heap-keeper.ts');
  keepHeapSmall(keyAtMs);
  keepHeapSmall(keyAtMs);
};

const seconds = (count: number): void => {
  vi.advanceTimersByTime(count * 1_000);
};

const growBy = (bytes: number): void => {
  heap.external += bytes;
};

test('a service collects once its heap has grown by 8 MB, and gives back what is free', async () => {
  await keep();
  seconds(5);
  growBy(8 * mb);
  seconds(1);
  expect(heap.collected).toEqual([]);
  growBy(1);
  seconds(1);
  expect(heap.collected).toEqual(['last-resort']);
});

test('a service that collects spends a thousandth of its time on it, unless it has grown by 96 MB', async () => {
  heap.collectMs = 20;
  await keep();
  growBy(9 * mb);
  seconds(1);
  expect(heap.collected).toHaveLength(1);
  growBy(90 * mb);
  seconds(18);
  expect(heap.collected).toHaveLength(1);
  growBy(6 * mb + 1);
  seconds(1);
  expect(heap.collected).toHaveLength(2);
  growBy(9 * mb);
  seconds(19);
  expect(heap.collected).toHaveLength(2);
  seconds(2);
  expect(heap.collected).toHaveLength(3);
});

test('at first more than 8 MB of free heap are given back, and more than 16 MB from then on, every three seconds', async () => {
  await keep();
  heap.used = heap.total - 8 * mb;
  seconds(1);
  expect(heap.collected).toEqual([]);
  heap.used -= 1;
  seconds(1);
  expect(heap.collected).toEqual(['last-resort']);
  seconds(10);
  heap.used = heap.total - 16 * mb;
  seconds(5);
  expect(heap.collected).toHaveLength(1);
  heap.used -= 1;
  seconds(1);
  expect(heap.collected).toHaveLength(2);
  seconds(3);
  expect(heap.collected).toHaveLength(2);
  seconds(1);
  expect(heap.collected).toHaveLength(3);
});

test('what shrank by itself may grow from there', async () => {
  await keep();
  growBy(5 * mb);
  seconds(1);
  heap.external = 0;
  heap.total = heap.used = 40 * mb;
  seconds(1);
  growBy(8 * mb + 1);
  seconds(1);
  expect(heap.collected).toHaveLength(1);
});

test('the young generation of a service may grow to 32 MB', async () => {
  await keep();
  heap.young = 32 * mb - 1;
  seconds(2);
  expect(heap.flags).toEqual([]);
  heap.young += 1;
  seconds(2);
  expect(heap.flags).toEqual(['--semi-space-growth-factor=1', '--heap-growing-percent=0']);
  heap.young -= 1;
  seconds(1);
  expect(heap.flags.slice(2)).toEqual(['--semi-space-growth-factor=2', '--heap-growing-percent=100']);
});

test('while keys are pressed the heap may grow by 96 MB, and gives nothing back for three seconds after', async () => {
  let keyAtMs = Number.NEGATIVE_INFINITY;
  await keep(() => keyAtMs);
  expect(heap.flags).toEqual(['--semi-space-growth-factor=1']);
  keyAtMs = performance.now();
  seconds(1);
  expect(heap.flags.slice(1)).toEqual(['--semi-space-growth-factor=2', '--heap-growing-percent=100']);
  growBy(96 * mb);
  heap.used = 0;
  seconds(1);
  expect(heap.collected).toEqual([]);
  growBy(1);
  seconds(1);
  expect(heap.collected).toEqual(['regular']);
  expect(heap.flags.slice(3)).toEqual(['--expose-gc', '--no-expose-gc']);
  seconds(1);
  expect(heap.flags.slice(5)).toEqual(['--semi-space-growth-factor=1', '--heap-growing-percent=0']);
  expect(heap.collected).toEqual(['regular', 'last-resort']);
});

test('a heap of more than 160 MB is left to V8 while keys are pressed', async () => {
  let keyAtMs = 0;
  await keep(() => keyAtMs);
  heap.total = heap.used = 160 * mb + 1;
  keyAtMs = performance.now() + 10_000;
  seconds(1);
  expect(heap.collected).toEqual([]);
  heap.total = heap.used = 160 * mb;
  seconds(1);
  expect(heap.collected).toEqual(['regular']);
});

test('flags that the executable has are left alone', async () => {
  const before = process.execArgv;
  onTestFinished(() => {
    process.execArgv = before;
  });
  process.execArgv = [...before, '--semi-space-growth-factor=1'];
  await keep(() => performance.now());
  seconds(2);
  expect(heap.flags).toEqual([]);
});

test('the young heap of a command that prints is held at 8 MB until the command ends, and no timer is left', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  vi.resetModules();
  const {capYoungHeap} = await import('#cli/io/heap-keeper.ts');
  const uncap = capYoungHeap();
  heap.young = 8 * mb - 1;
  vi.advanceTimersByTime(1_000);
  expect(heap.flags).toEqual([]);
  heap.young = 8 * mb;
  vi.advanceTimersByTime(5);
  expect(heap.flags).toEqual(['--semi-space-growth-factor=1']);
  heap.young = 4 * mb;
  vi.advanceTimersByTime(1_000);
  expect(heap.flags).toEqual(['--semi-space-growth-factor=1', '--semi-space-growth-factor=2']);
  expect(vi.getTimerCount()).toBe(1);
  uncap();
  expect(vi.getTimerCount()).toBe(0);
});
