import type {IncidentReport} from '../../log/incident/find-incident.ts';
import type {IncidentFinding} from '../../log/incident/incident-finding.ts';
import {textOf} from '../../log/line/entry.ts';
import {formatInstant} from '../../log/line/instant.ts';
import {lineAt} from '../../log/view/line-at.ts';
import type {LogView} from '../../log/view/log-view.ts';

const rounded = (value: IncidentFinding['now']): number | string | null =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : (value ?? null);

/** Returns what the findings rest on, as the first record. */
export const heldRecord = ({from, to, proof, gaps, onset, errorCount}: IncidentReport) => ({
  kind: 'held',
  from: formatInstant(from),
  to: formatInstant(to),
  proof,
  gaps: gaps.length,
  errors: errorCount,
  onset: onset === undefined ? null : formatInstant(onset),
});

/** Returns a finding as a record, with the times of its first and last line and the text of the first. */
export const incidentRecord = (finding: IncidentFinding, view: LogView) => {
  const {since, until, before, now, unit, total, first, last, only, mayBeOlder, elsewhere} = finding;
  const line = lineAt(view, first);
  return {
    kind: 'finding',
    what: finding.what,
    by: finding.of,
    subject: finding.subject,
    since: formatInstant(since),
    ...(until !== undefined && {until: formatInstant(until)}),
    before: rounded(before),
    now: rounded(now),
    unit: unit ?? null,
    of: total === undefined ? null : rounded(total),
    confidence: finding.confidence,
    ...(mayBeOlder && {mayBeOlder}),
    ...(only !== undefined && {only}),
    from: formatInstant(first?.at ?? since),
    to: formatInstant(last?.at ?? until ?? since),
    ...(elsewhere !== undefined && {
      elsewhere: {
        branch: elsewhere.branch,
        now: rounded(elsewhere.now),
        unit: unit ?? null,
        holds: elsewhere.holds,
        gaps: elsewhere.holes.map(hole => ({from: formatInstant(hole.from), to: formatInstant(hole.to)})),
      },
    }),
    ...(line !== undefined && {line: textOf(line)}),
  };
};
