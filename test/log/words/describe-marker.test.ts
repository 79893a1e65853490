import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {Marker} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import {describeMarker} from '#log/words/describe-marker.ts';

const at = (clock: string): bigint => parseInstant(`2026-11-21T${clock}Z`) ?? 0n;

const base = {id: 1, at: at('14:05:00')};
const gap = {...base, kind: 'gap', after: at('14:02:00.5'), before: at('14:05:00')} as const;
const pod = {...base, kind: 'pod', name: 'web-1', since: at('14:04:00')} as const;
const horizon = {...base, kind: 'horizon'} as const;

const inFull = (clock: string): string => `2026-11-21T${clock}Z`;
const whole = `${inFull('14:02:00.500000000')} to ${inFull('14:05:00.000000000')}`;

test.each<readonly [string, Marker, string, string]>([
  [
    'a gap',
    gap,
    'possible gap, 14:02:00.500 to 14:05:00.000: the window moved on',
    `possible gap, ${whole}, lines may be missing: the window moved on`,
  ],
  [
    'a gap that grows',
    {...gap, grows: true},
    'possible gap, 14:02:00.500 to 14:05:00.000: the window moved on',
    `the possible gap went on, in all ${whole}, lines may be missing: the window moved on`,
  ],
  [
    'a gap of one source',
    {...gap, source: {pod: 'web-1', container: 'php'}, reason: 'told', missingLines: 3, why: 'rotated away'},
    'possible gap in <web-1 php>, 14:02:00.500 to 14:05:00.000: 3 lines missing',
    `possible gap in <web-1 php>, ${whole}, lines may be missing: <rotated away>: 3 lines missing`,
  ],
  [
    'a gap of one source that grows',
    {...gap, source: {stream: 'stderr'}, grows: true, reason: 'told', why: 'rotated away'},
    'possible gap in <stderr>, 14:02:00.500 to 14:05:00.000: <rotated away>',
    `the possible gap in <stderr> went on, in all ${whole}, lines may be missing: <rotated away>`,
  ],
  [
    'a gap whose number of lines is counted, not told',
    {...gap, reason: 'moved-on', missingLines: 1},
    'possible gap, 14:02:00.500 to 14:05:00.000: the window moved on, 1 line missing',
    `possible gap, ${whole}, lines may be missing: the window moved on, 1 line missing`,
  ],
  ['a pod that came', {...pod, change: 'appeared'}, 'pod <web-1> came', 'pod <web-1> appeared'],
  [
    'a pod that went',
    {...pod, change: 'gone'},
    'pod <web-1> went; lines since 14:04:00 may be missing',
    `pod <web-1> gone, its last lines since ${inFull('14:04:00.000000000')} may be missing`,
  ],
  [
    'a pod that went at an unknown time',
    {...pod, change: 'gone', since: undefined},
    'pod <web-1> went; lines may be missing',
    'pod <web-1> gone, its last lines may be missing',
  ],
  ['a pod whose lines were counted', {...pod, change: 'gone', isWhole: true}, 'pod <web-1> went', 'pod <web-1> gone'],
  [
    'a stream that ended',
    {...pod, change: 'gone', ending: 'ended with exit code 1'},
    '<web-1> <ended with exit code 1>',
    '<web-1> <ended with exit code 1>',
  ],
  [
    'a quiet',
    {...base, kind: 'quiet', since: at('14:03:00')},
    "quiet since 14:03:00: what came and went in between can't be known",
    `quiet since ${inFull('14:03:00.000000000')}: the service lets lines go by age, what came and went in between can't be known`,
  ],
  [
    'a change',
    {...base, kind: 'change', happenedAt: at('14:01:00'), change: {kind: 'status', before: 'ok', now: null}},
    '14:01:00  <status ok → not built out>',
    '<status ok → not built out>',
  ],
  [
    'a change whose time is not known',
    {...base, kind: 'change', happenedAt: undefined, change: {kind: 'trouble', who: 'web-1', reason: ''}},
    '<web-1: trouble>',
    '<web-1: trouble>',
  ],
  [
    'the oldest lines that a service held',
    horizon,
    'the service held nothing older than 14:05:00',
    `the service held nothing older than ${inFull('14:05:00.000000000')}`,
  ],
  [
    'older lines that were not asked for',
    {...horizon, why: 'asked'},
    'lines older than 14:05:00 were not read',
    `lines older than ${inFull('14:05:00.000000000')} were not read`,
  ],
  [
    'older lines that are not read yet',
    {...horizon, why: 'unread'},
    'lines older than 14:05:00 were not read',
    `lines older than ${inFull('14:05:00.000000000')} were not read`,
  ],
  [
    'older lines without room',
    {...horizon, why: 'memory'},
    'lines older than 14:05:00 did not fit into memory',
    `lines older than ${inFull('14:05:00.000000000')} did not fit into memory`,
  ],
  ['the first line of all', {...horizon, why: 'start'}, 'the log begins here', 'the log begins here'],
  [
    'newer lines that are not read yet',
    {...horizon, why: 'unread', isEnd: true},
    'lines newer than 14:05:00 were not read',
    `lines newer than ${inFull('14:05:00.000000000')} were not read`,
  ],
  [
    'the place where the newest lines begin',
    {...horizon, why: 'newest', isEnd: true},
    'the newest lines follow',
    'the newest lines follow',
  ],
])('%s, in a row and in a sentence', (_, marker, row, sentence) => {
  const makeSafe = (foreign: string): string => `<${foreign}>`;
  expect(describeMarker(marker, 'row', makeSafe)).toBe(row);
  expect(describeMarker(marker, 'sentence', makeSafe)).toBe(sentence);
});

describe('who describes', () => {
  test('names the source as it is called elsewhere', () => {
    const marker: Marker = {...gap, source: {pod: 'web-1'}};
    expect(describeMarker(marker, 'row', undefined, () => 'the first pod')).toBe(
      'possible gap in the first pod, 14:02:00.500 to 14:05:00.000: the window moved on',
    );
  });

  test('says so if nothing is left of a change', () => {
    const marker: Marker = {
      ...base,
      kind: 'change',
      happenedAt: undefined,
      change: {kind: 'status', before: '', now: ''},
    };
    expect(describeMarker(marker, 'row', () => ' ')).toBe('a change without words');
  });
});

/** The rows of docs/how-it-works.md, by kind, so that a new kind must be added. */
const documented: Readonly<Record<Marker['kind'], readonly Marker[]>> = {
  gap: [{...gap, after: at('14:02:11.031'), before: at('14:02:15.2')}],
  pod: [
    {...pod, name: 'web-7f9c', change: 'appeared'},
    {...pod, name: 'web-7f9c', change: 'gone', since: at('14:02:09')},
    {...pod, name: 'web-7f9c', change: 'gone', isWhole: true},
    {...pod, name: 'sh', change: 'gone', ending: 'ended with exit code 1'},
  ],
  quiet: [{...base, kind: 'quiet', since: at('14:03:01')}],
  change: [
    {
      ...{...base, kind: 'change', happenedAt: at('14:02:40')},
      change: {kind: 'status', before: 'DEPLOY_APPLICATION_RUNNING', now: 'DEPLOY_APPLICATION_SUCCESS'},
    },
  ],
  horizon: [
    {...horizon, at: at('13:34:47')},
    {...horizon, at: at('13:34:47'), why: 'asked'},
    {...horizon, at: at('13:34:47'), why: 'memory'},
    {...horizon, why: 'start'},
    {...horizon, why: 'newest', isEnd: true},
  ],
};

test('the rows of all kinds of markers are in the table of docs/how-it-works.md', () => {
  const text = readFileSync('docs/how-it-works.md', 'utf8');
  // The reason for a gap is left out there.
  const rows = Object.values(documented).flatMap(markers =>
    markers.map(marker => describeMarker(marker, 'row').replace('the window moved on', '…')),
  );
  expect(rows.filter(row => !text.includes(`\n| \`${row}\` |`))).toEqual([]);
});
