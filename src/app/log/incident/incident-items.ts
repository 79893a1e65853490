import {keyFor} from '#app/keys/keymap.ts';
import type {IncidentPane} from '#app/panes/panes.ts';
import type {Frame, ServiceClock} from '#app/parts/frame.ts';
import {type FindingWatch, watchedMs} from '#app/parts/log-parts.ts';
import type {Tone} from '#app/rows/view-row.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {FoundIncident} from '#app/tail/incident-reading.ts';
import {labelName} from '#app/words/branch-labels.ts';
import {formatLength, formatMoment} from '#app/words/format-time.ts';
import {findingWords, incidentClock, subjectWords, whoWords} from '#app/words/incident-words.ts';
import {markerWords} from '#app/words/marker-words.ts';
import {uncoveredWords} from '#app/words/verdict-words.ts';
import {doubtWords} from '#log/incident/doubt-words.ts';
import type {ErrorKind, IncidentReport} from '#log/incident/find-incident.ts';
import {type IncidentFinding, isChange, isOfMissing, isSameFinding} from '#log/incident/incident-finding.ts';
import {judgeRecovery, type RecoveryWatch} from '#log/incident/recovery-watch.ts';
import type {Verdict} from '#log/incident/verdict.ts';
import {formatClock, type Instant} from '#log/line/instant.ts';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import {type Severity, severityOfLevel} from '#log/reading/find-fields.ts';
import {readingOf} from '#log/reading/reading.ts';
import {shapeMarks} from '#log/traits/fold-text.ts';
import {type Anchor, lineAt} from '#log/view/log-view.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {sinceWord} from '#log/words/proof-words.ts';
import {olderWords} from './older-lines.ts';

type Why = Extract<Verdict, {readonly kind: 'unknown'}>['why']['why'];

/** Says what would help where nobody can tell. */
const adviceWords = ({context}: Pick<State, 'context'>, log: LogState, {why}: {readonly why: Why}): string => {
  const key = (command: Parameters<typeof keyFor>[0]): string => keyFor(command, 'log');
  switch (why) {
    case 'older':
    case 'unread':
    case 'noBaseline':
      return olderWords(log);
    case 'silence':
    case 'noLines':
      return context.parts === 'none'
        ? 'look whether who writes it still runs; this is judged again with each line'
        : `${key('togglePods')} shows whether it still runs; this is judged again with each line`;
    case 'unreadable':
      return `${key('togglePods')} shows who runs; ${key('toggleInspector')} what the service answered`;
    case 'outage':
    case 'notLines':
      return `${key('toggleInspector')} shows what was answered, ${key('tryNow')} asks again`;
    case 'gap':
    case 'loss':
    case 'quiet':
      return `${key('goToTime')} with a range, such as 14:02 to 14:05, judges only what is held whole`;
    case 'tooShort':
      return 'wait a minute';
    case 'reading':
      return 'wait until it is read';
    default:
      return why satisfies never;
  }
};

/** Whether what is watched stopped, in words that are safe to draw. Undefined if nothing is watched. */
export const findingWatchWords = (
  state: ServiceClock,
  {findingWatch, sources}: Pick<LogState, 'findingWatch' | 'sources'>,
): {readonly words: string; readonly tone: Tone} | undefined =>
  findingWatch && wordsOf(state, findingWatch, weakestProof(sources.map(({tail}) => tail.log.proof)));

const wordsOf = (
  state: ServiceClock,
  {finding, perSource, againAt}: FindingWatch,
  proof: Proof,
): {readonly words: string; readonly tone: Tone} => {
  // Polls may have come to an end, or wait for an answer.
  const known = perSource.map(each =>
    state.nowMs - (each.cameMs ?? state.nowMs) > watchedMs ? {...each, isReachable: false} : each,
  );
  const judged = known.map(judgeRecovery);
  const format = (ms: number): string => formatMoment(state, ms);
  const lost = known.findIndex(({isReachable}) => !isReachable);
  const unsure = lost === -1 ? judged.findIndex(({verdict}) => verdict === 'unknown') : lost;
  const isMissing = isOfMissing(finding);
  if (lost === -1 && judged.some(({verdict}) => verdict === 'there')) {
    const count = known.reduce((sum, each) => sum + countOfLate(each), 0);
    const span = Math.min(watchedMs, Math.max(...known.map(({cameMs = 0, sinceMs = cameMs}) => cameMs - sinceMs)));
    const often = `${formatCount(count)} in the last ${span === watchedMs ? 'minute' : formatLength(span)}`;
    return isMissing
      ? {words: `back: ${often}`, tone: 'good'}
      : {words: againAt === undefined ? `still: ${often}` : `again at ${formatClock(againAt)}, ${often}`, tone: 'bad'};
  }
  const doubt = judged[unsure]?.doubt;
  if (doubt !== undefined) {
    return {words: `can't tell: ${doubtWords(doubt, format)}`, tone: 'busy'};
  }
  const clearMs = Math.min(...known.map(({cameMs = 0, clearSinceMs = cameMs}) => cameMs - clearSinceMs));
  const doubted = known.find(({isDoubtful}) => isDoubtful);
  const before = doubted === undefined ? '' : `, before that: ${doubtWords(doubted.doubt, format)}`;
  const none = isMissing ? 'still none' : '0';
  return {
    words: `${none} in ${formatLength(clearMs)}, log ${sinceWord(proof)}${before}`,
    tone: isMissing ? 'bad' : 'good',
  };
};

const countOfLate = ({matchMs, cameMs = 0, forMs}: RecoveryWatch): number =>
  matchMs.filter(ms => ms > cameMs - forMs).length;

/** A row of the incident's pane; foreign text in it is safe. */
export type IncidentItem = {
  /** The same for the same row when it is found again; undefined for one that only says something. */
  readonly key: string | undefined;
  /** As bad as its lines are. */
  readonly severity: Severity;
  /** A figure, or the head of the rows that follow. */
  readonly lead: string;
  readonly what: string;
  readonly tone: Tone;
  readonly detail: string;
  /** Where it is in the log: an entry, or a time. */
  readonly place: Anchor | Instant | undefined;
  /** Which finding it tells. */
  readonly finding: IncidentFinding | undefined;
};

/** The row that opens and folds what is weak. */
export const weakKey = 'weak';

const gapsMax = 3;
/** As many reasons as somebody reads. */
const uncoveredMax = 5;

/** Returns what the title says about all errors; undefined where a row does. */
export const errorsInTitle = (
  {columns}: Pick<State, 'columns'>,
  {findings}: IncidentReport,
): IncidentFinding | undefined =>
  columns < titleColumnsMin || findings.filter(isShown).length < 2
    ? undefined
    : findings.find(finding => finding.of === 'errors' && isShown(finding));

const titleColumnsMin = 70;

const isWeak = (finding: IncidentFinding): boolean => finding.confidence === 'weak' && !isChange(finding);
const isShown = (finding: IncidentFinding): boolean => !isWeak(finding) && !isChange(finding);

/** Lists the rows of an incident: what is wrong, who, why nobody can tell, what changed, what is weak, gaps. */
export const listIncidentItems = (
  state: Frame,
  log: LogState,
  {incident: report, showsWeak}: Pick<IncidentPane, 'showsWeak'> & {readonly incident: FoundIncident},
): readonly IncidentItem[] => {
  const {findings, verdict, basis, gaps, errorKinds, change} = report;
  const clock = incidentClock(report);
  const itemOf = (finding: IncidentFinding): IncidentItem => findingItem(state, log, report, finding);
  const told = errorsInTitle(state, report);
  const weak = findings.filter(isWeak);
  const changes = [
    ...(change === undefined ? [] : [{...itemOf(change), detail: 'the deployment'}]),
    ...findings.filter(isChange).map(itemOf),
  ];
  const isUnknown = verdict.kind === 'unknown';
  const waves = findings.flatMap(each => each.waves ?? []).toSorted((a, b) => b.count - a.count);
  return [
    ...(isUnknown
      ? basis.uncovered.slice(0, uncoveredMax).map(
          (hole, index): IncidentItem => ({
            ...saying('', whoseWords(log, hole.source) + uncoveredWords(hole, clock)),
            ...{key: `hole ${index}`, severity: 'warn', place: hole.from},
          }),
        )
      : []),
    ...(isUnknown ? [saying('help', adviceWords(state, log, verdict.why))] : []),
    ...(verdict.kind === 'found' ? [] : errorKinds.map(errorItem)),
    ...findings.filter(finding => isShown(finding) && finding !== told).map(itemOf),
    ...whoWords(findings.filter(isShown)).map((words, index) => saying(index === 0 ? 'mostly' : '', words)),
    ...waves.slice(0, 1).map(
      ({count, since}): IncidentItem => ({
        ...saying('before', `${countOf(count, 'wave')} since ${clock(since)}`),
        ...{key: 'waves', place: since},
      }),
    ),
    ...(verdict.kind === 'found' && findings[0]?.mayBeOlder === true ? [saying('older', olderWords(log))] : []),
    ...(changes.length > 0
      ? changes.map((item, index) => (index === 0 ? {...item, lead: 'CHANGED'} : item))
      : [
          saying(
            'CHANGED',
            `nothing that ${state.context.parts === 'none' ? 'the lines' : 'the lines, the branch or its pods'} report`,
          ),
        ]),
    ...(weak.length === 0 ? [] : [weakItem(weak.length, showsWeak), ...(showsWeak ? weak.map(itemOf) : [])]),
    ...gaps.slice(0, gapsMax).map(
      ({source, marker}, index): IncidentItem => ({
        ...saying(index === 0 ? 'gaps' : '', whoseWords(log, source) + markerWords(marker).words),
        ...{key: `gap ${source} ${marker.id}`, severity: 'warn', place: {source, id: marker.id, at: marker.at}},
      }),
    ),
  ];
};

/** Names whose something is; empty with one branch. */
const whoseWords = ({sources}: LogState, index: number | undefined): string => {
  const source = sources.length === 1 || index === undefined ? undefined : sources[index];
  return source === undefined ? '' : `${labelName(source.branch)}: `;
};

const findingItem = (
  state: ServiceClock,
  log: LogState,
  report: IncidentReport,
  finding: IncidentFinding,
): IncidentItem => {
  const {lead, subject, detail: said} = findingWords(finding, report, incidentClock(report));
  const isWatched = log.findingWatch !== undefined && isSameFinding(log.findingWatch.finding, finding);
  const watched = isWatched ? findingWatchWords(state, log)?.words : undefined;
  const what = whoseWords(log, finding.first?.source) + shortShape(subject);
  const isOfChange = isChange(finding);
  return {
    key: [finding.of, isOfMissing(finding), isOfChange ? finding.since : '', finding.subject].join(' '),
    severity: isOfChange ? 'plain' : severityOf(log, finding),
    lead: isOfChange ? '' : lead,
    what: isOfChange ? `${lead}  ${what}` : what,
    tone: isOfChange ? 'accent' : finding.confidence === 'sure' ? 'strong' : 'plain',
    detail: [watched, said].filter(words => words).join('; '),
    place: finding.first ?? finding.since,
    finding,
  };
};

/** The mark of a number takes a cell on screens, where texts are cut. */
const shortShape = (text: string): string => text.replaceAll(shapeMarks.number, '#');

/** As bad as its first line; what has none, as it slows or stops, is worth a warning. */
const severityOf = (log: LogState, {of, what, first}: IncidentFinding): Severity => {
  if (what === 'fewer') {
    return 'plain';
  }
  if (of === 'errors' || of === 'failed' || of === 'pod' || what === 'fatal') {
    return 'bad';
  }
  const line = what === 'slower' || what === 'stopped' || what === 'gone' ? undefined : lineAt(viewAll(log), first);
  return line === undefined ? 'warn' : severityOfLevel(readingOf(line).level);
};

/** Errors that are there, though nothing is other than before. */
const errorItem = ({of, subject, count, last}: ErrorKind): IncidentItem => ({
  ...saying(`${formatCount(count)} ×`, shortShape(subjectWords({of, what: 'rise', subject}))),
  ...{key: `error ${subject}`, severity: 'bad', place: last},
});

const weakItem = (count: number, showsWeak: boolean): IncidentItem => ({
  ...saying(
    '',
    `${countOf(count, 'weak finding')}${showsWeak ? ', perhaps by chance' : ' more'}: ${keyFor('openLine', 'log')}`,
  ),
  ...{key: weakKey, tone: 'dim'},
});

const saying = (lead: string, what: string): IncidentItem => ({
  ...{key: undefined, severity: 'plain', lead, what, tone: 'plain', detail: '', place: undefined, finding: undefined},
});
