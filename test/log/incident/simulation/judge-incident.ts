import type {IncidentReport} from '../../../../src/log/incident/find-incident.ts';
import type {IncidentFinding} from '../../../../src/log/incident/incident-finding.ts';
import type {Planted, RandomLog} from './random-log.ts';

export const kinds: readonly Planted['kind'][] = ['errors', 'slower', 'stopped', 'storm', 'flip'];

const whats: Readonly<Record<Planted['kind'], readonly IncidentFinding['what'][]>> = {
  errors: ['rise', 'new'],
  slower: ['slower'],
  stopped: ['stopped'],
  storm: ['storm', 'new'],
  flip: ['changed'],
};

/** Returns the place of what was planted among the findings, from 0, and by how much its onset is off. */
export const judgeIncident = (
  {planted}: RandomLog,
  {findings, from}: IncidentReport,
): {readonly place: number; readonly offSeconds: number} => {
  const isIt = ({what, subject}: IncidentFinding): boolean =>
    planted !== undefined && whats[planted.kind].includes(what) && subject.includes(planted.subject);
  const place = findings.findIndex(isIt);
  const found = findings[place];
  return found === undefined || planted === undefined
    ? {place: Number.POSITIVE_INFINITY, offSeconds: Number.POSITIVE_INFINITY}
    : {place, offSeconds: Math.abs(Number(found.since - from) / 1e9 - planted.at)};
};
