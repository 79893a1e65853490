import {describe, expect, test} from 'vitest';
import {asWindowLines, readNumbered} from '#log/ingest/numbered/read-numbered.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Numbering} from '#log/window/window-claims.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../../pauses-in.ts';
import {line, nanos, short} from '../../simulation/lines-at.ts';

const web: SourceName = {pod: 'web'};
const db: SourceName = {pod: 'db'};
const named = [web, db];

const numbering = (more: Partial<Numbering> = {}): Numbering => ({
  ...{series: 'a', first: 1, runs: [[0, 99]], sources: named, losses: [], ...more},
});

const reading = (
  texts: readonly string[],
  more: Partial<Numbering> = {},
  after = 0,
  newest: ReadonlyMap<SourceName | undefined, Instant> = new Map(),
) => readNumbered(texts.map(line), numbering(more), after, {named, newest});

const read = (...input: Parameters<typeof reading>) => {
  const found = finishWork(reading(...input));
  return {
    ...found,
    lines: found.lines.map(({line: {raw, at}, number, source}) => [
      number,
      short(raw),
      Number(at - nanos(0)),
      source?.pod,
    ]),
  };
};

test('lines have their numbers, times and sources', () => {
  const {lines, last, missing, newest, lateness} = read(
    ['1 a', '2 b', '3 c'],
    {
      first: 5,
      runs: [
        [0, 1],
        [1, 1],
      ],
    },
    4,
  );
  expect(lines).toEqual([
    [5, '1 a', 1, 'web'],
    [6, '2 b', 2, 'db'],
    [7, '3 c', 3, undefined],
  ]);
  expect([last, missing, lateness]).toEqual([7, [], 0n]);
  expect(newest).toEqual(
    new Map([
      [web, nanos(1)],
      [db, nanos(2)],
      [undefined, nanos(3)],
    ]),
  );
});

test('only those after a number are new', () => {
  expect(read(['1 a', '2 b', '3 c'], {}, 2).lines).toEqual([[3, '3 c', 3, 'web']]);
  expect(read(['1 a', '2 b'], {}, 2)).toMatchObject({lines: [], last: 2, missing: []});
});

test('they are read in the order of their numbers, and ordered by time, equal times by number', () => {
  const numbers = [
    [3, 1],
    [1, 2],
  ] as const;
  expect(read(['5 c', '5 a', '7 b'], {numbers}).lines.map(([number]) => number)).toEqual([1, 3, 2]);
  expect(read(['1 c', '5 a', '7 b'], {numbers}).lines.map(([number]) => number)).toEqual([3, 1, 2]);
  expect(read(['9 a', '3 b'], {}).lines.map(([number]) => number)).toEqual([2, 1]);
});

describe('a line without a timestamp', () => {
  test('has the time of the line before it of its source', () => {
    const runs = [
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 1],
    ] as const;
    expect(read(['1 a', '5 b', '} web', '} db'], {runs}).lines.map(([, text, at]) => [text, at])).toEqual([
      ['1 a', 1],
      ['} web', 1],
      ['5 b', 5],
      ['} db', 5],
    ]);
  });

  test('or what that wrote last', () => {
    expect(read(['}'], {first: 5}, 4, new Map([[web, nanos(7)]])).lines).toEqual([[5, '}', 7, 'web']]);
  });

  test('or of the line before it, or of the next one, or of no time', () => {
    expect(
      read(['1 a', '} db'], {
        runs: [
          [0, 1],
          [1, 1],
        ],
      }).lines[1],
    ).toEqual([2, '} db', 1, 'db']);
    expect(read(['}', '}', '8 a', '9 b']).lines.slice(0, 2)).toEqual([
      [1, '}', 8, 'web'],
      [2, '}', 8, 'web'],
    ]);
    expect(read(['}']).lines).toEqual([[1, '}', Number(-nanos(0)), 'web']]);
  });
});

test('how late lines were is told by others of their source that came before', () => {
  const runs = [
    [0, 1],
    [1, 1],
    [0, 2],
    [1, 1],
  ] as const;
  expect(read(['9 a', '2 b', '7 c', '5 d', '3 e'], {runs}).lateness).toBe(4n);
  expect(read(['9 a', '9 b'], {}).lateness).toBe(0n);
  expect(read(['4 a'], {first: 5}, 4, new Map([[web, nanos(7)]]))).toMatchObject({
    lateness: 3n,
    newest: new Map([[web, nanos(7)]]),
  });
});

describe('numbers without a line', () => {
  test('are missing where the first line after them is', () => {
    expect(read(['1 a', '2 b'], {first: 8}, 4).missing).toEqual([{count: 3, number: 8}]);
    expect(read(['1 a', '2 b'], {first: 5}, 4).missing).toEqual([]);
    const numbers = [
      [5, 1],
      [8, 1],
    ] as const;
    expect(read(['1 a', '2 b'], {numbers, first: 5}, 4).missing).toEqual([{count: 2, number: 8}]);
    // What is known is not missing.
    expect(read(['1 a', '2 b'], {numbers, first: 5}, 7).missing).toEqual([]);
    // The order of the answer means nothing.
    expect(
      read(
        ['1 a', '2 b', '3 c'],
        {
          numbers: [
            [9, 1],
            [5, 2],
          ],
          first: 5,
        },
        4,
      ).missing,
    ).toEqual([{count: 2, number: 9}]);
  });

  test('are missing up to the last item, which is no line', () => {
    expect(read(['1 a'], {first: 5, last: 7}, 4)).toMatchObject({last: 7, missing: [{count: 2, number: 8}]});
    expect(read(['1 a'], {first: 5, last: 3}, 4)).toMatchObject({last: 5, missing: []});
  });

  test('are missing though no line came', () => {
    expect(read([], {first: 8}, 4)).toMatchObject({last: 7, missing: [{count: 3, number: 8}], lines: []});
    expect(read([], {first: 5}, 4)).toMatchObject({last: 4, missing: []});
  });
});

test('as lines of a window they keep their sources', () => {
  const {lines} = finishWork(
    reading(['1 a', '2 b'], {
      runs: [
        [0, 1],
        [1, 1],
      ],
    }),
  );
  const {lines: window, sourceOf} = asWindowLines(lines);
  expect([window.length, window.get(0)?.raw, window.timeAt(1)]).toEqual([2, line('1 a'), nanos(2)]);
  expect([0, 1].map(index => lines[index] && sourceOf(lines[index].line))).toEqual([web, db]);
});

test('reading pauses each 512 lines', () => {
  const texts = Array.from({length: 1024}, (_, index) => `${index} a`);
  expect(pausesIn(reading(texts)).pauses).toBe(2);
  expect(pausesIn(reading(texts.slice(0, 511))).pauses).toBe(0);
});
