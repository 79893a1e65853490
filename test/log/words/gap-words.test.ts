import {expect, test} from 'vitest';
import type {GapReason} from '../../../src/log/line/entry.ts';
import {gapWords} from '../../../src/log/words/gap-words.ts';

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
  ['source-gone', 3, 'lines left all at once, as when a container restarts'],
  ['renumbered', 3, 'the service started to number its lines anew'],
  ['not-lines', undefined, 'the service sent something that is not a line'],
])('a gap for the reason %s, with %s new lines', (reason, newLines, words) => {
  expect(gapWords({reason, newLines})).toBe(words);
});
