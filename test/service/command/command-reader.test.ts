import {expect, test} from 'vitest';
import {formatInstant} from '#log/line/instant.ts';
import {createCommandReader} from '#service/command/command-source.ts';
import {createSourceContext} from '../source-context.ts';

const open = async (options: Parameters<typeof createSourceContext>[0] = {}) => {
  const source = createSourceContext(options);
  const reader = createCommandReader(['print'], source.context);
  await reader.start();
  const begin = (outcome?: string) => {
    const run = reader.beginRun(outcome);
    return {
      ...run,
      print: (text: string, hasMore = false) => run.take(Buffer.from(text), {hasMore, atEnd: false}),
      end: (text = '') => run.take(Buffer.from(text), {hasMore: false, atEnd: true}),
    };
  };
  const cursor = () => source.written.flatMap(({cursors}) => cursors).at(-1)?.cursor;
  return {...source, begin, cursor};
};

const at = (second: number, text = 'x'): string => `2024-12-31T23:00:0${second}Z ${text}\n`;
const lineAt = (second: number, text = 'x'): string => at(second, text).trimEnd();

const gap = (outcome: string): string => `(the command ${outcome} and did not repeat its last line)`;

test('a first run is taken whole, and joins nothing', async () => {
  const {begin, story, written} = await open();
  const run = begin();
  expect(run.command).toEqual(['print']);
  expect(written.map(({startedPodKeys}) => startedPodKeys)).toEqual([[1]]);
  run.print(`${at(1)}no time\n`);
  run.settle();
  expect(story()).toEqual([lineAt(1), 'no time']);
});

test('the next run proves by a line that it repeats that none is missing', async () => {
  const {begin, story, written} = await open();
  begin().print(at(1) + at(2));
  const next = begin('ended with exit code 0');
  next.print(at(2) + at(3));
  next.settle();
  expect(story()).toEqual([lineAt(1), lineAt(2), lineAt(3)]);
  expect(written.filter(({startedPodKeys}) => startedPodKeys.length > 0)).toHaveLength(1);
});

test('a run that repeats none has a gap before it, that says how the run before it ended', async () => {
  const {begin, story} = await open();
  begin().print(at(1));
  begin('ended with exit code 3').print(at(5));
  const restarted = begin();
  restarted.print(at(8));
  restarted.print(at(9));
  expect(story()).toEqual([
    lineAt(1),
    gap('ended with exit code 3'),
    lineAt(5),
    gap('was restarted'),
    lineAt(8),
    lineAt(9),
  ]);
});

test('a run that prints nothing has a gap once it had the time to, and one is enough until there are lines', async () => {
  const {begin, story} = await open();
  begin().print(at(1));
  const silent = begin('ended with exit code 0');
  expect(story()).toEqual([lineAt(1)]);
  silent.settle();
  silent.settle();
  expect(story()).toEqual([lineAt(1), gap('ended with exit code 0')]);
  begin('ended with exit code 0').settle();
  expect(story()).toHaveLength(2);
  silent.print(at(5));
  begin('ended with exit code 1').settle();
  expect(story()).toEqual([lineAt(1), gap('ended with exit code 0'), lineAt(5), gap('ended with exit code 1')]);
});

test('lines without a time at the beginning wait until it is known whether they were there', async () => {
  const {begin, story} = await open();
  begin().print(`${at(1)}  at\n`);
  const next = begin('ended with exit code 0');
  next.print('  at\n');
  expect(story()).toHaveLength(2);
  next.end();
  expect(story()).toEqual([lineAt(1), '  at', gap('ended with exit code 0'), '  at']);
});

test('lines that come late are stamped by their run alone', async () => {
  const {begin, sink} = await open();
  begin().print(at(5));
  begin('ended').print(at(5) + at(3, 'late'));
  const stamps = sink.window.lines().map(({stamp}) => formatInstant(stamp).slice(17, 19));
  expect(stamps).toEqual(['03', '05']);
});

test('a line without its end is shown as it stands, and then its rest', async () => {
  const {begin, story, cursor} = await open();
  const run = begin();
  run.print(`${at(1)}un`);
  expect(story()).toEqual([lineAt(1)]);
  run.settle();
  run.settle();
  expect([story(), cursor()]).toEqual([[lineAt(1), 'un'], '[2]']);
  run.print('fin');
  run.settle();
  expect(story()).toEqual([lineAt(1), 'un']);
  run.print('ished\nnext\n');
  expect([story(), cursor()]).toEqual([[lineAt(1), 'un', 'finished', 'next'], '[2]']);
});

test('where only the end of such a line comes, nothing more is shown, and it is whole again', async () => {
  const {begin, story, cursor} = await open();
  const run = begin();
  run.print('whole');
  run.settle();
  expect(cursor()).toBe('[1]');
  run.print('\n');
  expect([story(), cursor()]).toEqual([['whole'], '[]']);
});

test('a torn last line is remembered as one, and its rest is what the next run adds', async () => {
  const {begin, story, cursor} = await open();
  begin().end(`${at(1)}${lineAt(2, 'to')}`);
  expect(cursor()).toBe('[2]');
  begin('ended with exit code 0').print(`${at(1)}${at(2, 'torn')}${at(3)}`);
  expect(story()).toEqual([lineAt(1), lineAt(2, 'to'), 'rn', lineAt(3)]);
});

test('a run that ends with a whole line leaves none torn', async () => {
  const {begin, story, cursor} = await open();
  const run = begin();
  run.print(at(1));
  run.end();
  expect([story(), cursor()]).toEqual([[lineAt(1)], undefined]);
});

test('a hundred lines without their end are remembered', async () => {
  const {begin, cursor} = await open();
  const run = begin();
  for (let count = 0; count < 101; count += 1) {
    run.print(`${count}`);
    run.settle();
    run.print('.\n');
  }
  const parts: readonly number[] = JSON.parse(cursor() ?? '[]');
  expect([parts.length, parts[0], parts.at(-1)]).toEqual([100, 3, 201]);
});

test('a restart of the service knows what the run repeats, in two parts or whole', async () => {
  const lines = [lineAt(1), lineAt(2, 'to'), 'rn', lineAt(3)];
  const {begin, story} = await open({isOld: true, lines, cursor: '[2]'});
  begin().print(`${at(2, 'torn')}${at(3)}${at(4)}`);
  expect(story()).toEqual([...lines, lineAt(4)]);
});

test('a torn line at the end is completed after a restart', async () => {
  const lines = [lineAt(1), lineAt(2, 'to')];
  const {begin, story} = await open({isOld: true, lines, cursor: '[2]'});
  begin().print(`${at(1)}${at(2, 'torn')}`);
  expect(story()).toEqual([...lines, 'rn']);
});

test('what a state says of parts must be numbers', async () => {
  const lines = [lineAt(1)];
  const {begin, story} = await open({isOld: true, lines, cursor: '{"1": 1}'});
  begin().print(at(1) + at(2));
  expect(story()).toEqual([lineAt(1), lineAt(2)]);
});

test('without its state, a service begins behind a gap, with what the command prints', async () => {
  const {begin, story} = await open({isAnew: true});
  const run = begin();
  run.print(at(1) + at(2));
  run.print(at(3));
  expect(story()).toEqual([
    '(the service could not store what it had read before it was restarted)',
    lineAt(1),
    lineAt(2),
    lineAt(3),
  ]);
});

test('while more follows nothing is written, until the run has caught up or ends', async () => {
  const {begin, written} = await open();
  const run = begin();
  run.print(at(1), true);
  expect(written).toHaveLength(1);
  run.caughtUp();
  expect(written.at(-1)?.changes.added).toHaveLength(1);
  run.caughtUp();
  expect(written).toHaveLength(2);
  run.print(at(2), true);
  run.end();
  expect(written.at(-1)?.changes.added).toHaveLength(1);
});

test('after a pause, a line without a time has that of its reading', async () => {
  const {begin, sink, skip} = await open();
  const run = begin();
  run.print(at(1));
  run.caughtUp();
  skip(1_000);
  run.print('  at\n');
  expect(sink.window.lines().map(({stamp}) => formatInstant(stamp).slice(0, 19))).toEqual([
    '2024-12-31T23:00:01',
    '2025-01-01T00:00:01',
  ]);
});

test('a line of more than 64 KB is truncated, however it comes', async () => {
  const {begin, story} = await open();
  const run = begin();
  for (let count = 0; count < 5; count += 1) {
    run.print('x'.repeat(30_000));
  }
  run.print('\nnext\n');
  expect(story()).toEqual([`${'x'.repeat(65_536)} … (truncated at 64 KB)`, 'next']);
});
