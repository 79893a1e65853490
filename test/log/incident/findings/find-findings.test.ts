import {expect, test} from 'vitest';
import {findFindings} from '#log/incident/findings/find-findings.ts';
import type {SourceName} from '#log/line/entry.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, eventsOf, linesEvery, type TimedLine} from '../events-of.ts';

const web: SourceName = {pod: 'web-1'};
const db: SourceName = {pod: 'db-1'};
const usual = linesEvery(1, 0, 1201, 'INFO order stored', db);
const findingsIn = (lines: readonly TimedLine[], podNames: readonly string[] = []) =>
  finishWork(findFindings(eventsOf(lines, podNames), {podNames, activities: []}));

test('of kinds of errors five are told, after all errors, those first that are surest', () => {
  const lines = [...'abcdefg'].flatMap((letter, index) =>
    linesEvery(2 + index, 900.1 + index / 10, 1000, `ERROR ${letter.repeat(3)} is down`),
  );
  expect(findingsIn([...usual, ...lines.toReversed()]).map(({subject}) => subject)).toEqual([
    'errors',
    ...['aaa', 'bbb', 'ccc', 'ddd', 'eee'].map(word => `ERROR ${word} is down`),
  ]);
});

test('all errors are told with the first and the last of them', () => {
  const errors = linesEvery(2, 900.5, 1000, 'ERROR db is down');
  const [over] = findingsIn([...usual, [901.2, 'WARN beside'], ...errors]);
  expect(over).toMatchObject({of: 'errors', first: {at: atSecond(900.5)}, last: {at: atSecond(998.5)}});
  const [now] = findingsIn([...usual, ...linesEvery(2, 1100.5, 1201, 'ERROR db is down')]);
  expect(now).toMatchObject({until: undefined, first: {at: atSecond(1100.5)}, last: {at: atSecond(1200.5)}});
});

test('a few of a kind are surer where all errors rose within a minute of them', () => {
  const many = linesEvery(0.5, 900, 1000, 'ERROR db is down');
  const confidenceOf = (from: number): string | undefined =>
    findingsIn([...usual, ...many, ...linesEvery(9, from, from + 60, 'ERROR rare one is down')]).find(({subject}) =>
      subject.includes('rare'),
    )?.confidence;
  expect([900, 959.9, 960, 970].map(confidenceOf)).toEqual(['sure', 'sure', 'likely', 'likely']);
});

test('what only groups others comes last: the status of requests, and pods', () => {
  const failed = linesEvery(1, 900.2, 1000, '10.2.0.7 - - "GET /pay HTTP/1.1" 502 157', web);
  const served = [
    ...linesEvery(1, 0.2, 900, '10.2.0.7 - - "GET /pay HTTP/1.1" 200 157', web),
    ...linesEvery(1, 1000.2, 1201, '10.2.0.7 - - "GET /pay HTTP/1.1" 200 157', web),
  ];
  const kinds = findingsIn([...usual, ...served, ...failed], ['web-1', 'db-1']).map(({of}) => of);
  expect(kinds[0]).toBe('errors');
  expect(kinds.slice(-2).toSorted()).toEqual(['pod', 'status']);
});
