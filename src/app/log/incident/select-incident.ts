import {cutToCells, padToCells} from '../../../log/cells/cut.ts';
import {cellWidth} from '../../../log/cells/width.ts';
import type {Hint} from '../../help/select-hints.ts';
import type {ListPane} from '../../list-pane/list-pane.ts';
import {selectedIndexOf} from '../../list-pane/list-place.ts';
import {joinParts} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import type {IncidentPane, LogState, State} from '../../state/state.ts';
import {incidentClock, incidentSinceWords} from '../../words/incident-words.ts';
import {type IncidentItem, listIncidentItems} from './incident-items.ts';

/** Returns the pane of the incident. Rows without a place in the log only say something. */
export const listIncident = (state: State, log: LogState, {incident}: IncidentPane): ListPane => {
  const {columns} = state;
  const items = listIncidentItems(incident, log);
  const whatCells = layOut(items, columns);
  const clock = incidentClock(incident);
  return {
    title: joinParts(
      [
        {row: [span('incident', 'strong')], rank: 0},
        {row: [span(`${clock(incident.from)} to ${clock(incident.to)}`, 'dim')], rank: 2},
      ],
      columns,
      {row: [span(incidentSinceWords(incident, clock), incident.gaps.length === 0 ? 'dim' : 'busy')], rank: 1},
    ),
    rows: items.map((item, index) => {
      const row = (): ViewRow => itemRow(item, items[index - 1]?.section !== item.section, whatCells, columns);
      return item.place === undefined
        ? {row: () => [span(' '.repeat(gutterCells)), ...row()]}
        : {key: String(index), row};
    }),
    hints,
  };
};

const gutterCells = 3;
const sectionCells = 'Before it'.length + 2;
const timeCells = '14:00:00'.length + 2;
/** In narrower terminals what a row says needs the room. */
const columnsForTimes = 60;
const whatCellsMin = 8;

/** Returns the cells of what the rows say, a time included, so that all numbers stand in one column close to it. */
const layOut = (items: readonly IncidentItem[], columns: number): number => {
  const rows = items.filter(({section}) => section !== '');
  const rightCells = Math.max(0, ...rows.map(({right}) => cellWidth(right)));
  const room = Math.max(whatCellsMin, columns - gutterCells - sectionCells - 2 - rightCells - 1);
  return Math.min(room, Math.max(0, ...rows.map(item => timeOf(item, columns).length + cellWidth(item.what))));
};

const timeOf = ({time}: IncidentItem, columns: number): string =>
  time === '' || columns < columnsForTimes ? '' : time.padEnd(timeCells);

const itemRow = (item: IncidentItem, isFirst: boolean, whatCells: number, columns: number): ViewRow => {
  const {section, what, tone, right} = item;
  if (section === '') {
    return [span(what, tone)];
  }
  const time = timeOf(item, columns);
  const room = whatCells - time.length;
  return [
    span((isFirst ? section : '').padEnd(sectionCells), 'strong'),
    span(time, 'dim'),
    span(padToCells(cutToCells(what, room), room), tone),
    span(`  ${right}`, 'dim'),
  ];
};

/** Returns the highlighted item; undefined if none has a place in the log. */
export const selectedIncidentItem = (state: State, log: LogState, pane: IncidentPane): IncidentItem | undefined =>
  listIncidentItems(pane.incident, log)[selectedIndexOf(listIncident(state, log, pane).rows, pane)];

/** Returns the selected row in words. */
export const readIncidentRow = (state: State, log: LogState, pane: IncidentPane): string => {
  const {section, time, what, right} =
    selectedIncidentItem(state, log, pane) ?? listIncidentItems(pane.incident, log)[0] ?? {};
  return [section, time, what, right].filter(words => words !== undefined && words !== '').join(', ');
};

const hints: readonly Hint[] = [
  [['openLine'], 'goes there'],
  [['saveIncident'], 'note'],
  [['back'], 'back to the log'],
  [['moveUp', 'moveDown'], 'choose'],
  [['toggleHelp'], 'help'],
];
