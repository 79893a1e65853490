import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {CallError} from '#service/backend/errors.ts';
import type {ContainerLogs, ContainerPlace, LogQuery, LogStreamOptions} from '#service/containers/container-logs.ts';
import {followContainer} from '#service/containers/follow/follow-container.ts';
import type {FollowContainerOptions} from '#service/containers/followed-container.ts';
import {createLogInbox} from '#service/containers/log/log-read.ts';
import {createOpenQueue} from '#service/containers/open-queue.ts';

const startMs = Date.UTC(2026, 10, 22, 12);

const firstPlace: ContainerPlace = {
  namespace: 'shop',
  podName: 'web',
  podUid: 'uid',
  container: 'php',
  containerKind: 'app',
  instanceId: 'one',
  restartCount: 0,
  state: 'running',
  finishedAtMs: undefined,
  isFinished: false,
  podCreatedAtMs: startMs - 60_000,
  isSeenFromStart: true,
};

const textOf = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** Follows a container; each request for its log is answered by the test. */
const follow = async ({
  place: changes = {},
  logs = {},
  ...more
}: Omit<Partial<FollowContainerOptions>, 'place' | 'logs'> & {
  readonly place?: Partial<ContainerPlace>;
  readonly logs?: Partial<ContainerLogs>;
} = {}) => {
  vi.useFakeTimers({now: startMs});
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  const asked: LogQuery[] = [];
  const streams: {
    readonly write: (...texts: readonly string[]) => void;
    readonly send: (text: string) => void;
    readonly end: (error?: CallError) => void;
    isClosed: boolean;
  }[] = [];
  let refusal: CallError | undefined;
  const open = async (_place: ContainerPlace, query: LogQuery, {onData, onEnd}: LogStreamOptions) => {
    asked.push(query);
    if (refusal) {
      throw refusal;
    }
    const stream = {
      send: (text: string): void => onData(Buffer.from(text)),
      write: (...texts: readonly string[]): void => {
        for (const text of texts) {
          onData(Buffer.from(`${formatInstant(instantFromMs(Date.now()))} ${text}\n`));
        }
      },
      end: (error?: CallError): void => onEnd(error),
      isClosed: false,
    };
    streams.push(stream);
    return {
      close: () => {
        stream.isClosed = true;
      },
    };
  };
  const place = {...firstPlace, ...changes};
  const inbox = createLogInbox();
  const followed = followContainer({
    place,
    logs: {whole: 'cluster', readFront: async () => '', open, ...logs},
    queue: createOpenQueue(),
    inbox,
    finds: {count: 0},
    outOfReach: new Set(),
    nowMs: () => Date.now(),
    monotonicMs: () => Date.now() - startMs,
    random: () => 0,
    warn: message => log.push(`(${message})`),
    firstRead: {},
    firstReadMsMax: 10_000,
    firstQuietMs: 100,
    isLate: false,
    shareLines: 100,
    linesMax: 100_000,
    onLines: lines => log.push(...lines.map(({line}) => textOf(line))),
    onHole: why => log.push(`hole: ${why}`),
    onCutFront: why => log.push(`cut: ${why}`),
    onUnread: () => log.push('unread'),
    onClose: () => log.push('closed'),
    ...more,
  });
  onTestFinished(() => followed.close());
  const advance = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    inbox.flush();
  };
  /** As the directory does, about once a second. */
  const live = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await advance(1_000);
      followed.tick();
      await advance(0);
    }
  };
  await advance(0);
  return {
    ...followed,
    log,
    asked,
    streams,
    advance,
    live,
    refuse: (error: CallError | undefined): void => {
      refusal = error;
    },
    set: async (next: Partial<ContainerPlace>): Promise<void> => {
      followed.setPlace({...followed.place(), ...next});
      await advance(0);
    },
  };
};

const notFound = new CallError('status', 'Not found.', {status: 404});
const lost = new CallError('connection', 'The connection was lost.');
const ended = {state: 'terminated', finishedAtMs: startMs} as const;

test('a first read is in once a line comes that was written after it began', async () => {
  const {streams, firstRead, advance} = await follow({firstQuietMs: 5_000});
  let isIn = false;
  void firstRead.then(() => {
    isIn = true;
  });
  streams[0]?.send(`${formatInstant(instantFromMs(startMs - 1_000))} old\n`);
  await advance(4_000);
  expect(isIn).toBe(false);
  streams[0]?.write('new');
  await advance(5_000);
  expect(isIn).toBe(true);
});

test('a first read of a container that has ended is in when its stream ends, however long that takes', async () => {
  const {streams, firstRead, advance, log} = await follow({place: ended, logs: {endsAreProven: true}});
  void firstRead.then(() => log.push('in'));
  const stamp = formatInstant(instantFromMs(startMs - 1_000));
  streams[0]?.send(`${stamp} starting\n${stamp} panic: last words`);
  await advance(1_000);
  expect(log).toEqual(['starting']);
  streams[0]?.end();
  await advance(0);
  expect(log).toEqual(['starting', 'panic: last words', 'in']);
});

describe('the message of a node at the end of a log', () => {
  test.each<readonly [of: string, texts: readonly string[], place: Partial<ContainerPlace>, isTold: boolean]>([
    ['one with lines', ['one'], {}, true],
    ['one that ended, and may start again', [], ended, true],
    ['one that has done its work', [], {...ended, isFinished: true}, false],
    ['one that runs and has no lines, of which answers tell', [], {}, false],
  ])('is a warning for %s', async (_of, texts, place, isTold) => {
    const {streams, log, advance} = await follow({place});
    streams[0]?.write(...texts);
    streams[0]?.send('failed to read\n');
    await advance(0);
    const told = '(The log of pod web, container php, ends with a message from its node: failed to read)';
    expect(log.filter(text => text !== 'closed')).toEqual([...texts, ...(isTold ? [told] : [])]);
  });
});

describe('a container whose pod goes', () => {
  test('is read until it says nothing for three seconds', async () => {
    const {streams, leave, advance, live, log, isClosed, isFinishing} = await follow({isLate: true});
    streams[0]?.write('one');
    leave();
    expect(isFinishing()).toBe(true);
    await live(2);
    streams[0]?.write('two');
    await advance(0);
    await live(2);
    expect(isClosed()).toBe(false);
    await live(1);
    expect([isClosed(), isFinishing(), log, streams[0]?.isClosed]).toEqual([
      true,
      false,
      ['one', 'two', 'unread', 'closed'],
      true,
    ]);
  });

  test('is read for ten seconds, whatever it says', async () => {
    const {streams, leave, live, isClosed} = await follow({isLate: true});
    leave();
    for (let second = 1; second < 10; second += 1) {
      streams[0]?.write('more');
      await live(1);
    }
    expect(isClosed()).toBe(false);
    streams[0]?.write('more');
    await live(1);
    expect(isClosed()).toBe(true);
  });

  test('and comes back is followed on', async () => {
    const {streams, leave, stay, live, isClosed} = await follow();
    streams[0]?.write('one');
    leave();
    stay();
    await live(14);
    expect(isClosed()).toBe(false);
  });

  test('is given up at once when it cannot be found, and what may be lost is told', async () => {
    const {streams, leave, refuse, advance, log, isClosed} = await follow({isLate: true});
    streams[0]?.write('one');
    refuse(notFound);
    leave();
    streams[0]?.end();
    await advance(500);
    expect([isClosed(), log]).toEqual([true, ['one', 'unread', 'closed']]);
  });

  test('gives what was seen to the next pod of its name if that may be of it', async () => {
    const early = await follow();
    early.leave();
    expect(early.handOver({...firstPlace, podCreatedAtMs: startMs})).toBe(early.seen);
    expect(early.isClosed()).toBe(true);
    const later = await follow();
    later.streams[0]?.send(`${formatInstant(instantFromMs(startMs - 60_000))} one\n`);
    later.leave();
    expect(later.handOver({...firstPlace, podCreatedAtMs: startMs})).toBeUndefined();
    expect(later.isClosed()).toBe(false);
    later.streams[0]?.end();
    await later.advance(0);
    expect(later.isClosed()).toBe(true);
    expect(later.asked).toHaveLength(1);
  });
});

describe('a container that has ended', () => {
  test('is read to its end by two reads, and then left alone if it has done its work', async () => {
    const {streams, set, advance, asked, isClosed, isFinishing, log} = await follow({isLate: true});
    streams[0]?.write('one');
    await set({...ended, isFinished: true});
    expect(isFinishing()).toBe(true);
    streams[0]?.end();
    const stamp = formatInstant(instantFromMs(startMs));
    for (const index of [1, 2]) {
      await advance(300);
      expect(isClosed()).toBe(false);
      streams[index]?.send(`${stamp} one\n`);
      await advance(0);
      streams[index]?.end();
      await advance(300);
    }
    expect([isClosed(), isFinishing(), log, asked.length]).toEqual([true, false, ['one', 'closed'], 3]);
  });

  test('is asked for every five minutes while it may start again, and at once when it does', async () => {
    const {streams, set, advance, asked, isClosed} = await follow({place: ended});
    const readAgain = async (index: number): Promise<void> => {
      streams[index]?.send(`${formatInstant(instantFromMs(startMs))} one\n`);
      await advance(0);
      streams[index]?.end();
      await advance(300);
    };
    await readAgain(0);
    await readAgain(1);
    await readAgain(2);
    await advance(299_000);
    expect([asked.length, isClosed()]).toEqual([3, false]);
    await advance(2_000);
    expect(asked).toHaveLength(4);
    await readAgain(3);
    await set({state: 'running', restartCount: 1, instanceId: 'two'});
    expect(asked).toHaveLength(5);
  });

  test('is a loss once it cannot be found for ten seconds, and given up if it has done its work', async () => {
    for (const isFinished of [false, true]) {
      const {streams, set, refuse, live, log, isClosed} = await follow({isLate: true});
      streams[0]?.write('one');
      refuse(notFound);
      streams[0]?.end(lost);
      await set({...ended, isFinished: false});
      await live(2);
      await set({isFinished});
      expect(log).toEqual(['one']);
      await live(11);
      expect([log.filter(text => !text.startsWith('(')), isClosed()]).toEqual([
        isFinished ? ['one', 'unread', 'closed'] : ['one', 'unread'],
        isFinished,
      ]);
    }
  });

  test('has two seconds for its stream to end', async () => {
    const {streams, set, live} = await follow();
    streams[0]?.write('one');
    await set(ended);
    await live(1);
    expect(streams[0]?.isClosed).toBe(false);
    await live(1);
    expect(streams[0]?.isClosed).toBe(true);
  });
});

test('a silent stream is audited after fifteen seconds, and closed if it has missed something', async () => {
  const {streams, live, asked, advance} = await follow();
  streams[0]?.write('one');
  await live(14);
  expect(asked).toHaveLength(1);
  await live(1);
  expect(asked).toEqual([{follow: true}, {tailLines: 1}]);
  const [stream, audit] = streams;
  audit?.write('two');
  audit?.end();
  await advance(0);
  expect(asked).toHaveLength(3);
  streams[2]?.send(`${formatInstant(instantFromMs(startMs))} one\n`);
  streams[2]?.write('two');
  await advance(900);
  expect(stream?.isClosed).toBe(false);
  await advance(400);
  expect(stream?.isClosed).toBe(true);
});

test('a log that cannot be read says so after a while, but not that of an init container that has done its work', async () => {
  const {streams, refuse, live, set, failure, isLive} = await follow();
  refuse(new CallError('status', 'No.', {status: 403}));
  streams[0]?.end(lost);
  await live(12);
  expect([failure(), isLive()]).toEqual([expect.stringContaining('pod web, container php,'), true]);
  await set({containerKind: 'init', isFinished: true});
  expect(failure()).toBeUndefined();
  await set({...ended});
  expect(isLive()).toBe(false);
});

test('where ends are proven, one read is enough', async () => {
  const {streams, set, advance, isClosed, asked} = await follow({logs: {endsAreProven: true}, isLate: true});
  streams[0]?.write('one');
  streams[0]?.end();
  await set({...ended, isFinished: true});
  await advance(300);
  streams[1]?.send(`${formatInstant(instantFromMs(startMs))} one\n`);
  streams[1]?.end();
  await advance(300);
  expect([isClosed(), asked.length]).toEqual([true, 2]);
});

test('after its close nothing comes any more', async () => {
  const {streams, close, log, isClosed, setPlace, leave, tick} = await follow();
  streams[0]?.write('one');
  close();
  close();
  streams[0]?.write('two');
  setPlace({...firstPlace, ...ended});
  leave();
  tick();
  expect([log, isClosed(), streams[0]?.isClosed]).toEqual([['one', 'closed'], true, true]);
});
