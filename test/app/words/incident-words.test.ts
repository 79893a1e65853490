import {expect, test} from 'vitest';
import {incidentSinceWords} from '../../../src/app/words/incident-words.ts';
import {findIncident, type IncidentReport} from '../../../src/log/incident/find-incident.ts';
import {formatClock, parseInstant} from '../../../src/log/line/instant.ts';

const from = parseInstant('2026-11-21T14:00:00Z') ?? 0n;
const later = parseInstant('2026-11-21T14:05:00Z') ?? 0n;

/** Without a log there is nothing to tell; what the words are about is given. */
const report = (change: Partial<IncidentReport>): IncidentReport => ({...findIncident([]), from, ...change});

test.each<[string, Partial<IncidentReport>]>([
  ['whole over all of it', {wholeSince: from, proof: 'counted'}],
  ['joined over all of it', {wholeSince: from, proof: 'said'}],
  ['whole since 14:05:00', {wholeSince: later, proof: 'counted'}],
  ['joined since 14:05:00', {wholeSince: later, proof: 'inferred'}],
  ['no lines held', {wholeSince: undefined, proof: 'counted'}],
])('says "%s"', (words, change) => {
  expect(incidentSinceWords(report(change), formatClock)).toBe(words);
});
