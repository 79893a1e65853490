import fc from 'fast-check';
import {expect, test} from 'vitest';
import {blockEntries, isHandOver, readHandOver, writeHandOver} from '#api/recording/hand-over.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import type {Entry, LineEntry, Marker, SourceName} from '#log/line/entry.ts';
import {readLine} from '#log/window/window-line.ts';

const write = (logs: readonly (readonly Entry[])[], mask = (raw: string): string => raw): Buffer =>
  Buffer.concat([
    ...writeHandOver(
      {
        head: {savedBy: 'anna'},
        view: {place: 3},
        findings: [{kind: 'finding'}],
        logs: logs.map((entries, index) => ({facts: {branch: `b${index}`}, entries})),
      },
      mask,
    ),
  ]);

const lineOf = (raw: string, rest: Partial<LineEntry> = {}): LineEntry => {
  const {at, textIndex} = readLine(raw) ?? {at: 5n, textIndex: 0};
  return {kind: 'line', id: 1, at, raw, textIndex, late: false, ...rest};
};

const text = fc.oneof(
  fc.string({maxLength: 20}),
  fc.constantFrom('', ' ', '\u001b[31mred', '\ud800', '{"a":"\\""}', 'ä\u0000'),
);
const source: fc.Arbitrary<SourceName> = fc.record(
  {pod: fc.constantFrom('web-1', 'web-2'), container: fc.constantFrom('php', ''), stream: fc.constant('stderr')},
  {requiredKeys: []},
);
const at = fc.bigInt({min: -1n, max: 10n ** 20n});
const line: fc.Arbitrary<Entry> = fc
  .record({
    raw: text,
    stamp: fc.constantFrom('2026-11-27T13:00:00.000000001Z ', '2026-11-27T13:00:00+01:00 ', ''),
    late: fc.boolean(),
    source: fc.option(source, {nil: undefined}),
    oddAt: fc.option(at, {nil: undefined}),
  })
  .map(({raw, stamp, late, source, oddAt}) =>
    lineOf(`${stamp}${raw}`, {late, ...(source && {source}), ...(oddAt !== undefined && {at: oddAt, textIndex: 0})}),
  );
/** By kind, so that a new one must be added. */
const markers: {readonly [Kind in Marker['kind']]: fc.Arbitrary<Extract<Marker, {kind: Kind}>>} = {
  gap: fc.record({
    kind: fc.constant('gap' as const),
    id: fc.constant(1),
    at,
    after: at,
    before: at,
    reason: fc.constantFrom('told' as const, 'moved-on' as const, undefined),
    proof: fc.constantFrom('counted' as const, undefined),
    source: fc.option(source, {nil: undefined}),
    missingLines: fc.option(fc.nat(), {nil: undefined}),
    why: fc.option(text, {nil: undefined}),
    newLines: fc.option(fc.nat(), {nil: undefined}),
  }),
  pod: fc.record({
    kind: fc.constant('pod' as const),
    id: fc.constant(1),
    at,
    change: fc.constantFrom('gone' as const, 'appeared' as const),
    name: text,
    since: fc.option(at, {nil: undefined}),
    isWhole: fc.constantFrom(true as const, undefined),
    ending: fc.option(text, {nil: undefined}),
  }),
  quiet: fc.record({kind: fc.constant('quiet' as const), id: fc.constant(1), at, since: at}),
  horizon: fc.record({
    kind: fc.constant('horizon' as const),
    id: fc.constant(1),
    at,
    why: fc.constantFrom('asked' as const, 'newest' as const, undefined),
    isEnd: fc.constantFrom(true as const, undefined),
  }),
  change: fc.record({
    kind: fc.constant('change' as const),
    id: fc.constant(1),
    at,
    happenedAt: fc.option(at, {nil: undefined}),
    change: fc.oneof(
      fc.record({kind: fc.constant('status' as const), before: fc.option(text), now: fc.option(text)}),
      fc.record({
        kind: fc.constant('activity' as const),
        action: fc.option(text, {nil: undefined}),
        status: fc.option(text, {nil: undefined}),
        createdBy: fc.option(text, {nil: undefined}),
      }),
      fc.record({kind: fc.constant('trouble' as const), who: text, reason: text}),
    ),
  }),
};
const marker: fc.Arbitrary<Entry> = fc.oneof(...Object.values(markers));

test('a log comes back as it was held: its lines with their times and sources, and its markers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.oneof({arbitrary: line, weight: 4}, marker), {maxLength: 30}), {maxLength: 3}),
      logs => {
        const read = readHandOver(write(logs), 'a.branchlog');
        let id = 0;
        const expected = logs.map(entries =>
          entries.map(entry => {
            id += 1;
            return {...entry, id};
          }),
        );
        const entries = read.logs.map(log => log.blocks.flatMap(log.read));
        expect(entries).toEqual(expected);
        expect([read.head, read.view, read.findings]).toEqual([{savedBy: 'anna'}, {place: 3}, [{kind: 'finding'}]]);
        expect(read.logs.map(({facts}) => facts.branch)).toEqual(logs.map((_, index) => `b${index}`));
      },
    ),
    {numRuns: 300},
  );
});

test('lines of one source share its name, as everywhere', () => {
  const source = {pod: 'web-1'};
  const [log] = readHandOver(write([[lineOf('a', {source}), lineOf('b', {source: {...source}})]]), 'a').logs;
  const [one, other] = log?.blocks.flatMap(log.read) ?? [];
  expect(one?.kind === 'line' && other?.kind === 'line' && one.source === other.source).toBe(true);
});

test('a long log has blocks, of which each can be read alone', () => {
  const lines = Array.from({length: 2 * blockEntries + 1}, (_, index) => lineOf(`line ${index}`));
  const [log] = readHandOver(write([lines]), 'a').logs;
  expect(log?.blocks.map(({first, count}) => [first, count])).toEqual([
    [1, blockEntries],
    [blockEntries + 1, blockEntries],
    [2 * blockEntries + 1, 1],
  ]);
  const last = log?.blocks.at(-1);
  expect(last && log?.read(last)).toMatchObject([{id: 2 * blockEntries + 1, raw: `line ${2 * blockEntries}`}]);
  const long = Array.from({length: 3}, () => lineOf('x'.repeat(3 * 1024 * 1024)));
  expect(readHandOver(write([long]), 'a').logs[0]?.blocks.map(({count}) => count)).toEqual([2, 1]);
});

test('secrets are masked before anything is written', () => {
  const [log] = readHandOver(
    write([[lineOf('2026-11-27T13:00:00.000000000Z password=abc')]], raw => raw.replace('abc', '********')),
    'a',
  ).logs;
  expect(log?.blocks.flatMap(log.read)).toMatchObject([{raw: '2026-11-27T13:00:00.000000000Z password=********'}]);
});

const small = write([[lineOf('one'), lineOf('two')], [lineOf('three')]]);

test('each changed byte is refused, wherever it is, and so is a file that is cut off or goes on', () => {
  for (let index = 0; index < small.length; index += 1) {
    for (const flip of [1, 0x80]) {
      const changed = Buffer.from(small);
      changed[index] = (changed[index] ?? 0) ^ flip;
      expect(() => readHandOver(changed, 'a')).toThrow(RecordingError);
    }
    expect(() => readHandOver(small.subarray(0, index), 'a')).toThrow(RecordingError);
  }
  expect(() => readHandOver(Buffer.concat([small, Buffer.from('\n')]), 'a')).toThrow(RecordingError);
  expect(() => readHandOver(Buffer.concat([Buffer.from('x'), small]), 'a')).toThrow(RecordingError);
});

test.each<readonly [what: string, at: number, words: string]>([
  ['its first row', 3, 'a is not as it was saved: its first row is another one. Ask for the file again'],
  ['who saved it', 60, 'a is not as it was saved: the sum of its head is another one. Ask for the file again'],
  ['its lines', 190, 'a is not as it was saved: the sum of its lines from 1 on is another one. Ask for the file again'],
  ['its index', -200, 'a is not as it was saved: the sum of its index is another one. Ask for the file again'],
  ['its last row', -20, 'a is not as it was saved: the sum of its index is another one. Ask for the file again'],
])('it says what was changed: %s', (_, at, words) => {
  const changed = Buffer.from(small);
  const index = at < 0 ? small.length + at : at;
  changed[index] = (changed[index] ?? 0) ^ 1;
  expect(() => readHandOver(changed, 'a')).toThrow(words);
});

test('a hand-over is known by its first row', () => {
  expect([isHandOver(small), isHandOver(Buffer.from('{"format":"branchlog recording","version":2}\n'))]).toEqual([
    true,
    false,
  ]);
});
