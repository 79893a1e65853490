import {expect, test} from 'vitest';
import {basisWords, errorsSentence, verdictTitle} from '#app/words/verdict-words.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {findingOf} from '#log/incident/incident-finding.ts';
import type {Uncovered} from '#log/incident/verdict.ts';
import {formatClock, type Instant, parseInstant} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';

const at = (clock: string): Instant => parseInstant(`2026-11-21T${clock}Z`) ?? 0n;

const asked = {from: at('14:00:00'), to: at('14:52:00')};
const none: IncidentReport = finishWork(findIncident([]));
const basis: IncidentReport['basis'] = {
  ...{asked, covered: [asked], uncovered: [], proof: 'counted', gapCount: 0},
  comparedWith: {from: at('14:00:00'), to: at('14:07:30')},
};
const report = (change: Partial<IncidentReport>): IncidentReport => ({
  ...{...none, from: asked.from, to: asked.to, wholeSince: asked.from, verdict: {kind: 'calm'}, basis},
  ...change,
});
const hole = (change: Partial<Uncovered>): Uncovered => ({
  ...{why: 'gap', source: 0, from: at('14:20:00'), to: at('14:30:00')},
  ...change,
});
const rise = findingOf({what: 'rise', of: 'kind', subject: 'a', since: at('14:48:00'), confidence: 'sure'});
/** So many a minute, and when the last of them was. */
const lastAt = (clock: string, now: number) =>
  ({...rise, of: 'errors', unit: 'per minute', now, last: {source: 0, id: 1, at: at(clock)}}) as const;

test.each<[string, Partial<IncidentReport>]>([
  ['calm for 52 min', {}],
  ['incident since 14:48:00, 4 min', {verdict: {kind: 'found'}, onset: at('14:48:00'), findings: [rise]}],
  ['incident since before 14:48:00, 4 min', {verdict: {kind: 'found'}, findings: [{...rise, mayBeOlder: true}]}],
  [
    'incident 14:48:00 to 14:50:00, 2 min ago',
    {verdict: {kind: 'found'}, findings: [{...rise, until: at('14:50:00')}]},
  ],
  // Of two a minute, none for longer than half as long again as usual.
  ['incident since 14:48:00, none since 14:51:14', {verdict: {kind: 'found'}, findings: [lastAt('14:51:14', 2)]}],
  ['incident since 14:48:00, 4 min', {verdict: {kind: 'found'}, findings: [lastAt('14:51:15', 2)]}],
  ['incident since 14:48:00, 4 min', {verdict: {kind: 'found'}, findings: [lastAt('14:51:30', 60)]}],
  ['incident since 14:48:00, none since 14:51:29', {verdict: {kind: 'found'}, findings: [lastAt('14:51:29', 60)]}],
  ['cannot tell: nothing before it is held to compare with', {verdict: {kind: 'unknown', why: {why: 'noBaseline'}}}],
  ['cannot tell: the log is still being read', {verdict: {kind: 'unknown', why: {why: 'reading'}}}],
])('the verdict is "%s"', (words, change) => {
  expect(verdictTitle(report(change), formatClock)).toBe(words);
});

test.each<[string, Partial<Uncovered>]>([
  ['not everything before 14:30:00 is held', {why: 'older'}],
  ['lines from before 14:30:00 are not read yet', {why: 'unread'}],
  ['possible gap 14:20:00 to 14:30:00', {}],
  ['possible gap at 14:20:00', {to: at('14:20:00')}],
  [
    'lines lost 14:20:00 to 14:30:00 (of web-1: the file was cut)',
    {why: 'loss', who: 'web-1', said: 'the file was cut'},
  ],
  ['windows without lines 14:20:00 to 14:30:00', {why: 'quiet'}],
  ['silent since 14:20:00', {why: 'silence'}],
  ['silent since 14:20:00 (web-1 writes no more)', {why: 'silence', who: 'web-1'}],
  ['1 of 2 pods unreadable: no right', {why: 'unreadable', said: '1 of 2 pods unreadable: no right'}],
  ['not all of it can be read', {why: 'unreadable'}],
  ['no answer since 14:20:00', {why: 'outage'}],
  ['items that are no lines since 14:20:00', {why: 'notLines'}],
  ['no lines 14:20:00 to 14:30:00', {why: 'noLines'}],
  ['no lines', {why: 'noLines', to: at('14:20:00')}],
  ['lines lost 14:20:00 to 14:30:00 (red)', {why: 'loss', said: '\u001b[31mred'}],
])('nobody can tell: "%s"', (words, change) => {
  const why = hole(change);
  const unknown = report({verdict: {kind: 'unknown', why}, basis: {...basis, uncovered: [why]}});
  expect(verdictTitle(unknown, formatClock)).toBe(`cannot tell: ${words}`);
  // What the title tells is not told again.
  expect(basisWords(unknown, formatClock)).toBe('complete from 14:00:00 · compared with 14:00–14:07');
});

test.each<[string, Partial<IncidentReport>]>([
  ['complete from 14:00:00 · compared with 14:00–14:07', {}],
  [
    'complete from 14:00:00 · compared with 14:00:00–14:00:40',
    {basis: {...basis, comparedWith: {from: at('14:00:00'), to: at('14:00:40')}}},
  ],
  ['joined from 14:00:00 · compared with 14:00–14:07', {basis: {...basis, proof: 'inferred'}}],
  ['joined from 14:00:00 · compared with 14:00–14:07', {basis: {...basis, proof: 'said'}}],
  ['no lines held', {wholeSince: undefined, basis: {...basis, comparedWith: undefined}}],
  [
    'complete from 14:00:00; nothing older read · no calm time held to compare with',
    {verdict: {kind: 'found'}, basis: {...basis, comparedWith: undefined}},
  ],
  [
    'complete from 14:00:00; nothing older read',
    {verdict: {kind: 'unknown', why: {why: 'noBaseline'}}, basis: {...basis, comparedWith: undefined}},
  ],
  [
    'complete from 14:00:00 · possible gap 14:20:00 to 14:30:00 · no answer since 14:20:00 · 1 more such time · compared with 14:00–14:07',
    {
      verdict: {kind: 'found'},
      basis: {...basis, uncovered: [hole({}), hole({why: 'outage'}), hole({why: 'silence'})]},
    },
  ],
])('it rests on "%s"', (words, change) => {
  expect(basisWords(report(change), formatClock)).toBe(words);
});

test.each<[string, Partial<IncidentReport>]>([
  ['no errors', {}],
  ['3 errors, as before', {errorCount: 3}],
  [
    '14 errors, as before: 8 × mail queue full, 3 × GET /favicon.ico 404, 2 × a',
    {
      errorCount: 14,
      errorKinds: [
        {of: 'kind', subject: 'mail queue full', count: 8, last: undefined},
        {of: 'failed', subject: 'GET /favicon.ico 404', count: 3, last: undefined},
        {of: 'kind', subject: 'a', count: 2, last: undefined},
        {of: 'kind', subject: 'b', count: 1, last: undefined},
      ],
    },
  ],
  ['nothing found in what is held, 1 error', {errorCount: 1, verdict: {kind: 'unknown', why: {why: 'noBaseline'}}}],
])('errors where nothing was found: "%s"', (words, change) => {
  expect(errorsSentence(report(change))).toBe(words);
});
