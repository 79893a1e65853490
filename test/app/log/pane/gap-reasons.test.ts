import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {formatEntry} from '#app/log/pane/entry-rows.ts';
import {fitPollColumns, pollColumns} from '#app/log/poll-columns.ts';
import {plainLook} from '#app/parts/log-parts.ts';
import {fitRow} from '#app/rows/fit-row.ts';
import {span} from '#app/rows/view-row.ts';
import type {PollRecord} from '#app/tail/polls.ts';
import type {GapMarker, GapReason} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';

/** A record, so that a new reason has to be added. */
const isReason: Readonly<Record<GapReason, true>> = {
  'moved-on': true,
  unproven: true,
  share: true,
  'clock-back': true,
  empty: true,
  'short-window': true,
  'source-gone': true,
  renumbered: true,
  'not-lines': true,
  told: true,
  'left-out': true,
  contradicted: true,
};
const reasons = Object.keys(isReason) as readonly GapReason[];

test('every reason has a row in docs/configuration.md', () => {
  const text = readFileSync('docs/configuration.md', 'utf8');
  expect(reasons.filter(reason => !text.includes(`\n| \`${reason}\` |`))).toEqual([]);
});

const gapOf = (reason: GapReason): GapMarker => ({
  kind: 'gap',
  id: 1,
  at: parseInstant('2026-11-21T14:00:40Z') ?? 0n,
  after: parseInstant('2026-11-21T14:00:30Z') ?? 0n,
  before: parseInstant('2026-11-21T14:00:40Z') ?? 0n,
  reason,
  newLines: 1_234_567,
});

/** A marker's row as it stands on a terminal. */
const rowOf = (gap: GapMarker, columns: number, whose: string | undefined): string => {
  const style = {
    look: plainLook,
    textColumns: columns - 1,
    markerColumns: columns - 1,
    keepsColour: false,
    layersOf: () => [],
  };
  const [row = []] = formatEntry(gap, style, whose);
  return fitRow([span(' '), ...row], columns)
    .map(({text}) => text)
    .join('');
};

test.each(reasons)(
  'at 80 columns a gap for the reason %s shows all of its range, with the longest name of a branch too',
  reason => {
    const range = 'possible gap, 14:00:30.000 to 14:00:40.000: ';
    expect(rowOf(gapOf(reason), 80, undefined)).toContain(`── ${range}`);
    expect(rowOf(gapOf(reason), 80, 'feature/a-name-of-24-cel')).toContain(`── feature/a-name-of-24-cel: ${range}`);
  },
);

test('on a wide terminal all of the reason is there', () => {
  expect(rowOf(gapOf('unproven'), 140, undefined)).toMatch(
    /^ ── possible gap, 14:00:30\.000 to 14:00:40\.000: 1,234,567 lines came at once; this service does not say how it cuts its windows ─+ $/,
  );
});

test('wrapped, a narrow screen has all of it too', () => {
  const style = {
    look: {...plainLook, wraps: true},
    textColumns: 39,
    markerColumns: 39,
    keepsColour: false,
    layersOf: () => [],
  };
  const rows = formatEntry(gapOf('unproven'), style, 'master').map(row => row.map(({text}) => text).join(''));
  expect(rows.every(row => row.length <= 39)).toBe(true);
  expect(rows.join('')).toBe(
    '── master: possible gap, 14:00:30.000 to 14:00:40.000: 1,234,567 lines came at once; this service does not say how it cuts its windows',
  );
});

const pollOf = (change: {readonly gap?: Pick<GapMarker, 'reason' | 'newLines'>}): PollRecord => ({
  kind: 'good',
  atMs: 0,
  nextPollInMs: 250,
  reason: 'the window fills soon',
  status: 200,
  durationMs: 1,
  bytes: 1,
  lines: 1,
  newLines: 1,
  lateLines: 0,
  overlapShare: 1,
  hasGap: change.gap !== undefined,
  ...change,
});

test('the poll inspector says why a poll left a gap, and a long reason takes no column from the table', () => {
  const columns = pollColumns({formatMoment: () => '14:00:00', branchNames: []});
  const because = columns.at(-1);
  const short = {source: 0, poll: pollOf({})};
  const long = {source: 0, poll: pollOf({gap: {reason: 'unproven', newLines: 1200}})};
  expect(because?.text(short)).toBe('the window fills soon');
  expect(because?.text(long)).toBe('1,200 lines came at once; this service does not say how it cuts its windows');
  expect(fitPollColumns(columns, [short, long], 120).map(({title}) => title)).toEqual(columns.map(({title}) => title));
});
