import {cutToCells, padToCells} from '../../../log/cells/cut.ts';
import {cellWidth} from '../../../log/cells/width.ts';
import {type Hint, joinHints} from '../../help/select-hints.ts';
import {fitRow, joinParts} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import {type IncidentPane, type LogState, paneRows, type State} from '../../state/state.ts';
import {incidentClock, incidentSinceWords} from '../../words/incident-words.ts';
import {type IncidentItem, listIncidentItems} from './incident-items.ts';
import {incidentRows} from './update-incident.ts';

/** Returns the pane of the incident: a title row and its items. */
export const selectIncident = (
  state: State,
  log: LogState,
  {incident, selected, top}: IncidentPane,
): readonly ViewRow[] => {
  const {columns} = state;
  const items = listIncidentItems(incident, log);
  const whatCells = layOut(items, columns);
  const rows = items.slice(top, top + incidentRows(state)).map((item, index): ViewRow => {
    const isSelected = top + index === selected && item.place !== undefined;
    const isFirst = items[top + index - 1]?.section !== item.section;
    return [isSelected ? span(' ▸ ', 'accent') : span('   '), ...itemRow(item, isFirst, whatCells, columns)];
  });
  const blank = Array.from({length: Math.max(0, paneRows(state) - 1 - rows.length)}, (): ViewRow => []);
  const clock = incidentClock(incident);
  const title = joinParts(
    [
      {row: [span('incident', 'strong')], rank: 0},
      {row: [span(`${clock(incident.from)} to ${clock(incident.to)}`, 'dim')], rank: 2},
    ],
    columns,
    {row: [span(incidentSinceWords(incident, clock), incident.gaps.length === 0 ? 'dim' : 'busy')], rank: 1},
  );
  return [...(paneRows(state) > 1 ? [title] : []), ...rows, ...blank].map(row => fitRow(row, columns));
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

/** Returns the selected row in words. */
export const readIncidentRow = (log: LogState, {incident, selected}: IncidentPane): string => {
  const {section, time, what, right} = listIncidentItems(incident, log)[selected] ?? {};
  return [section, time, what, right].filter(words => words !== undefined && words !== '').join(', ');
};

const hints: readonly Hint[] = [
  [['openLine'], 'goes there'],
  [['saveIncident'], 'note'],
  [['back'], 'back to the log'],
  [['moveUp', 'moveDown'], 'choose'],
  [['toggleHelp'], 'help'],
];

/** Returns the key hints of the incident, which has its own keys while it is open. */
export const selectIncidentHints = (columns: number): ViewRow => joinHints('log', hints, columns);
