import {expect, test} from 'vitest';
import {give, linesOf, openLogWith, type Play, showScreen} from '../../support/play.ts';

const hour = 3600;
const day = 24 * hour;

/** A log with a line at each of these seconds after Saturday, 21 November 2026, 14:00; the service shows 14:02. */
const openLogAt = (...seconds: readonly number[]): Play => {
  const windows = seconds.map(second => linesOf(second, second));
  const [first = linesOf(0, 0)] = windows;
  return openLogWith({...first, value: {...first.value, lines: windows.flatMap(({value}) => [...value.lines])}});
};

/** The rows of the pane: of rules only the words, of lines only the time. */
const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .filter(row => row !== '')
    .map(row => (/^ ── ([^─]*) ─/.exec(row)?.[1] ?? /\d\d:\d\d:\d\d/.exec(row)?.[0] ?? row).trim());

const rulesOf = (play: Play): readonly string[] => paneOf(play).filter(row => /^[A-Z]/.test(row));

const horizon = (clock: string): string => `the service held nothing older than ${clock}`;

test('a rule names the day wherever it changes, above the first line of it', () => {
  const play = openLogAt(-day - 1, -day, 0);
  expect(paneOf(play)).toEqual([horizon('13:59:59'), '13:59:59', '14:00:00', 'Sat 21 November', '14:00:00']);
  give(play, 'goFirst');
  expect(paneOf(play)).toContain('Fri 20 November');
});

test('a rule reaches to the last column but one', () => {
  const [rule = ''] = showScreen(openLogAt(-day - 1, 0).state).filter(row => row.includes(' Sat 21 November '));
  expect(rule).toBe(` ── Sat 21 November ${'─'.repeat(59)}`);
});

test('a log of today has no rule, and one of another year names it', () => {
  expect(rulesOf(openLogAt(0, 1))).toEqual([]);
  expect(rulesOf(openLogAt(-365 * day))).toEqual(['Fri 21 November 2025']);
});

test('the day is that of the zone that the time column shows', () => {
  const play = openLogAt(-15.5 * hour, -14.5 * hour);
  expect(rulesOf(play)).toEqual(['Fri 20 November']);
  // The user's zone is an hour ahead.
  give(play, 'nextTimeMode', 'nextTimeMode');
  expect(rulesOf(play)).toEqual(['Fri 20 November', 'Sat 21 November']);
});

test('a pause at a line of another day says which', () => {
  const play = openLogAt(-day, -day + 1, -day + 2, -day + 3, 0, 1, 2, 3);
  give(play, 'goFirst');
  expect(paneOf(play)).toEqual(['Fri 20 November', horizon('14:00:00'), '14:00:00', '14:00:01', '14:00:02']);
  expect(showScreen(play.state).at(-2)).toContain('paused at 2026-11-20 14:00');
});

test('a log that is followed and whose newest line is of another day says which', () => {
  const many = Array.from({length: 60}, (_, second) => second - day);
  expect(showScreen(openLogAt(...many).state).at(-2)).toMatch(/following +newest 2026-11-20 14:00/);
  expect(showScreen(openLogAt(...many, 0).state).at(-2)).not.toContain('newest');
});

test('a rule is no wider than the narrowest screen', () => {
  const {state} = openLogAt(-365 * day, 0);
  for (const columns of [20, 21, 30]) {
    const rule = showScreen({...state, columns}).find(row => row.includes(' ── Fri'));
    expect(rule).toMatch(/^ ── Fri 21 Nov/);
    expect(rule?.length).toBeLessThanOrEqual(columns);
  }
});
