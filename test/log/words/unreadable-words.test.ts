import {expect, test} from 'vitest';
import type {Unreadable} from '#log/line/entry.ts';
import {notLinesWords, unreadableWords} from '#log/words/describe-marker.ts';

const why = 'No right to get pods/log';

test.each<readonly [Unreadable, string]>([
  [{pods: 2, of: 4, why}, '2 of 4 pods unreadable: No right to get pods/log'],
  [{pods: 1, of: 1, why}, '1 of 1 pod unreadable: No right to get pods/log'],
  [{pods: 0, of: 4, why, isBlind: true}, 'new pods unseen, 4 of 4 logs still come: No right to get pods/log'],
  [{pods: 1, of: 4, why, isBlind: true}, 'new pods unseen, 3 of 4 logs still come: No right to get pods/log'],
  [{pods: 0, of: 1, why, isBlind: true}, 'new pods unseen, 1 of 1 log still comes: No right to get pods/log'],
])('%j is “%s”', (unreadable, words) => {
  expect(unreadableWords(unreadable)).toBe(words);
});

test('other parts of a log are named, and files are not counted', () => {
  expect(unreadableWords({pods: 2, of: 4, why}, 'container')).toBe(
    '2 of 4 containers unreadable: No right to get pods/log',
  );
  expect(unreadableWords({pods: 1, of: 4, why: 'a.log: permission denied'}, 'file')).toBe('a.log: permission denied');
  expect(unreadableWords({pods: 3, of: 4, why: 'a.log: permission denied'}, 'file')).toBe(
    'a.log: permission denied, and 2 more',
  );
});

test('items that are no lines are counted', () => {
  expect([notLinesWords(1), notLinesWords(2), notLinesWords(1234)]).toEqual([
    '1 item is not a line',
    '2 items are not lines',
    '1,234 items are not lines',
  ]);
});
