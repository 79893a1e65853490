import {once} from 'node:events';
import {type AddressInfo, connect, createServer} from 'node:net';
import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {awaitJoin, createFirstWait, waitAndRead} from '#service/containers/follow/await-read.ts';

/** What happens to a read at some time, in milliseconds. */
type Plan = Readonly<Record<number, 'open' | 'end' | 'active' | 'sent' | 'caught up' | 'held' | 'joined'>>;

const createRead = (plan: Plan = {}) => {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  const happened = new Set<string>();
  let activeMs = 0;
  for (const [ms, event] of Object.entries(plan)) {
    setTimeout(() => {
      happened.add(event);
      activeMs = event === 'open' || event === 'active' ? Date.now() : activeMs;
      if (event === 'open') {
        opened.resolve();
      }
      if (event === 'end') {
        ended.resolve(undefined as never);
      }
    }, Number(ms));
  }
  return {
    has: (event: string) => happened.has(event),
    activeMs: () => activeMs,
    wait: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
    monotonicMs: Date.now,
    read: {
      opened: opened.promise,
      ended: ended.promise,
      isOpen: () => happened.has('open') && !happened.has('end'),
      isEnded: () => happened.has('end'),
      isSent: () => happened.has('sent') || happened.has('open'),
      close: () => undefined,
    },
  };
};

beforeEach(() => {
  vi.useFakeTimers({now: 0});
  onTestFinished(() => void vi.useRealTimers());
});

describe('a read is waited for', () => {
  const joinAt = async (plan: Plan, {canJoin = true, isOverfull = false} = {}): Promise<number> => {
    const {read, has, wait, monotonicMs} = createRead(plan);
    const join = {
      isJoined: () => has('joined'),
      isOverfull: () => isOverfull,
      heldCount: () => Number(has('held')),
    };
    let endMs = Number.NaN;
    void awaitJoin({read, join: join as never, canJoin, isFarBack: false, monotonicMs, wait}).then(() => {
      endMs = Date.now();
    });
    await vi.advanceTimersByTimeAsync(20_000);
    return endMs;
  };

  test.each<readonly [what: string, plan: Plan, ms: number]>([
    ['until it joins', {420: 'joined'}, 450],
    ['five seconds once it was sent', {120: 'sent'}, 5_150],
    ['a fifth of a second once it has unknown lines', {120: 'held'}, 350],
    ['until it ends', {77: 'end'}, 77],
  ])('%s', async (_what, plan, ms) => {
    expect(await joinAt(plan)).toBe(ms);
  });

  test('not at all where it cannot join once it is open, or holds too much', async () => {
    expect(await joinAt({120: 'open'}, {canJoin: false})).toBe(150);
    expect(await joinAt({}, {isOverfull: true}).then(ms => ms - 20_000)).toBe(0);
  });
});

describe('a first read is in', () => {
  const follow = async (plan: Plan, {isInDoubt = false, msMax = 10_000} = {}) => {
    const {read, has, wait, monotonicMs, activeMs} = createRead(plan);
    const log: string[] = [];
    const startedMs = Date.now();
    const note = (what: string) => void log.push(`${what} at ${Date.now() - startedMs}`);
    const first = createFirstWait({quietMs: 100, msMax, monotonicMs, wait, isInDoubt: () => isInDoubt});
    void first.isOver.then(() => note('over'));
    const awaited = {
      read,
      activeMs,
      isCaughtUp: () => has('caught up'),
      settle: async () => {
        note('settled');
        return true;
      },
    };
    void first.follow(awaited);
    await vi.advanceTimersByTimeAsync(20_000);
    return {...first, log, awaited};
  };

  test.each<readonly [what: string, plan: Plan, ms: number]>([
    ['when nothing more comes', {50: 'open', 120: 'active'}, 220],
    ['when it ends', {50: 'open', 60: 'end'}, 60],
    ['when it ends before it opens', {60: 'end'}, 60],
    ['when a line comes that was written after it began', {50: 'open', 70: 'caught up', 140: 'active'}, 150],
  ])('%s', async (_what, plan, ms) => {
    const {log, isIn} = await follow(plan);
    expect([log, isIn()]).toEqual([[`settled at ${ms}`, `over at ${ms}`], true]);
  });

  test('nobody waits more than two seconds for one that was sent, and it is in later', async () => {
    const {log, isIn} = await follow({1: 'sent', 4500: 'open'});
    expect([log, isIn()]).toEqual([['over at 4000', 'settled at 4600'], true]);
  });

  test('nobody waits longer than asked for one that is never sent', async () => {
    expect((await follow({5000: 'end'}, {msMax: 1_500})).log).toEqual(['over at 1500', 'settled at 5000']);
  });

  test('one that goes on and on is in after the longest wait, but one that nobody waits for when it is quiet', async () => {
    const busy = (fromMs: number): Plan => ({
      [fromMs]: 'open',
      ...Object.fromEntries(Array.from({length: 20}, (_, index) => [fromMs + 50 * (index + 1), 'active'])),
    });
    expect((await follow(busy(10), {msMax: 300})).log).toEqual(['settled at 310', 'over at 310']);
    expect((await follow(busy(500), {msMax: 300})).log).toEqual(['over at 300', 'settled at 1600']);
  });

  test('not while a failure may be repaired, and only once', async () => {
    const failing = await follow({60: 'end'}, {isInDoubt: true});
    expect([failing.log, failing.isIn()]).toEqual([[], false]);
    failing.end();
    await vi.advanceTimersByTimeAsync(0);
    expect([failing.log, failing.isIn()]).toEqual([['over at 20000'], false]);
    const done = await follow({60: 'end'});
    await done.follow(done.awaited);
    expect(done.log).toHaveLength(2);
  });
});

test('what came while the processor was busy is read before a wait is over', async () => {
  vi.useRealTimers();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const [[writer]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  const heard: string[] = [];
  client.on('data', bytes => heard.push(String(bytes)));
  const isOver = waitAndRead(1).then(() => heard.push('over'));
  writer.end('line');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  await isOver;
  expect(heard).toEqual(['line', 'over']);
});
