import {nameCharsMax} from '#app/rows/fit-row.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {type IncidentFinding, isChange, quietSinceOf, type Who} from '#log/incident/incident-finding.ts';
import type {SinceReport} from '#log/incident/since-change.ts';
import {formatClock, formatInstant, type Instant, instantToMs} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {shapeWords} from '#log/traits/shape-table.ts';
import {type LogView, lineAt} from '#log/view/log-view.ts';
import {countOf, formatCount, percentWords} from '#log/words/format-count.ts';
import {formatLength} from './format-time.ts';
import {basisWords, errorsSentence, lengthBetween, verdictTitle} from './verdict-words.ts';

/** More cannot be compared at a glance. */
const whoMax = 3;

/** Says whose lines the findings mostly are, the most telling first. Safe to draw. */
export const whoWords = (findings: readonly IncidentFinding[]): readonly string[] => {
  const words = findings.flatMap(({who}) => who.map(oneWho));
  return [...new Set(words)].slice(0, whoMax);
};

const oneWho = ({field, value, share, others}: Who): string => {
  const name = `${sanitiseWord(field, nameCharsMax)} ${sanitiseWord(value, nameCharsMax)}`;
  return `${name}  ${percentWords(share)}, else ${others === 0 ? 'none' : percentWords(others)}`;
};

type FormatTime = (at: Instant) => string;

const dayNanos = 86_400_000_000_000n;

/** Returns a clock for the times around an incident; what is more than a day old has its date before it. */
export const incidentClock = ({to}: Pick<IncidentReport, 'to'>): FormatTime => {
  return at => `${to - at > dayNanos ? `${formatInstant(at).slice(5, 10)} ` : ''}${formatClock(at)}`;
};

/** `22 s before` the onset, `3 s after` it; without one `22 s ago`, from the newest line. */
export const distanceWords = ({onset, to}: Pick<IncidentReport, 'onset' | 'to'>, at: Instant): string => {
  if (onset === undefined) {
    return `${lengthBetween(at, to)} ago`;
  }
  const ms = instantToMs(at - onset);
  return Math.abs(ms) < 1000 ? 'at once' : `${formatLength(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'}`;
};

/** A finding in words: the figure that leads, what it is of, and what else there is to know. Safe to draw. */
type FindingWords = {readonly lead: string; readonly subject: string; readonly detail: string};

const subjectCharsMax = 200;

const numberWords = (value: IncidentFinding['now']): string =>
  typeof value !== 'number'
    ? (value ?? '')
    : value < 9.95
      ? String(Math.round(value * 10) / 10)
      : formatCount(Math.round(value));
const rateWords = (value: IncidentFinding['now']): string => `${numberWords(value)}/min`;
const shareWords = (value: IncidentFinding['now']): string => percentWords(typeof value === 'number' ? value : 0);
const msWords = (value: IncidentFinding['now']): string =>
  typeof value !== 'number' ? '' : value < 1000 ? `${Math.round(value)} ms` : `${Math.round(value / 100) / 10} s`;

type Subject = Pick<IncidentFinding, 'what' | 'of' | 'subject'>;

const bareSubject = (finding: Subject): string => {
  const {of, subject} = finding;
  const isShape = of === 'kind' || (of === 'message' && !isChange(finding));
  return sanitiseWord(isShape ? shapeWords(subject) : subject, subjectCharsMax);
};

/** Names what a finding is about. Safe to draw. */
export const subjectWords = (finding: Subject): string => {
  const bare = bareSubject(finding);
  return finding.of === 'status' ? `status ${bare}` : finding.of === 'pod' ? `errors of ${bare}` : bare;
};

/** `only here`, `also in release/4.2: 12/min`, or why nobody can tell. */
const elsewhereWords = ({elsewhere, unit}: IncidentFinding, format: FormatTime): readonly string[] => {
  if (elsewhere === undefined) {
    return [];
  }
  const {branch, now, holds, holes, who = []} = elsewhere;
  const name = sanitiseWord(branch, subjectCharsMax);
  const [hole] = holes;
  if (holds === 'unknown') {
    const why =
      hole === undefined
        ? 'too few lines'
        : hole.kind === 'gap'
          ? `gap ${format(hole.from)} to ${format(hole.to)}`
          : `none held before ${format(hole.to)}`;
    return [`in ${name} can't tell: ${why}`];
  }
  const value = unit === 'ms' ? `p95 ${msWords(now)}` : unit === 'share' ? shareWords(now) : rateWords(now);
  const whose = who.slice(0, 1).map(each => `mostly ${sanitiseWord(`${each.field}=${each.value}`, subjectCharsMax)}`);
  return [holds ? [`also in ${name}: ${value}`, ...whose].join(', ') : 'only here'];
};

/** Describes a finding; `report` is what it is from. */
export const findingWords = (finding: IncidentFinding, report: IncidentReport, format: FormatTime): FindingWords => {
  const {what, of, before, now, total, only, mayBeOlder, until, since} = finding;
  const subject = bareSubject(finding);
  const also = [
    ...(only === undefined ? [] : [`${sanitiseWord(only, subjectCharsMax)} only`]),
    // That all of it is over is said above.
    ...(until === undefined || report.findings[0]?.until !== undefined ? [] : [`over at ${format(until)}`]),
  ];
  // Narrow screens cut the end.
  const most = elsewhereWords(finding, format);
  const detailOf = (...words: readonly string[]): string => [...most, ...words, ...also].join(', ');
  const was = mayBeOlder ? [] : [before === 0 ? 'was 0' : `was ${rateWords(before)}`];
  const ofAll = total && typeof now === 'number' ? `${percentWords(Math.min(1, now / total))} of all lines` : '';
  switch (what) {
    case 'rise':
      if (of === 'errors') {
        const quietSince = quietSinceOf(finding, report.to);
        const rates = mayBeOlder ? rateWords(now) : `${numberWords(before)} → ${rateWords(now)}`;
        return {
          lead: 'Errors',
          subject: `${rates}${ofAll === '' ? '' : `, ${ofAll}`}`,
          detail: detailOf(
            ...(mayBeOlder ? ['may be older than the log held'] : []),
            ...(quietSince === undefined ? [] : [`none since ${format(quietSince)}`]),
          ),
        };
      }
      return of === 'status'
        ? {
            lead: shareWords(now),
            subject: subjectWords(finding),
            detail: detailOf(`was ${shareWords(before)} of requests`),
          }
        : {lead: rateWords(now), subject: subjectWords(finding), detail: detailOf(...was)};
    case 'new':
      return {lead: rateWords(now), subject, detail: detailOf(`new, first ${format(since)}`)};
    case 'fewer':
      return {lead: rateWords(now), subject: subjectWords(finding), detail: detailOf('fewer', ...was)};
    case 'storm':
      return {lead: rateWords(now), subject, detail: detailOf(...was, ofAll)};
    case 'slower':
      return {
        lead: 'slower',
        subject: `${subject}  ${msWords(before)} → ${msWords(now)}`,
        detail: `p95, ${detailOf(countOf(Math.round(total ?? 0), 'request'))}`,
      };
    case 'stopped':
    case 'gone':
      return {
        lead: what,
        subject,
        detail: detailOf(`was ${rateWords(before)}, none for ${lengthBetween(since, report.to)}`),
      };
    case 'fatal':
      return {lead: format(since), subject, detail: detailOf()};
    case 'changed':
    case 'restart':
      return {
        lead: format(since),
        subject: of === 'field' ? `${subject} ${sanitiseWord(`${before} → ${now}`, subjectCharsMax)}` : subject,
        detail: distanceWords(report, since),
      };
    default:
      return what satisfies never;
  }
};

/** The beginning of a longer line shows what it is about; in a chat, less of it. */
const lineCharsMax = 2000;
const chatCharsMax = 300;
const weakCharsMax = 60;
const cutText = (line: string): string => sanitiseWord(line, chatCharsMax);

/** Returns the lines that prove a finding, its first and its last, as received and safe to draw. */
export const proofLines = ({first, last}: IncidentFinding, view: LogView): readonly string[] =>
  [first, ...(last?.id === first?.id ? [] : [last])].flatMap(anchor => {
    const line = lineAt(view, anchor);
    return line === undefined ? [] : [sanitiseWord(line.raw, lineCharsMax)];
  });

/**
 * Returns the report as lines of text, for a clipboard or a terminal. With a view, each finding has its first line
 * below it. Safe to draw.
 */
export const incidentText = (
  report: IncidentReport & Partial<Pick<SinceReport, 'change'>>,
  format: FormatTime,
  view?: LogView,
): readonly string[] => {
  const {findings, verdict} = report;
  const rowOf = (finding: IncidentFinding) => ({
    ...findingWords(finding, report, format),
    proof: view === undefined ? [] : proofLines(finding, view),
  });
  const symptoms = findings.filter(finding => !isChange(finding) && finding.confidence !== 'weak');
  const weak = findings.filter(finding => !isChange(finding) && finding.confidence === 'weak');
  const [wrong, changes] = [symptoms.map(rowOf), findings.filter(isChange).map(rowOf)];
  const waves = symptoms.flatMap(each => each.waves ?? []).toSorted((a, b) => b.count - a.count)[0];
  const cells = Math.max(0, ...[...wrong, ...changes].map(({lead}) => lead.length)) + 2;
  const textOf = ({lead, subject, detail, proof}: ReturnType<typeof rowOf>): readonly string[] => [
    `  ${lead.padEnd(cells)}${subject}${detail === '' ? '' : `  (${detail})`}`,
    ...proof.slice(0, 1).map(line => `      ${cutText(line)}`),
  ];
  return [
    verdictTitle(report, format),
    basisWords(report, format),
    ...(report.change === undefined ? [] : [`Deployment: ${deploymentWords(report.change, format)}`]),
    ...(verdict.kind === 'found' ? [] : [errorsSentence(report)]),
    ...wrong.flatMap(textOf),
    ...whoWords(symptoms).map(words => `  mostly ${words}`),
    ...(waves === undefined ? [] : [`  ${countOf(waves.count, 'wave')} since ${format(waves.since)}`]),
    ...(changes.length === 0 ? [] : ['Changed:', ...changes.flatMap(textOf)]),
    ...(weak.length === 0 ? [] : [`${countOf(weak.length, 'weak finding')}: ${weakWords(weak)}`]),
  ];
};

/** Names what tells before and after apart. */
const deploymentWords = (change: IncidentFinding, format: FormatTime): string => {
  const {before, now, since} = change;
  const values =
    before === undefined && now === undefined
      ? ''
      : ` ${sanitiseWord(`${before ?? '?'} → ${now ?? '?'}`, subjectCharsMax)}`;
  return `${bareSubject(change)}${values}, ${format(since)}`;
};

/** Maximum number of names. */
const weakNamedMax = 3;

/** Names what may be chance. */
const weakWords = (weak: readonly IncidentFinding[]): string => {
  const named = weak.slice(0, weakNamedMax).map(finding => sanitiseWord(subjectWords(finding), weakCharsMax));
  return [...named, ...(weak.length > weakNamedMax ? ['…'] : [])].join(', ');
};
