import {branchName} from '#app/choices/branch-choices.ts';
import {type ListPane, selectedIndexOf} from '#app/choices/list-pane.ts';
import {type Hint, hintsOfLists} from '#app/help/select-hints.ts';
import type {IncidentPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {joinParts, rowWidth, wrapProse} from '#app/rows/fit-row.ts';
import {type Span, span, type Tone, type ViewRow} from '#app/rows/view-row.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {findingWords, incidentClock} from '#app/words/incident-words.ts';
import {basisWords, errorsSentence, verdictTitle} from '#app/words/verdict-words.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {TimeSpan} from '#log/incident/verdict.ts';
import {formatClock, type Instant, instantToMs} from '#log/line/instant.ts';
import type {Severity} from '#log/reading/find-fields.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {cellWidth} from '#log/text/width.ts';
import {formatCount} from '#log/words/format-count.ts';
import {errorsInTitle, type IncidentItem, listIncidentItems} from './incident/incident-items.ts';
import {isReadingBack} from './incident/older-lines.ts';

/** Text at the right edge stays near its subject, however wide the terminal is. */
const widthMax = 100;

/** Returns the pane of the incident. Rows without a key only say something. */
export const listIncident = (frame: Frame, log: LogState, pane: IncidentPane): ListPane => {
  const {incident} = pane;
  const title = selectTitle(frame, log, pane);
  if (incident === undefined) {
    return {title, rows: [], hints};
  }
  const items = listIncidentItems(frame, log, {...pane, incident});
  const cells = layOut(items, Math.min(widthMax, frame.columns));
  return {
    title,
    rows: items.map(item => ({key: item.key, sign: signs[item.severity], row: () => itemRow(item, cells)})),
    foot: selectFoot(frame, incident),
    hints,
  };
};

const signs: Readonly<Record<Severity, Span>> = {plain: span(' '), warn: span('!', 'warn'), bad: span('✗', 'bad')};

const verdictTones: Readonly<Record<IncidentReport['verdict']['kind'], Tone>> = {
  ...{found: 'bad', calm: 'good', unknown: 'busy'},
};

/** Returns the verdict, or how far the log was read for one, and how many errors there are. */
const selectTitle = (frame: Frame, log: LogState, pane: IncidentPane): ViewRow => {
  const {incident} = pane;
  const columns = Math.min(widthMax, frame.columns);
  const isFound = incident?.verdict.kind === 'found';
  const reading = incident === undefined || !incident.isComplete || hasOlderSince(log, incident);
  const remarks = {row: remarkRow(log, pane), rank: 3};
  if (incident === undefined || (reading && !isFound)) {
    return joinParts([{row: [span(readWords(log), 'busy')], rank: 0}, remarks], columns);
  }
  // A verdict that may change soon says so, whatever has to go for it.
  const readingOn = incident.isComplete ? (reading ? 'reading older' : '') : 'reading on';
  const soon = {row: readingOn === '' ? [] : [span(readingOn, 'busy')], rank: 1};
  const [, verdict = '', rest = ''] =
    /^(incident|calm|cannot tell:|other than before)(.*)$/.exec(verdictTitle(incident, incidentClock(incident))) ?? [];
  const head = [span(verdict.toUpperCase(), verdictTones[incident.verdict.kind]), span(rest, 'strong')];
  const remark = remarks.row.length === 0 ? 0 : rowWidth(remarks.row) + partGap;
  const room = columns - rowWidth(head) - partGap - 2;
  const words = errorsWords(frame, incident);
  // Where nothing is found, the rows below list them, too.
  const errors = isFound ? words : room - remark < errorCellsMin ? '' : cutToCells(words, room - remark);
  const right = {row: errors === '' ? [] : [span(errors)], rank: 2};
  return joinParts([{row: head, rank: 0}, soon, remarks], columns, right);
};

/** Between two parts of a row. */
const partGap = 3;
/** With less of it, nobody knows what is told. */
const errorCellsMin = 24;

const errorsWords = (frame: Frame, incident: IncidentReport): string => {
  const errors = errorsInTitle(frame, incident);
  return errors !== undefined
    ? `errors ${findingWords(errors, incident, incidentClock(incident)).subject}`.replace('of all lines', 'of lines')
    : incident.verdict.kind === 'found'
      ? ''
      : errorsSentence(incident);
};

/** `12 of 60 min read, no verdict yet` */
const readWords = (log: LogState): string => {
  const {entryCount, timeAt} = viewAll(log);
  const [oldest, newest] = [timeAt(0), timeAt(entryCount - 1)];
  const minutes = (from: Instant): string => formatCount(Math.round(instantToMs((newest ?? from) - from) / 60_000));
  if (oldest === undefined || !isReadingBack(log)) {
    return 'reading the log, no verdict yet';
  }
  const wanted = log.readBack === undefined ? '' : ` of ${minutes(log.readBack.to)}`;
  return `${minutes(oldest)}${wanted} min read, no verdict yet`;
};

/** Whether older lines come, or came since: of what was held then, nobody concludes that nothing is wrong. */
const hasOlderSince = (log: LogState, {from}: IncidentReport): boolean =>
  isReadingBack(log) || (viewAll(log).timeAt(0) ?? from) < from;

/** Lines that are newer by less come in the time that it takes to find it again. */
const staleNanos = 5_000_000_000n;

/** Tells with what it was compared, and when it was found if newer lines have come. */
const remarkRow = (log: LogState, {order, compared, isReading, incident}: IncidentPane): ViewRow => {
  const {entryCount, timeAt} = viewAll(log);
  const [wanted, known] = [order.compared?.branch, compared?.branch];
  const isAwaited = isReading && wanted !== undefined && wanted._id !== known?._id;
  const isFound = incident?.verdict.kind === 'found';
  const {from, to, now} = order.asked;
  const isLimited = from !== undefined || to !== undefined;
  const newest = timeAt(entryCount - 1);
  const isOld =
    incident?.isComplete === true && to === undefined && newest !== undefined && newest - incident.to > staleNanos;
  const hasEnded = incident !== undefined && !isFound && now === undefined && to === undefined && !isOld;
  const words = [
    ...(isAwaited ? [`reading ${branchName(wanted)}`] : known ? [`compared with ${branchName(known)}`] : []),
    ...(incident?.change !== undefined && incident.verdict.kind === 'unknown' ? ['since the deployment'] : []),
    ...(isLimited && incident ? [`only ${spanOf(incident.basis.asked)}`] : []),
    ...(isOld ? [`as of ${formatClock(incident.to)}`] : []),
    ...(hasEnded ? [`its end is ${formatClock(incident.to)}`] : []),
  ];
  return words.length === 0 ? [] : [span(words.join(', '), 'dim')];
};

const spanOf = ({from, to}: TimeSpan): string => `${formatClock(from)}–${formatClock(to)}`;

/** Where fewer rows are left for the findings, the foot has no rule, and a single row. */
const ruleRowsMin = 12;
const basisRowsMax = 2;

/** Returns on what the verdict rests, below a rule. */
const selectFoot = (frame: Frame, incident: IncidentReport): readonly ViewRow[] => {
  const columns = Math.min(widthMax, frame.columns);
  const tone: Tone = incident.basis.uncovered.length === 0 ? 'dim' : 'busy';
  const basis = span(basisWords(incident, incidentClock(incident)), tone);
  return paneRows(frame) < ruleRowsMin
    ? [[span(' '), basis]]
    : [
        [span(` ${'─'.repeat(Math.max(0, columns - 2))}`, 'dim')],
        ...wrapProse([basis], columns)
          .slice(0, basisRowsMax)
          .map(row => [span(' '), ...row.slice(1)]),
      ];
};

const gutterCells = 3;
const leadCellsMin = 'CHANGED'.length;
const whatCellsMin = 8;
/** In narrower terminals the details go. */
const detailCellsMin = 12;

type Cells = {readonly lead: number; readonly what: number; readonly detail: number};

/** Returns the cells of the columns: figures, what they are of, and details close to it. */
const layOut = (items: readonly IncidentItem[], columns: number): Cells => {
  const detailed = items.filter(item => item.detail !== '');
  const lead = Math.max(leadCellsMin, ...items.map(item => item.lead.length)) + 2;
  const room = Math.max(whatCellsMin, columns - gutterCells - lead - 1);
  const whatMost = Math.max(whatCellsMin, ...detailed.map(({what}) => cellWidth(what)));
  const detailMost = Math.max(0, ...detailed.map(({detail}) => cellWidth(detail)));
  // Details have a third of the room at least, and more where what they are of leaves it.
  const detail = Math.min(detailMost, Math.max(Math.floor(room / 3), room - whatMost - 2));
  return detail < Math.min(detailMost, detailCellsMin)
    ? {lead, what: room, detail: 0}
    : {lead, what: Math.min(whatMost, room - detail - 2), detail};
};

const itemRow = ({lead, what, tone, detail, severity}: IncidentItem, cells: Cells): ViewRow => {
  const head = span(`${lead.padStart(cells.lead - 2)}  `, severity === 'plain' ? 'dim' : 'strong');
  return detail === '' || cells.detail === 0
    ? [head, span(what, tone)]
    : [
        head,
        span(padToCells(cutToCells(what, cells.what), cells.what), tone),
        span(`  ${cutToCells(detail, cells.detail)}`, 'dim'),
      ];
};

/** Returns the highlighted item; undefined if none can be chosen. */
export const selectedIncidentItem = (frame: Frame, log: LogState, pane: IncidentPane): IncidentItem | undefined => {
  const {incident} = pane;
  const items = incident === undefined ? [] : listIncidentItems(frame, log, {...pane, incident});
  return items[selectedIndexOf(items, pane)];
};

/** Returns the selected row in words. */
export const readIncidentRow = (frame: Frame, log: LogState, pane: IncidentPane): string => {
  const {incident} = pane;
  if (incident === undefined) {
    return 'The log is being read.';
  }
  const {
    lead = '',
    what = '',
    detail = '',
  } = selectedIncidentItem(frame, log, pane) ?? listIncidentItems(frame, log, {...pane, incident})[0] ?? {};
  return [lead, what, detail].filter(words => words !== '').join(', ');
};

const hints: readonly Hint[] = [
  [['openLine'], 'goes there'],
  [['filterIn'], 'only these'],
  [['watchFinding'], 'watch'],
  [['sinceDeployment'], 'deployment'],
  [['compareIncident'], 'compare'],
  [['saveIncident'], 'note'],
  [['copyLines'], 'copy'],
  ...hintsOfLists,
];
