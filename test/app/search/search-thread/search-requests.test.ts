import {describe, expect, test} from 'vitest';
import {createSearchHost} from '#app/search/search-host.ts';
import {
  adaptBatch,
  createJob,
  putBack,
  type SearchAnswer,
  type SearchRequest,
  setWanted,
  takeTask,
} from '#app/search/search-thread/search-queue.ts';
import type {SearchThreadOptions} from '#app/search/search-thread/search-thread.ts';
import {createBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import {type Pattern, parsePattern} from '#log/pattern/parse-pattern.ts';
import {createHeldClock} from './held-clock.ts';

const patternOf = (query: string): Pattern => {
  const pattern = parsePattern(query);
  return 'error' in pattern ? expect.fail(pattern.error) : pattern;
};

/** So many chunks, of one line each or more. */
const chunksOf = (count: number): readonly Chunk[] => {
  const edit = editBuffer(createBuffer(1e9));
  for (let index = 0; index < count * 512; index++) {
    edit.insert({kind: 'line', id: edit.takeId(), at: BigInt(index), raw: `${index}`, textIndex: 0, late: false});
  }
  return edit.finish().chunks.slice(0, count);
};
const chunks = chunksOf(80);

/** A host whose threads are told what to answer, and whose clock stands still. */
const listen = () => {
  const told: string[] = [];
  const clock = createHeldClock();
  const threads: {readonly requests: SearchRequest[]; readonly options: SearchThreadOptions; isEnded: boolean}[] = [];
  const host = createSearchHost({
    clock,
    onMatched: (id, results) =>
      told.push(`matched ${id}: ${results.map(([chunk]) => chunks.indexOf(chunk)).join(' ')}`),
    onFoundSpans: (id, texts, spans) => told.push(`spans ${id}: ${texts.join(' ')} ${JSON.stringify(spans)}`),
    onSlow: id => told.push(`slow ${id}`),
    onFailed: (id, sentence) => told.push(`failed ${id}: ${sentence}`),
    start: options => {
      const thread = {requests: [] as SearchRequest[], options, isEnded: false};
      threads.push(thread);
      return {
        send: request => thread.requests.push(request),
        end: () => {
          thread.isEnded = true;
        },
      };
    },
  });
  const last = () => threads.at(-1) ?? expect.fail('no thread was started');
  const say = (answer: SearchAnswer): void => last().options.onAnswer(answer);
  /** Answers the oldest request that was not answered yet, after so many milliseconds. */
  const answered = new Map<object, number>();
  const reply = (ms = 0): void => {
    const thread = last();
    const index = answered.get(thread) ?? 0;
    answered.set(thread, index + 1);
    const request = thread.requests[index] ?? expect.fail('nothing was asked');
    clock.pass(ms);
    say(
      request.kind === 'match'
        ? {kind: 'matched', offsetsOfChunks: request.chunks.map(() => new Uint16Array())}
        : {kind: 'foundSpans', spansOfTexts: []},
    );
  };
  /** What was asked of the last thread: the number of chunks, or the texts. */
  const asked = (): readonly (number | string)[] =>
    last().requests.map(request =>
      request.kind === 'match' ? request.chunks.length : request.kind === 'findSpans' ? request.texts.join(' ') : '',
    );
  return {host, clock, told, threads, last, say, reply, asked};
};

const ready = {kind: 'ready'} as const;

test('a thread that is started ahead answers the first pattern, and ends if none comes within ten seconds', () => {
  const {host, clock, threads, say, asked} = listen();
  host.prepare();
  say(ready);
  clock.pass(9_999);
  host.match(1, patternOf('x'), chunks);
  expect([threads.length, asked()]).toEqual([1, [1, 1]]);
  host.cancel(1);
  host.prepare();
  expect(threads[0]?.isEnded).toBe(false);
  clock.pass(10_000);
  expect([threads.length, threads[0]?.isEnded]).toEqual([1, true]);
});

describe('requests', () => {
  test('are two at a time; the first are of one chunk, and the faster they are answered the more are asked for', () => {
    const {host, told, say, reply, asked} = listen();
    host.match(1, patternOf('x'), chunks);
    expect(asked()).toEqual([1, 1]);
    say(ready);
    for (let count = 0; count < 7; count++) {
      reply(9);
    }
    expect(asked()).toEqual([1, 1, 2, 4, 8, 16, 32, 16]);
    expect(told.slice(0, 3)).toEqual(['matched 1: 0', 'matched 1: 1', 'matched 1: 2 3']);
    reply(0);
    expect(asked()).toHaveLength(8);
  });

  test('are of as many chunks as before while they take ten to twenty milliseconds, and of half if they take longer', () => {
    const job = createJob(1, patternOf('x'));
    const adapted = (batchChunks: number, tookMs: number): number => {
      job.batchChunks = batchChunks;
      adaptBatch(job, tookMs);
      return job.batchChunks;
    };
    expect([adapted(8, 9.9), adapted(8, 10), adapted(8, 20), adapted(8, 20.1)]).toEqual([16, 8, 8, 4]);
    expect([adapted(32, 0), adapted(20, 0), adapted(1, 50), adapted(3, 50)]).toEqual([32, 32, 1, 1]);
  });

  test('for texts on the screen go before chunks; only the last texts are asked for', () => {
    const {host, told, say, reply, asked} = listen();
    host.match(1, patternOf('x'), chunks);
    host.findSpans(2, patternOf('re:y'), ['one']);
    host.findSpans(2, patternOf('re:y'), ['two']);
    say(ready);
    reply();
    expect(asked()).toEqual([1, 1, 'two']);
    reply();
    reply();
    expect(told).toEqual(['matched 1: 0', 'matched 1: 1', 'spans 2: two []']);
  });

  test('of several patterns take turns', () => {
    const jobs = new Map([1, 2].map(id => [id, {...createJob(id, patternOf('x')), chunks: [...chunks.slice(0, 3)]}]));
    const turns = Array.from({length: 7}, () => takeTask(jobs)?.job.patternId);
    expect(turns).toEqual([1, 2, 1, 2, 1, 2, undefined]);
  });

  test('for chunks that were asked for already are not asked again, and those no longer wanted are dropped', () => {
    const {host, say, reply, told, asked} = listen();
    host.match(1, patternOf('x'), chunks.slice(0, 4));
    host.match(1, patternOf('x'), [chunks[0], chunks[5]] as Chunk[]);
    say(ready);
    for (let count = 0; count < 3; count++) {
      reply();
    }
    expect(told).toEqual(['matched 1: 0', 'matched 1: 1', 'matched 1: 5']);
    expect(asked()).toHaveLength(3);
  });

  test('for another pattern of the same id take the place of the first, whose answers are dropped', () => {
    const {host, say, reply, told, last} = listen();
    host.match(1, patternOf('x'), chunks.slice(0, 2));
    host.match(1, patternOf('y'), chunks.slice(0, 1));
    say(ready);
    reply();
    reply();
    reply();
    expect(told).toEqual(['matched 1: 0']);
    expect(last().requests.map(({pattern}) => pattern.query)).toEqual(['x', 'x', 'y']);
  });

  test('that are put back come first', () => {
    const job = {...createJob(1, patternOf('x')), chunks: [...chunks.slice(2, 4)]};
    putBack({kind: 'match', job, engine: 'fast', chunks: chunks.slice(0, 2)});
    expect(job.chunks).toEqual(chunks.slice(0, 4));
    putBack({kind: 'findSpans', job, engine: 'fast', texts: ['old']});
    expect(job.texts).toEqual(['old']);
    putBack({kind: 'findSpans', job, engine: 'fast', texts: ['older']});
    expect(job.texts).toEqual(['old']);
    setWanted(job, chunks.slice(0, 3), [
      {kind: 'match', job, engine: 'fast', chunks: chunks.slice(1, 2)},
      {kind: 'match', job: createJob(1, patternOf('x')), engine: 'fast', chunks: chunks.slice(0, 1)},
      {kind: 'findSpans', job, engine: 'fast', texts: []},
    ]);
    expect(job.chunks).toEqual([chunks[0], chunks[2]]);
  });

  test('that bring no offsets for a chunk have none', () => {
    const results: number[] = [];
    const {clock} = listen();
    let answer: SearchThreadOptions['onAnswer'] = () => {};
    const host = createSearchHost({
      clock,
      onMatched: (_, matched) => results.push(...matched.map(([, offsets]) => offsets.length)),
      onFoundSpans: () => {},
      onFailed: () => {},
      start: ({onAnswer}) => {
        answer = onAnswer;
        return {send: () => {}, end: () => {}};
      },
    });
    host.match(1, patternOf('x'), chunks.slice(0, 1));
    answer({kind: 'matched', offsetsOfChunks: []});
    expect(results).toEqual([0]);
  });
});

describe('a pattern that takes too long', () => {
  test('for the fast engine goes on in the slow one after a quarter of a second, in a new thread', () => {
    const {host, clock, say, told, threads, asked, last} = listen();
    host.match(1, patternOf('re:(a+)+$'), chunks.slice(0, 5));
    // The deadline begins when the thread does.
    clock.pass(1000);
    say(ready);
    clock.pass(249);
    expect([told, threads.length]).toEqual([[], 1]);
    clock.pass(1);
    expect(told).toEqual(['slow 1']);
    expect(threads.map(({isEnded}) => isEnded)).toEqual([true, false]);
    expect(asked()).toEqual([1, 1]);
    expect(last().requests.map(({engine}) => engine)).toEqual(['linear', 'linear']);
    expect(last().requests[0]?.kind).toBe('match');
  });

  test('for the slow one too is cancelled after five seconds', () => {
    const {host, clock, say, told, threads} = listen();
    host.match(1, patternOf('re:(a+)+$'), chunks.slice(0, 1));
    say(ready);
    clock.pass(250);
    say(ready);
    clock.pass(4999);
    expect(told).toEqual(['slow 1']);
    clock.pass(1);
    expect(told[1]).toBe(
      'failed 1: The search for "re:(a+)+$" was cancelled: it takes longer than 5000 ms for a few lines.',
    );
    expect(threads).toHaveLength(2);
    // The thread is gone; nothing ticks on.
    clock.pass(60_000);
    expect(told).toHaveLength(2);
  });

  test('has its deadline for each request anew', () => {
    const {host, clock, say, reply, told} = listen();
    host.match(1, patternOf('x'), chunks);
    say(ready);
    clock.pass(200);
    reply();
    clock.pass(200);
    reply();
    clock.pass(225);
    expect(told.filter(words => words.startsWith('slow'))).toEqual([]);
    clock.pass(25);
    expect(told.at(-1)).toBe('slow 1');
  });

  test('holds up no other one', () => {
    const {host, clock, say, reply, told} = listen();
    host.match(1, patternOf('re:(a+)+$'), chunks.slice(0, 1));
    host.match(2, patternOf('x'), chunks.slice(0, 1));
    say(ready);
    clock.pass(250);
    say(ready);
    reply();
    reply();
    expect(told).toEqual(['slow 1', 'matched 1: 0', 'matched 2: 0']);
  });

  test('and was cancelled meanwhile is not told of', () => {
    const {host, clock, say, told, threads} = listen();
    host.match(1, patternOf('re:(a+)+$'), chunks.slice(0, 1));
    say(ready);
    host.cancel(1);
    clock.pass(250);
    expect(told).toEqual([]);
    expect(threads[0]?.isEnded).toBe(true);
  });
});

describe('a pattern that an engine refuses', () => {
  test('goes on in the other one, with what was asked', () => {
    const {host, say, reply, told, last} = listen();
    host.match(1, patternOf('x'), chunks.slice(0, 2));
    say(ready);
    say({kind: 'refused', reason: 'stack'});
    expect(told).toEqual(['slow 1']);
    say({kind: 'refused', reason: 'stack'});
    expect(told).toEqual(['slow 1']);
    expect(
      last()
        .requests.slice(2)
        .map(({engine}) => engine),
    ).toEqual(['linear', 'linear']);
    // The next answers are those of the last two requests.
    reply();
    expect(told.at(-1)).toMatch(/^matched 1: \d$/);
  });

  test('fails if both do', () => {
    const {host, say, told} = listen();
    host.match(1, patternOf('re:(?=x)'), chunks.slice(0, 1));
    say(ready);
    say({kind: 'refused', reason: 'stack'});
    say({kind: 'refused', reason: 'no look-ahead'});
    expect(told).toEqual([
      'slow 1',
      'failed 1: The search for "re:(?=x)" was cancelled: stack, and the engine that is never kept busy can\'t express it (no look-ahead).',
    ]);
  });
});

describe('a thread', () => {
  test('that never started fails every pattern', () => {
    const {host, last, told, threads} = listen();
    host.match(1, patternOf('x'), chunks.slice(0, 1));
    host.match(2, patternOf('y'), chunks.slice(0, 1));
    last().options.onBroken('no memory');
    expect(told).toEqual([
      'failed 1: The search for "x" was cancelled: its thread failed (no memory).',
      'failed 2: The search for "y" was cancelled: its thread failed (no memory).',
    ]);
    expect(threads).toHaveLength(1);
  });

  test('that breaks down later fails the pattern that it was at, and the others go on in a new one', () => {
    const {host, last, say, reply, told, threads} = listen();
    host.match(1, patternOf('x'), chunks.slice(0, 1));
    host.match(2, patternOf('y'), chunks.slice(0, 1));
    say(ready);
    last().options.onBroken('it ended with 1');
    expect(told).toEqual(['failed 1: The search for "x" was cancelled: its thread failed (it ended with 1).']);
    expect(threads).toHaveLength(2);
    say(ready);
    reply();
    expect(told.at(-1)).toBe('matched 2: 0');
  });

  test('ends ten seconds after its last pattern, unless another one comes', () => {
    const {host, clock, threads, say, reply, told} = listen();
    host.match(1, patternOf('x'), chunks.slice(0, 1));
    say(ready);
    reply();
    host.cancel(1);
    clock.pass(9_999);
    host.match(2, patternOf('y'), chunks.slice(0, 1));
    clock.pass(0);
    expect(threads.map(({isEnded}) => isEnded)).toEqual([false]);
    reply();
    clock.pass(60_000);
    expect([threads.length, threads[0]?.isEnded, told.length]).toEqual([1, false, 2]);
    host.cancel(2);
    clock.pass(9_999);
    expect(threads[0]?.isEnded).toBe(false);
    clock.pass(1);
    expect(threads[0]?.isEnded).toBe(true);
    host.match(3, patternOf('z'), chunks.slice(0, 1));
    expect(threads).toHaveLength(2);
  });

  test('ends at once when the host is closed, and nothing is asked for any more', () => {
    const {host, clock, threads, told} = listen();
    host.match(1, patternOf('x'), chunks);
    host.close();
    expect(threads[0]?.isEnded).toBe(true);
    clock.pass(60_000);
    expect([told, threads.length]).toEqual([[], 1]);
  });

  test('is not needed for nothing', () => {
    const {host, threads} = listen();
    host.match(1, patternOf('x'), []);
    expect(threads).toHaveLength(0);
  });
});
