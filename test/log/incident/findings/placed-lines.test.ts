import {expect, test} from 'vitest';
import {longestPieceOf, placed, readAgain} from '#log/incident/findings/placed-lines.ts';
import {findingOf, isChange, isOfMissing, isSameFinding, isTrouble} from '#log/incident/incident-finding.ts';
import type {SourceName} from '#log/line/entry.ts';
import {atSecond, eventsOf, linesEvery} from '../events-of.ts';

const web: SourceName = {pod: 'web'};
const db: SourceName = {pod: 'db'};
const finding = findingOf({what: 'rise', of: 'kind', subject: 'x', since: atSecond(0)});

const events = eventsOf([
  [0, 'ERROR x', web],
  [1, 'ERROR x', web],
  [2, 'ERROR x', db],
  [3, 'INFO a', db],
]);
const errors = events.series.find(({kind}) => kind === 'kind');

test('a finding has the first and the last line of what it tells, and who wrote all of it', () => {
  const of = (start: number, end: number) => errors && placed(finding, events, errors, [start, end]);
  expect(of(0, 2)).toMatchObject({first: {source: 0, id: 1}, last: {source: 0, id: 2}, only: 'web'});
  expect(of(0, 3)).toMatchObject({first: {id: 1}, last: {id: 3}, only: undefined});
  expect(of(2, 3)).toMatchObject({first: {id: 3}, last: {id: 3}, only: 'db'});
  expect(errors && placed({...finding, of: 'pod'}, events, errors, [0, 2]).only).toBeUndefined();
});

test('where one writes all, nobody is told', () => {
  const alone = eventsOf([[0, 'ERROR x', web]]);
  const [series] = alone.series;
  expect(series && placed(finding, alone, series, [0, 1]).only).toBeUndefined();
});

test('of two hundred lines it is asked who wrote them', () => {
  const onlyOf = (count: number) => {
    const many = eventsOf([
      ...linesEvery(1, 0, count, 'ERROR x', web),
      [count, 'ERROR x', db],
      [count + 1, 'INFO a', db],
    ]);
    const [series] = many.series;
    return series && placed(finding, many, series, [0, count + 1]).only;
  };
  expect([onlyOf(199), onlyOf(200)]).toEqual([undefined, 'web']);
});

test.each([
  ['ERROR job ‹n› of the queue failed', ' of the queue failed'],
  ['order ‹id› ‹n›', 'order '],
  ['say "hello you"', 'hello you'],
  ['a\\bcd', 'bcd'],
  ['abc ‹n› xyz', 'abc '],
  ['‹n›', ''],
])('of the shape %s all lines have “%s”', (shape, piece) => {
  expect(longestPieceOf(shape)).toBe(piece);
});

const request = (second: number, path: string) =>
  [second, `10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET ${path} HTTP/1.1" 200 157`] as const;

test('the lines of a series are read again in a time', () => {
  const again = eventsOf([
    [0, 'INFO job 1 done'],
    [1, 'INFO job 2 done'],
    [2, 'INFO job 3 done and more'],
    [3, 'INFO other'],
    [4, 'INFO job 4 done'],
    request(5, '/cart/7'),
    request(6, '/pay'),
  ]);
  const read = (kind: 'message' | 'request', key: string, from: number, to: number) =>
    [...readAgain(again, {kind, key}, [from, to])].map(({at}) => at);
  expect(read('message', 'INFO job ‹n› done', 0, 9)).toEqual([0, 1, 2, 4]);
  expect(read('message', 'INFO job ‹n› done', 1, 3)).toEqual([1, 2]);
  expect(read('request', 'GET /cart/‹n›', 0, 9)).toEqual([5]);
  expect(read('request', 'POST /cart/‹n›', 0, 9)).toEqual([]);
  expect([...readAgain(again, {kind: 'request', key: 'GET /pay'}, [0, 9])][0]?.event.status).toBe(200);
});

test('eight thousand lines are read again', () => {
  const many = eventsOf(linesEvery(0.01, 0, 80.015, 'INFO job done'));
  const read = [...readAgain(many, {kind: 'message', key: 'INFO job done'}, [0, 100])];
  expect([many.clock.length, read.length]).toEqual([8002, 8000]);
});

test('a symptom is trouble if it is sure, and no change', () => {
  expect(isTrouble({...finding, confidence: 'sure'})).toBe(true);
  expect(isTrouble(finding)).toBe(false);
  expect(isTrouble({...finding, what: 'changed', confidence: 'sure'})).toBe(false);
  expect(isTrouble({...finding, what: 'restart', confidence: 'sure'})).toBe(false);
  expect((['changed', 'restart', 'new', 'stopped'] as const).map(what => isChange({...finding, what}))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect((['stopped', 'gone', 'rise'] as const).map(what => isOfMissing({...finding, what}))).toEqual([
    true,
    true,
    false,
  ]);
});

test('two findings are the same if they tell of the same, and both of what is missing or neither', () => {
  expect(isSameFinding(finding, {...finding, what: 'storm', since: atSecond(9)})).toBe(true);
  expect(isSameFinding(finding, {...finding, of: 'message'})).toBe(false);
  expect(isSameFinding(finding, {...finding, subject: 'y'})).toBe(false);
  expect(isSameFinding(finding, {...finding, what: 'stopped'})).toBe(false);
  expect(isSameFinding({...finding, what: 'gone'}, {...finding, what: 'stopped'})).toBe(true);
});
