import {expect, test} from 'vitest';
import type {GapReason} from '#log/line/entry.ts';
import {gapWords} from '#log/words/describe-marker.ts';

test.each<[GapReason | undefined, number | undefined, string]>([
  [undefined, undefined, 'the window moved on'],
  ['moved-on', 900, 'the window moved on'],
  ['unproven', 1200, '1,200 lines came at once; this service does not say how it cuts its windows'],
  ['unproven', undefined, 'many lines came at once; this service does not say how it cuts its windows'],
  ['share', 1, '1 line came at once, as many as one pod or source may hold'],
  ['share', undefined, 'many lines came at once, as many as one pod or source may hold'],
  ['clock-back', 5, 'the clock that stamps the lines went back'],
  ['empty', undefined, 'the service answered with empty windows in between'],
  ['short-window', undefined, 'the window spans less time than lines are late'],
  ['source-gone', 3, 'lines disappeared all at once, as when a container restarts'],
  ['renumbered', 3, 'the service restarted its line numbers'],
  ['not-lines', undefined, 'the service sent something that is not a line'],
])('a gap for the reason %s, with %s new lines', (reason, newLines, words) => {
  expect(gapWords({reason, newLines})).toBe(words);
});

test.each([
  [{reason: 'moved-on', missingLines: 1200}, 'the window moved on, 1,200 lines missing'],
  [{reason: 'told', missingLines: 1}, '1 line is reported missing'],
  [{reason: 'told', missingLines: 2}, '2 lines are reported missing'],
  [{reason: 'told'}, 'lines are reported missing'],
  [{reason: 'told', why: 'rotated away'}, '<rotated away>'],
  [{reason: 'told', why: 'rotated away', missingLines: 2}, '<rotated away>: 2 lines missing'],
  // Only who tells of a gap is asked why.
  [{reason: 'share', why: 'rotated away', newLines: 2}, '2 lines came at once, as many as one pod or source may hold'],
] as const)('a gap with %j: “%s”', (gap, words) => {
  expect(gapWords(gap, foreign => `<${foreign}>`)).toBe(words);
});

test('words are shown as they come where nothing has to be made safe', () => {
  expect(gapWords({reason: 'told', why: 'rotated away'})).toBe('rotated away');
});
