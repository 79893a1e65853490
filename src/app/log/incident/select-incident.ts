import {cutToCells, padToCells} from '../../../log/cells/cut.ts';
import {cellWidth} from '../../../log/cells/width.ts';
import type {IncidentReport} from '../../../log/incident/find-incident.ts';
import {isChange, isOfMissing} from '../../../log/incident/incident-finding.ts';
import {formatClock} from '../../../log/line/instant.ts';
import {branchName} from '../../choices/branch-choices.ts';
import {type Hint, hintsOfLists} from '../../help/select-hints.ts';
import type {ListPane} from '../../list-pane/list-pane.ts';
import {selectedIndexOf} from '../../list-pane/list-place.ts';
import {joinParts} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import {viewAll} from '../../state/log-sources.ts';
import type {IncidentPane, LogState, State} from '../../state/state.ts';
import {incidentClock} from '../../words/incident-words.ts';
import {basisWords, verdictTitle} from '../../words/verdict-words.ts';
import {type IncidentItem, listIncidentItems} from './incident-items.ts';

/** Returns the pane of the incident. Rows without a place in the log only say something. */
export const listIncident = (state: State, log: LogState, pane: IncidentPane): ListPane => {
  const {columns} = state;
  const {incident} = pane;
  if (incident === undefined) {
    return {title: [span(' incident', 'strong')], rows: [{row: () => [span('   reading the log', 'busy')]}], hints};
  }
  const items = listIncidentItems(state, log, incident);
  const cells = layOut(items, columns);
  const clock = incidentClock(incident);
  return {
    title: joinParts(
      [
        {row: [span(verdictTitle(incident, clock), 'strong')], rank: 0},
        {row: asOfRow(log, pane, incident), rank: 2},
      ],
      columns,
      {row: [span(basisWords(incident, clock), incident.basis.uncovered.length === 0 ? 'dim' : 'busy')], rank: 1},
    ),
    rows: items.map((item, index) => {
      const row = (): ViewRow => itemRow(item, cells);
      return item.place === undefined
        ? {row: () => [span(' '.repeat(gutterCells)), ...row()]}
        : {key: keyOf(item, index), row};
    }),
    hints,
  };
};

/** Tells that it is read on, with what it was compared, and when it was found if newer lines have come. */
const asOfRow = (
  log: LogState,
  {order, compared, isReading}: IncidentPane,
  {isComplete, to}: IncidentReport,
): ViewRow => {
  const {entryCount, timeAt} = viewAll(log);
  const [wanted, known] = [order.compared?.branch, compared?.branch];
  const isAwaited = isReading && wanted !== undefined && wanted._id !== known?._id;
  const words = [
    ...(isComplete ? [] : ['a first look, reading on']),
    ...(isAwaited ? [`reading ${branchName(wanted)}`] : known ? [`compared with ${branchName(known)}`] : []),
    ...(isComplete && timeAt(entryCount - 1) !== to ? [`as of ${formatClock(to)}`] : []),
  ];
  return words.length === 0 ? [] : [span(words.join(', '), isComplete && !isAwaited ? 'dim' : 'busy')];
};

/** The same for the same finding when it is found anew, so that the highlight stays with it. */
const keyOf = ({finding}: IncidentItem, index: number): string =>
  finding === undefined
    ? String(index)
    : [finding.of, isOfMissing(finding), isChange(finding) ? finding.since : '', finding.subject].join(' ');

const gutterCells = 3;
const leadCellsMin = 'Changed'.length;
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

const itemRow = ({lead, what, tone, detail}: IncidentItem, cells: Cells): ViewRow => {
  const head = span(lead.padEnd(cells.lead), 'strong');
  return detail === '' || cells.detail === 0
    ? [head, span(what, tone)]
    : [
        head,
        span(padToCells(cutToCells(what, cells.what), cells.what), tone),
        span(`  ${cutToCells(detail, cells.detail)}`),
      ];
};

/** Returns the highlighted item; undefined if none has a place in the log. */
export const selectedIncidentItem = (state: State, log: LogState, pane: IncidentPane): IncidentItem | undefined =>
  pane.incident &&
  listIncidentItems(state, log, pane.incident)[selectedIndexOf(listIncident(state, log, pane).rows, pane)];

/** Returns the selected row in words. */
export const readIncidentRow = (state: State, log: LogState, pane: IncidentPane): string => {
  const item =
    selectedIncidentItem(state, log, pane) ?? (pane.incident && listIncidentItems(state, log, pane.incident)[0]);
  return item === undefined
    ? 'The log is being read.'
    : [item.lead, item.what, item.detail].filter(words => words !== '').join(', ');
};

const hints: readonly Hint[] = [
  [['openLine'], 'goes there'],
  [['filterIn'], 'only these'],
  [['watchFinding'], 'watch'],
  [['compareIncident'], 'only here?'],
  [['saveIncident'], 'note'],
  [['copyLines'], 'copy'],
  ...hintsOfLists,
];
