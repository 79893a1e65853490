import {expect, test} from 'vitest';
import {type ByteFeed, readStream, type StreamOpening} from '#service/files/opened/stream-source.ts';
import {createSourceContext} from '../../source-context.ts';

const openStream = () => {
  const setup = createSourceContext();
  let opening: StreamOpening | undefined;
  let isStopped = false;
  let bytes = Buffer.alloc(0);
  let hasMore = false;
  let outcome: string | undefined;
  let wakes = 0;
  const heads: (readonly [length: number, endsHere: boolean])[] = [];
  const feed: ByteFeed = {
    takeOutput: () => {
      const taken = {bytes, hasMore};
      bytes = Buffer.alloc(0);
      return taken;
    },
    outcome: () => outcome,
    stop: async () => {
      isStopped = true;
    },
  };
  const source = readStream('stream', given => {
    opening = given;
    return feed;
  }).open({
    ...setup.context,
    sink: {
      ...setup.sink,
      take: (stream, lines, options) => {
        heads.push([options?.head?.length ?? 0, options?.endsHere ?? false]);
        setup.sink.take(stream, lines, options);
      },
    },
    wake: () => {
      wakes += 1;
    },
  });
  return {
    ...setup,
    source,
    heads,
    opening: () => opening,
    wakes: () => wakes,
    isStopped: () => isStopped,
    give: (text: string | Buffer, more = false): Promise<boolean> => {
      bytes = Buffer.from(text);
      hasMore = more;
      return source.turn();
    },
    end: (words: string): void => {
      outcome = words;
    },
  };
};

test('a stream is opened at its first turn, and read until it ends', async () => {
  const {source, opening, give, end, story, isStopped} = openStream();
  await source.start();
  expect(opening()).toBeUndefined();
  expect(await give('one\ntw', true)).toBe(true);
  expect(await give('o\nrest')).toBe(false);
  expect([story(), source.outcome?.()]).toEqual([['one', 'two'], undefined]);
  end('ended');
  expect(await give(' of it')).toBe(false);
  expect([story(), source.outcome?.()]).toEqual([['one', 'two', 'rest of it'], 'ended']);
  await give('more\n', true);
  expect([await source.turn(), story().length]).toEqual([false, 3]);
  await source.close();
  expect(isStopped()).toBe(true);
});

test('its beginning is kept as far as a fingerprint goes', async () => {
  const {give, end, heads} = openStream();
  await give('a'.repeat(100));
  await give('b'.repeat(600));
  await give('c'.repeat(600));
  end('ended');
  await give('');
  expect(heads).toEqual([
    [100, false],
    [512, false],
    [512, false],
    [512, true],
  ]);
});

test('what a command says beside its output are lines of their own, and their last one comes with the end', async () => {
  const {give, end, opening, story, wakes, sink} = openStream();
  await give('out\n');
  opening()?.wake();
  opening()?.onErrorOutput(Buffer.from('wrong\nagain'));
  expect([story(), wakes()]).toEqual([['out', 'wrong'], 2]);
  end('ended');
  await give('rest');
  expect(story()).toEqual(['out', 'wrong', 'rest', 'again']);
  expect(sink.window.lines().map(({source: {stream}}) => stream)).toEqual([undefined, 'stderr', undefined, 'stderr']);
});

test('what comes before all that was there has been read is old, and what comes after is of now', async () => {
  const {give, sink, skip, context} = openStream();
  await give('old\n');
  await give('');
  skip(60_000);
  await give('new\n');
  const [, second] = sink.window.lines();
  expect(second?.stamp).toBe(context.now());
});

test('letters that a printer would strike over each other are one', async () => {
  const {give, story} = openStream();
  await give('_\bn_\ba_\bm_\be is b\bbo\bold, and a_b is not\n');
  expect(story()).toEqual(['name is bold, and a_b is not']);
});

test('a stream of nothing but NUL bytes is warned of at its end', async () => {
  const blank = openStream();
  blank.end('ended');
  await blank.give(Buffer.alloc(100));
  expect(blank.warnings).toEqual([expect.stringContaining('app')]);
  const other = openStream();
  await other.give(Buffer.alloc(100));
  other.end('ended');
  await other.give('text\n');
  expect(other.warnings).toEqual([]);
});
