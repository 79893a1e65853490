import {expect, test} from 'vitest';
import {formatInstant} from '#log/line/instant.ts';
import {
  type ContainerLine,
  type HeldPieces,
  joinContainerLine,
  parseContainerLine,
  releaseHeldPieces,
} from '#service/window/container-line.ts';

const parse = (line: string): ContainerLine => {
  const parsed = parseContainerLine(line);
  if (!parsed) {
    throw new Error(`not a container line: ${line}`);
  }
  return parsed;
};

test.each([
  ['2025-01-02T03:04:05.123456789Z stdout F hello world', '2025-01-02T03:04:05.123456789Z', 'hello world'],
  ['2025-01-02T03:04:05.5+01:00 stderr F x', '2025-01-02T02:04:05.500000000Z', 'x'],
  ['2025-01-02T03:04:05Z stdout F ', '2025-01-02T03:04:05.000000000Z', ''],
  ['2025-01-02T03:04:05Z stdout F', '2025-01-02T03:04:05.000000000Z', ''],
  ['2025-01-02T03:04:05Z stdout F  two blanks', '2025-01-02T03:04:05.000000000Z', ' two blanks'],
  ['2025-01-02T03:04:05Z stdout F:tag text', '2025-01-02T03:04:05.000000000Z', 'text'],
  [
    '{"log":"hello \\"you\\"\\n","stream":"stdout","time":"2025-01-02T03:04:05.5Z"}',
    '2025-01-02T03:04:05.500000000Z',
    'hello "you"',
  ],
  [
    '{"log":"x\\n","stream":"stderr","attrs":{"tag":"a"},"time":"2025-01-02T03:04:05Z"}',
    '2025-01-02T03:04:05.000000000Z',
    'x',
  ],
  ['{"log":"\\n","stream":"stdout","time":"2025-01-02T03:04:05Z"}', '2025-01-02T03:04:05.000000000Z', ''],
])('reads %s', (line, stamp, text) => {
  const parsed = parse(line);
  expect([formatInstant(parsed.stamp), parsed.text]).toEqual([stamp, text]);
});

test.each([
  '10.0.0.1 - - [02/Jan/2025:03:04:05 +0000] "GET / HTTP/1.1" 200 5',
  '2025-01-02T03:04:05Z stdin F x',
  '2025-01-02T03:04:05Z stdout G x',
  '2025-01-02T03:04:05Z stdout Fx',
  '2025-02-30T03:04:05Z stdout F no such day',
  '9999-01-02T03:04:05Z stdout F past the integers of the state',
  '2025-01-02T03:04:05 stdout F no zone',
  '{"log":"no stream\\n","time":"2025-01-02T03:04:05Z"}',
  '{"log":"other stream\\n","stream":"stdin","time":"2025-01-02T03:04:05Z"}',
  '{"log":"no time\\n","stream":"stdout"}',
  '{"log":"past the integers of the state\\n","stream":"stdout","time":"9999-01-02T03:04:05Z"}',
  '{"log":"cut\\n","stream":"stdout","time":"2025',
  '{"stream":"stdout","log":"another writer\\n","time":"2025-01-02T03:04:05Z"}',
])('does not take for a container line: %s', line => {
  expect(parseContainerLine(line)).toBeUndefined();
});

const joinAll = (lines: readonly string[]) => {
  let held: HeldPieces = {};
  const texts: string[] = [];
  for (const line of lines) {
    const joined = joinContainerLine(held, parse(line));
    held = joined.held;
    texts.push(...joined.whole.map(({stamp, text}) => `${formatInstant(stamp).slice(17, 19)} ${text}`));
  }
  return {held, texts};
};

test('joins the pieces of each stream to the next whole line of the same stream', () => {
  const {held, texts} = joinAll([
    '2025-01-01T00:00:01Z stdout P one ',
    '2025-01-01T00:00:02Z stderr P uno ',
    '2025-01-01T00:00:03Z stdout P two ',
    '2025-01-01T00:00:04Z stdout F three',
    '2025-01-01T00:00:05Z stderr F due',
  ]);
  expect(texts).toEqual(['01 one two three', '02 uno due']);
  expect(held).toEqual({});
});

test('gives out a piece of what is held once the joined line would be too long', () => {
  const piece = 'p'.repeat(40_000);
  const {held, texts} = joinAll([`2025-01-01T00:00:01Z stdout P ${piece}`, `2025-01-01T00:00:02Z stdout P ${piece}`]);
  expect(texts.map(text => text.length)).toEqual([65_539]);
  expect(releaseHeldPieces(held).map(({text}) => text.length)).toEqual([14_464]);
});

test('joins what Docker wrote in pieces, which end without a line feed', () => {
  const line = (text: string, second: number): string =>
    JSON.stringify({log: text, stream: 'stdout', time: `2025-01-01T00:00:0${second}Z`});
  const {held, texts} = joinAll([line('one ', 1), line('two ', 2), line('three\n', 3), line('rest', 4)]);
  expect(texts).toEqual(['01 one two three']);
  expect(held.stdout?.text).toBe('rest');
});

test.each([
  ['below the bound they are one line', 25_532, [65_532]],
  ['at it, a piece and its empty rest', 25_536, [65_536, 0]],
  ['one byte past it, two pieces', 25_537, [65_536, 1]],
])('pieces are joined up to the bound of a line: %s', (_, length, lengths) => {
  const stamp = '2025-01-01T00:00:01Z';
  const {held, texts} = joinAll([`${stamp} stdout P ${'p'.repeat(40_000)}`, `${stamp} stdout F ${'q'.repeat(length)}`]);
  expect([held, texts.map(text => text.length - '01 '.length)]).toEqual([{}, lengths]);
});

test('the pieces left at the end of a file come oldest first', () => {
  const held = (out: bigint, err: bigint): HeldPieces => ({
    stdout: {stamp: out, text: 'out'},
    stderr: {stamp: err, text: 'err'},
  });
  const order = (pieces: HeldPieces) => releaseHeldPieces(pieces).map(({stream, text}) => [stream, text]);
  const [out, err] = [
    ['stdout', 'out'],
    ['stderr', 'err'],
  ];
  expect([order(held(1n, 2n)), order(held(2n, 1n)), order(held(1n, 1n)), order({})]).toEqual([
    [out, err],
    [err, out],
    [out, err],
    [],
  ]);
});
