import {basisWords} from '#app/words/verdict-words.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {formatInstant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import type {Moment} from './state.ts';
import type {GuardRecord} from './stored.ts';

export const timeOf = (ms: number): string => formatInstant(instantFromMs(ms));

type Known = Pick<GuardRecord, 'what' | 'site' | 'branch' | 'from' | 'text'> &
  Partial<Pick<GuardRecord, 'to' | 'findings'>>;

/** Returns a record; `report` is on what it rests. */
export const recordOf = (known: Known, {atMs}: Moment, report?: IncidentReport): GuardRecord => {
  const {what, site, branch, from} = known;
  const {comparedWith, proof} = report?.basis ?? {};
  const at = parseInstant(from);
  return {
    kind: 'guard',
    id: [what, site, branch ?? '', what === 'more' ? atMs : from].join(' '),
    at: timeOf(atMs),
    to: null,
    findings: [],
    ...known,
    basis: report === undefined ? null : basisWords(report, formatInstant),
    proof: proof ?? null,
    comparedWith:
      comparedWith === undefined ? null : {from: formatInstant(comparedWith.from), to: formatInstant(comparedWith.to)},
    link: branch === null ? null : formatDeepLink({site, branch, at}),
    silenced: false,
  };
};
