import {basisWords, verdictTitle} from '#app/words/verdict-words.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {IncidentFinding, Who} from '#log/incident/incident-finding.ts';
import type {SinceReport} from '#log/incident/since-change.ts';
import type {Span, Uncovered} from '#log/incident/verdict.ts';
import {textOf} from '#log/line/entry.ts';
import {formatInstant} from '#log/line/instant.ts';
import {type LogView, lineAt} from '#log/view/log-view.ts';

const rounded = (value: IncidentFinding['now']): number | string | null =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : (value ?? null);

const spanOf = ({from, to}: Span) => ({from: formatInstant(from), to: formatInstant(to)});

/** Returns the verdict and its basis, as the first record. `branches`: the names of the sources. */
export const verdictRecord = (
  report: IncidentReport & Partial<Pick<SinceReport, 'change'>>,
  branches: readonly string[],
) => {
  const {verdict, basis, from, to, onset, errorCount, change} = report;
  const {asked, covered, uncovered, comparedWith, proof, gapCount} = basis;
  const uncoveredRecord = (part: Uncovered) => ({
    reason: part.why,
    ...spanOf(part),
    branch: branches[part.source] ?? null,
    ...(part.who !== undefined && {source: part.who}),
    ...(part.said !== undefined && {said: part.said}),
  });
  return {
    kind: 'verdict',
    verdict: verdict.kind,
    why: verdict.kind === 'unknown' ? verdict.why.why : null,
    text: verdictTitle(report, formatInstant),
    basis: basisWords(report, formatInstant),
    asked: spanOf(asked),
    covered: covered.map(spanOf),
    uncovered: uncovered.map(uncoveredRecord),
    comparedWith: comparedWith === undefined ? null : spanOf(comparedWith),
    proof,
    gaps: gapCount,
    errors: errorCount,
    onset: onset === undefined ? null : formatInstant(onset),
    ...spanOf({from, to}),
    ...(change !== undefined && {deployment: {subject: change.subject, since: formatInstant(change.since)}}),
  };
};

const whoRecords = (who: readonly Who[]) =>
  who.map(({field, value, share, others}) => ({field, value, share: rounded(share), others: rounded(others)}));

/** Returns a finding as a record, with the times of its first and last line and the text of the first. */
export const incidentRecord = (finding: IncidentFinding, view: LogView) => {
  const {since, until, before, now, unit, total, first, last, only, mayBeOlder, who, waves, elsewhere} = finding;
  const line = lineAt(view, first);
  return {
    kind: 'finding',
    what: finding.what,
    by: finding.of,
    subject: finding.subject,
    since: formatInstant(since),
    until: until === undefined ? null : formatInstant(until),
    before: rounded(before),
    now: rounded(now),
    unit: unit ?? null,
    of: total === undefined ? null : rounded(total),
    confidence: finding.confidence,
    ...(mayBeOlder && {mayBeOlder}),
    ...(only !== undefined && {only}),
    who: whoRecords(who),
    ...(waves !== undefined && {waves: {count: waves.count, since: formatInstant(waves.since)}}),
    from: formatInstant(first?.at ?? since),
    to: formatInstant(last?.at ?? until ?? since),
    ...(elsewhere !== undefined && {
      elsewhere: {
        branch: elsewhere.branch,
        now: rounded(elsewhere.now),
        unit: unit ?? null,
        holds: elsewhere.holds,
        ...(elsewhere.who !== undefined && {who: whoRecords(elsewhere.who)}),
        gaps: elsewhere.holes.map(hole => ({from: formatInstant(hole.from), to: formatInstant(hole.to)})),
      },
    }),
    ...(line !== undefined && {line: textOf(line)}),
  };
};
