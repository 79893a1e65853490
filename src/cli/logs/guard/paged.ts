import {maskSecrets, secretMask} from '#base/secret.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {findingOf, type IncidentFinding, isTrouble} from '#log/incident/incident-finding.ts';
import {lineTestOf, type RecoveryWatch} from '#log/incident/recovery-watch.ts';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import type {ToldFinding} from './stored.ts';

/** Errors, ends of processes, slow requests, and what stops; not masses of messages that are no errors. */
const isSerious = ({what, of, subject}: IncidentFinding): boolean => {
  if (what === 'fatal' || what === 'stopped') {
    return true;
  }
  switch (of) {
    case 'errors':
    case 'kind':
    case 'failed':
    case 'pod':
    case 'request':
      return true;
    case 'source':
      return what === 'gone';
    case 'status':
      return subject.startsWith('5');
    case 'message':
    case 'field':
      return false;
    default:
      return of satisfies never;
  }
};

/** Returns what somebody is paged for: sure, and serious. */
export const pagedFindings = ({verdict, findings}: IncidentReport): readonly ToldFinding[] =>
  verdict.kind === 'found'
    ? findings.filter(finding => finding.confidence === 'sure' && isTrouble(finding) && isSerious(finding)).map(toldOf)
    : [];

/** Returns what is more than chance, sure or not. */
export const currentFindings = ({findings}: IncidentReport): readonly ToldFinding[] =>
  findings.filter(isTrouble).map(toldOf);

const masked = (value: IncidentFinding['now']): number | string | null =>
  typeof value === 'string' ? maskSecrets(value) : value === undefined ? null : Math.round(value * 1000) / 1000;

const toldOf = ({what, of, subject, since, until, before, now, unit}: IncidentFinding): ToldFinding => ({
  ...{what, by: of, subject: maskSecrets(subject), since: formatInstant(since)},
  until: until === undefined ? null : formatInstant(until),
  ...{before: masked(before), now: masked(now), unit: unit ?? null},
});

const isOfMissing = ({what}: ToldFinding): boolean => what === 'stopped' || what === 'gone';

/** The same for findings of the same, perhaps of different times. */
export const keyOf = (finding: ToldFinding): string =>
  [finding.by, isOfMissing(finding) ? 'missing' : 'lines', finding.subject].join(' ');

/**
 * What was there before goes on at its usual rate, so that no line of it need ever stop. Nor are lines known by a text
 * that is masked.
 */
export const isOfRates = (finding: ToldFinding): boolean =>
  isOfMissing(finding) ||
  finding.subject.includes(secretMask) ||
  (typeof finding.before === 'number' && finding.before > 0);

/** Returns the test for the lines of findings of which none may come. */
export const matchOf = (findings: readonly ToldFinding[]): RecoveryWatch['isMatch'] => {
  const tests = findings
    .filter(finding => !isOfRates(finding))
    .flatMap(({what, by, subject, since, before, now}) => {
      const known = {what, of: by, subject, since: parseInstant(since) ?? 0n};
      return lineTestOf(findingOf({...known, before: before ?? undefined, now: now ?? undefined})) ?? [];
    });
  return line => tests.some(test => test(line));
};
