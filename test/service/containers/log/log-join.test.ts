import {expect, test} from 'vitest';
import {CallError} from '#service/backend/errors.ts';
import type {LogQuery} from '#service/containers/container-logs.ts';
import {createLogJoin} from '#service/containers/log/log-join.ts';
import {createLogInbox, type LogReadEnd, startLogRead} from '#service/containers/log/log-read.ts';
import {createRestTaker, createSeenLines} from '#service/containers/log/seen-lines.ts';
import {createOpenQueue} from '#service/containers/open-queue.ts';

const second = 1_000_000_000;
const line = (nanos: number, text = `line ${nanos}`) => ({stamp: BigInt(nanos), line: text});

const see = (...nanos: readonly number[]) => {
  const seen = createSeenLines();
  for (const each of nanos) {
    seen.add(line(each));
  }
  return seen;
};

const takenBy = (join: ReturnType<typeof createLogJoin>, ...nanos: readonly number[]): readonly number[] =>
  join.take(nanos.map(each => line(each))).map(({stamp}) => Number(stamp));

test('a first read joins nothing: all of its lines are new', () => {
  const seen = see();
  const join = createLogJoin(seen, {isFirst: true});
  expect([join.isJoined(), takenBy(join, 1, 2), join.newCount(), seen.last()?.stamp]).toEqual([true, [1, 2], 2, 2n]);
});

test('a read is joined by the last line seen, and what follows is new', () => {
  const join = createLogJoin(see(1, 2, 3), {isFirst: false});
  expect([takenBy(join, 2), join.isJoined()]).toEqual([[], false]);
  expect([takenBy(join, 3, 4), join.isJoined(), takenBy(join, 5), join.newCount()]).toEqual([[4], true, [5], 2]);
});

test('lines before the last one seen were skipped by the stream, if they are of a time that is remembered', () => {
  const seen = see(10 * second, 20 * second);
  const join = createLogJoin(seen, {isFirst: false});
  expect(takenBy(join, 1 * second, 19 * second)).toEqual([]);
  expect([join.heldCount(), join.firstHeld()]).toEqual([2, `line ${second}`]);
  expect(takenBy(join, 20 * second, 21 * second)).toEqual([19 * second, 21 * second]);
  expect([join.heldCount(), join.newCount(), seen.last()?.stamp]).toEqual([0, 2, BigInt(21 * second)]);
});

test('a read that is settled on other grounds gives out what it held, but for what came meanwhile', () => {
  const seen = see(1 * second, 2 * second);
  const join = createLogJoin(seen, {isFirst: false});
  takenBy(join, 5 * second, 6 * second);
  // Another read brought the first of them.
  const came = line(5 * second);
  seen.add(came);
  expect(join.settle([came]).map(({stamp}) => Number(stamp))).toEqual([6 * second]);
  expect([join.isJoined(), join.heldCount(), takenBy(join, 5 * second, 7 * second)]).toEqual([
    true,
    0,
    [5 * second, 7 * second],
  ]);
});

test('once lines are far past those seen, none is compared any more', () => {
  const seen = see(1 * second);
  const join = createLogJoin(seen, {isFirst: false});
  join.settle([]);
  expect(takenBy(join, 1 * second, 100 * second, 1 * second)).toEqual([100 * second, 1 * second]);
});

test('two equal lines of one nanosecond are two', () => {
  const seen = see(1, 1);
  const join = createLogJoin(seen, {isFirst: false});
  expect(takenBy(join, 1)).toEqual([]);
  expect(join.isJoined()).toBe(false);
  expect([takenBy(join, 1, 1), join.isJoined()]).toEqual([[1], true]);
});

test('a read begins two whole seconds before the last line seen, unless no time is known', () => {
  const seen = createSeenLines();
  expect(seen.since()).toBeUndefined();
  seen.add(line(1.5 * second));
  expect(seen.since()).toBe('1970-01-01T00:00:00Z');
  seen.add(line(10.5 * second));
  expect(seen.since()).toBe('1970-01-01T00:00:08Z');
  seen.noteClockBack();
  expect(seen.since()).toBeUndefined();
});

const clean = (...texts: readonly string[]): LogReadEnd => ({
  kind: 'clean',
  rest: texts.map((text, index) => line(index, text)),
});

test('a last line without its end is taken once two reads end with it', () => {
  const take = createRestTaker(see());
  const taken: string[] = [];
  const rest = (end: LogReadEnd) => take(end, lines => taken.push(...lines.map(each => each.line)));
  expect([rest(clean()), rest(clean('a')), rest(clean('ab')), taken]).toEqual([true, false, false, []]);
  expect([rest(clean('ab')), taken]).toEqual([true, ['ab']]);
  expect([rest({kind: 'closed'}), rest(clean('x', 'y'))]).toEqual([true, false]);
});

test('one that was seen is taken at once', () => {
  const seen = createSeenLines();
  seen.add(line(0, 'a'));
  const taken: string[] = [];
  expect([createRestTaker(seen)(clean('a'), lines => taken.push(...lines.map(each => each.line))), taken]).toEqual([
    true,
    ['a'],
  ]);
  expect(createRestTaker(seen)(clean('a', 'b'), () => undefined)).toBe(false);
});

const nextTurn = () => new Promise(resolve => setImmediate(resolve));

test('requests beyond a bound wait their turn, in their order, and whoever gives up leaves the queue', async () => {
  const queue = createOpenQueue({openingMax: 1, placeMsMax: 60_000});
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const never = new AbortController().signal;
  const run = (name: string, signal = never) =>
    queue.run(async () => {
      begun.push(name);
      await new Promise<void>(resolve => ends.push(resolve));
      return name;
    }, signal);
  const first = run('first');
  const control = new AbortController();
  const second = run('second', control.signal);
  const third = run('third');
  await nextTurn();
  expect(begun).toEqual(['first']);
  control.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  ends[0]?.();
  expect(await first).toBe('first');
  await nextTurn();
  expect(begun).toEqual(['first', 'third']);
  ends[1]?.();
  await third;
  const fourth = run('fourth');
  await nextTurn();
  expect(begun).toContain('fourth');
  ends[2]?.();
  await fourth;
  await expect(run('fifth', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  expect(begun).not.toContain('fifth');
});

test('a request that fails, or is slow, gives its place to the next', async () => {
  const queue = createOpenQueue({openingMax: 1, placeMsMax: 1});
  const never = new AbortController().signal;
  await expect(queue.run(() => Promise.reject(new Error('failed')), never)).rejects.toThrow('failed');
  void queue.run(() => new Promise(() => undefined), never);
  expect(await queue.run(async () => 'next', never)).toBe('next');
});

type Given = {
  readonly onData: (bytes: Buffer, stream?: 'stdout' | 'stderr') => void;
  readonly onEnd: (error: CallError | undefined) => void;
};

const read = async (options: {readonly mayWait?: () => boolean; readonly fails?: Error} = {}) => {
  let given: Given | undefined;
  const log: string[] = [];
  const asked: LogQuery[] = [];
  const inbox = createLogInbox();
  const started = startLogRead({
    logs: {
      whole: 'cluster',
      open: async (_place, query, handlers) => {
        asked.push(query);
        if (options.fails) {
          throw options.fails;
        }
        given = handlers;
        return {close: () => void log.push('closed')};
      },
      readFront: async () => '',
    },
    queue: createOpenQueue(),
    inbox,
    place: {} as never,
    query: {follow: true},
    front: {isCut: false, dropsFirst: false},
    onOpen: () => log.push('open'),
    ...(options.mayWait && {mayWait: options.mayWait}),
    onLines: lines => log.push(...lines.map(each => each.line.slice(31))),
  });
  await nextTurn();
  const send = (text: string, stream?: 'stdout' | 'stderr') => given?.onData(Buffer.from(text), stream);
  const end = (error?: CallError) => given?.onEnd(error);
  return {...started, log, asked, send, end, inbox};
};

const stamped = (text: string): string => `2026-11-22T12:00:00.000000000Z ${text}`;

test('a read passes on lines as they come, and its end', async () => {
  const {log, asked, send, end, ended, isOpen, isEnded, isSent, opened} = await read();
  await opened;
  expect([asked, isOpen(), isSent(), isEnded()]).toEqual([[{follow: true}], true, true, false]);
  send(`${stamped('one')}\n${stamped('tw')}`);
  send(`o\n${stamped('rest')}`);
  end();
  expect(await ended).toMatchObject({kind: 'clean', rest: [{line: stamped('rest')}]});
  expect([log, isOpen(), isEnded()]).toEqual([['open', 'one', 'two', 'closed'], false, true]);
  send(`${stamped('late')}\n`);
  expect(log).not.toContain('late');
});

test('each stream of a log has unfinished lines of its own', async () => {
  const {log, send} = await read();
  send(stamped('o'), 'stdout');
  send(stamped('e'), 'stderr');
  send('ut\n', 'stdout');
  send('rr\n', 'stderr');
  expect(log).toEqual(['open', 'out', 'err']);
});

test('a sentence of the node ends a read, with lines before it or without', async () => {
  const bare = await read();
  bare.send('unable to retrieve container logs\n');
  expect(await bare.ended).toEqual({kind: 'fault', sentence: 'unable to retrieve container logs', hasLines: false});
  const after = await read();
  after.send(`${stamped('one')}\nfailed to read\n`);
  expect(await after.ended).toEqual({kind: 'fault', sentence: 'failed to read', hasLines: true});
  const atEnd = await read();
  atEnd.send('failed to read');
  atEnd.end();
  expect(await atEnd.ended).toEqual({kind: 'fault', sentence: 'failed to read', hasLines: false});
});

test('a read that fails has its error, before it opens and after', async () => {
  const error = new CallError('status', 'No.', {status: 403});
  const before = await read({fails: error});
  expect([await before.ended, before.isOpen(), before.log]).toEqual([{kind: 'failed', error}, false, []]);
  const odd = await read({fails: new Error('EIO: i/o error, read')});
  expect(await odd.ended).toMatchObject({kind: 'failed', error: {kind: 'body', message: 'i/o error.'}});
  const after = await read();
  after.end(error);
  after.end();
  expect(await after.ended).toEqual({kind: 'failed', error});
});

test('a read that is closed by us ends so', async () => {
  const {close, ended, log, send} = await read();
  close();
  send(`${stamped('late')}\n`);
  expect([await ended, log]).toEqual([{kind: 'closed'}, ['open', 'closed']]);
});

test('lines that may wait are passed on together, and before those that may not', async () => {
  let mayWait = true;
  const {log, send, inbox} = await read({mayWait: () => mayWait});
  send(`${stamped('one')}\n`);
  expect(log).toEqual(['open']);
  inbox.flush();
  expect(log).toEqual(['open', 'one']);
  send(`${stamped('two')}\n`);
  mayWait = false;
  send(`${stamped('three')}\n`);
  expect(log).toEqual(['open', 'one', 'two', 'three']);
});
