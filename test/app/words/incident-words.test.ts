import {expect, test} from 'vitest';
import {findingWords, incidentText} from '#app/words/incident-words.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import {formatClock, parseInstant} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';

const from = parseInstant('2026-11-21T14:00:00Z') ?? 0n;
const later = parseInstant('2026-11-21T14:05:00Z') ?? 0n;

/** Without a log there is nothing to tell; what the words are about is given. */
const report = (change: Partial<IncidentReport>): IncidentReport => ({
  ...finishWork(findIncident([])),
  from,
  ...change,
});

const elsewhere = {branch: 'release/4.2', now: 12, holds: true, holes: []} as const;
const hole = {kind: 'gap', from, to: later} as const;

const finding: IncidentFinding = {
  ...{what: 'rise', of: 'failed', subject: 'POST /checkout 500', since: later, mayBeOlder: false, until: undefined},
  ...{before: 0, now: 196.2, unit: 'per minute', total: 1962, confidence: 'sure'},
  ...{first: undefined, last: undefined, only: undefined, who: [], evidence: 100},
};

test.each<[string, Partial<IncidentFinding>]>([
  ['196/min | POST /checkout 500 | was 0, web-1 only', {only: 'web-1'}],
  ['196/min | POST /checkout 500 | was 2.8/min, over at 14:05:00', {before: 2.81, until: later, confidence: 'weak'}],
  ['196/min | POST /checkout 500 | ', {before: undefined, mayBeOlder: true}],
  ['Errors | 2.8 → 398/min, 20 % of all lines | ', {of: 'errors', subject: 'errors', before: 2.8, now: 398}],
  // Of two a minute, none for longer than half as long again as usual; or not yet.
  [
    'Errors | 0 → 2/min, <1 % of all lines | none since 14:07:14',
    {of: 'errors', subject: 'errors', now: 2, last: {source: 0, id: 1, at: later + 134_000_000_000n}},
  ],
  [
    'Errors | 0 → 2/min, <1 % of all lines | ',
    {of: 'errors', subject: 'errors', now: 2, last: {source: 0, id: 1, at: later + 135_000_000_000n}},
  ],
  [
    '188/min | tax service rejected quote | new, first 14:05:00',
    {what: 'new', of: 'kind', subject: 'tax service rejected quote', now: 188},
  ],
  [
    'slower | GET /cart  80 ms → 8.1 s | p95, 41 requests',
    {what: 'slower', of: 'request', subject: 'GET /cart', before: 80, now: 8100, unit: 'ms', total: 41},
  ],
  [
    'slower | GET /cart  999 ms → 1 s | p95, 41 requests',
    {what: 'slower', of: 'request', subject: 'GET /cart', before: 999, now: 1000, unit: 'ms', total: 41},
  ],
  [
    'stopped | POST /orders | was 12/min, none for 3 min',
    {what: 'stopped', of: 'request', subject: 'POST /orders', before: 12, now: 0},
  ],
  [
    '41 % | status 502 | was <1 % of requests',
    {of: 'status', subject: '502', before: 0.002, now: 0.414, unit: 'share'},
  ],
  ['1,200/min | lock held | was 0, 61 % of all lines', {what: 'storm', of: 'message', subject: 'lock held', now: 1200}],
  [
    '14:05:00 | version 1.41.3 → 1.42.0 | 12 s before',
    {what: 'changed', of: 'field', subject: 'version', before: '1.41.3', now: '1.42.0'},
  ],
  ['196/min | POST /checkout 500 | also in release/4.2: 12/min, was 0', {elsewhere}],
  ['196/min | POST /checkout 500 | only here, was 0', {elsewhere: {...elsewhere, now: 0, holds: false}}],
  [
    "196/min | POST /checkout 500 | in release/4.2 can't tell: gap 14:00:00 to 14:05:00, was 0",
    {elsewhere: {...elsewhere, holds: 'unknown', holes: [hole]}},
  ],
  [
    "196/min | POST /checkout 500 | in release/4.2 can't tell: too few lines, was 0",
    {elsewhere: {...elsewhere, holds: 'unknown'}},
  ],
  [
    'slower | GET /cart  80 ms → 8.1 s | p95, also in release/4.2: p95 7 s, 41 requests',
    {
      ...{what: 'slower', of: 'request', subject: 'GET /cart', before: 80, now: 8100, unit: 'ms', total: 41},
      elsewhere: {...elsewhere, now: 7000},
    },
  ],
  ['14:05:00 | red | 12 s before', {what: 'changed', of: 'message', subject: '\u001b[31mred'}],
])('says "%s"', (words, change) => {
  const to = later + 180_000_000_000n;
  const {lead, subject, detail} = findingWords(
    {...finding, ...change},
    report({to, onset: later + 12_000_000_000n}),
    formatClock,
  );
  expect([lead, subject, detail].join(' | ')).toBe(words);
});

test('the text says once whose lines they mostly are, how often it came before, and what may be chance', () => {
  const who = [
    {field: 'pod', value: 'web-j6tfw', share: 0.89, others: 0.25},
    {field: 'version', value: '2.4.0', share: 1, others: 0},
  ];
  const weak = {...finding, confidence: 'weak', subject: 'GET /cart 500'} as const;
  const rows = incidentText(
    report({
      verdict: {kind: 'found'},
      onset: later,
      to: later,
      wholeSince: from,
      findings: [{...finding, who, waves: {count: 8, since: from}}, weak, weak, weak, weak],
    }),
    formatClock,
  );
  expect(rows.slice(2)).toEqual([
    '  196/min  POST /checkout 500  (was 0)',
    '  mostly pod web-j6tfw  89 %, else 25 %',
    '  mostly version 2.4.0  100 %, else none',
    '  8 waves since 14:00:00',
    '4 weak findings: GET /cart 500, GET /cart 500, GET /cart 500, …',
  ]);
});
