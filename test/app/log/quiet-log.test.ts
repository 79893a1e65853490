import {expect, test} from 'vitest';
import {header, linesOf, openLogWith} from '../../support/play.ts';

// The service's clock shows 14:02:10.
test('a log that has been silent is quiet from the first window on, by the times of its lines', () => {
  expect(header(openLogWith(linesOf(0, 60)))).toContain('quiet since 14:01:00');
  expect(header(openLogWith(linesOf(0, 120)))).toContain('60 lines/min');
});

test('a silence of hours is told with its length', () => {
  expect(header(openLogWith(linesOf(-5 * 3600, -5 * 3600 + 20)))).toContain('quiet since 09:00:20, 5 h');
});

test('a time of another day has its date: a time of day alone would be taken for one of today', () => {
  const play = openLogWith(linesOf(-3 * 86_400, -3 * 86_400 + 20));
  expect(header(play)).toContain('joined since 2026-11-18 14:00');
});

test('lines that arrive count as arrivals, although the clock that stamps them is behind', () => {
  const play = openLogWith(linesOf(0, 60));
  play.wait(2000);
  play.windowArrives(linesOf(0, 62));
  expect(header(play)).toContain('60 lines/min');
  play.wait(61_000);
  play.windowArrives(linesOf(0, 62));
  expect(header(play)).toContain('quiet since 14:01:02');
});
