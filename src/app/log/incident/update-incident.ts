import type {Command} from '../../keys/keymap.ts';
import {movement} from '../../keys/movement.ts';
import {withLog} from '../../state/handler.ts';
import {viewAll} from '../../state/log-sources.ts';
import {type IncidentPane, type LogState, paneRows, type State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {goToTime} from '../jumps/go-to-time.ts';
import {goToIndex} from '../pane/cursor.ts';
import {paneOf} from '../pane/log-pane.ts';
import {placeOf} from '../pane/mark-rows.ts';
import {type IncidentItem, listIncidentItems} from './incident-items.ts';
import {readIncident} from './read-incident.ts';

/** Opens the incident as of now. */
export const openIncident = (state: State, log: LogState): Step => {
  if (viewAll(log).entryCount === 0) {
    return stay({...state, notice: 'the log has no lines yet'});
  }
  const incident = readIncident(state, log);
  const selected = Math.max(
    0,
    listIncidentItems(incident, log).findIndex(({place}) => place !== undefined),
  );
  return stay(withLog(state, {...log, overlay: {kind: 'incident', incident, selected, top: 0}}));
};

/** Handles all commands while the incident is open, so that the log underneath stays where it is. */
export const updateIncident = (state: State, log: LogState, pane: IncidentPane, command: Command): Step => {
  switch (command) {
    case 'toggleIncident':
    case 'back':
      return stay(withLog(state, {...log, overlay: undefined}));
    case 'openLine':
      return goToItem(state, log, listIncidentItems(pane.incident, log)[pane.selected]);
    default: {
      const rows = incidentRows(state);
      const distance = movement(command, Math.max(1, rows - 1));
      return distance === undefined
        ? stay(state)
        : stay(withLog(state, {...log, overlay: moved(pane, listIncidentItems(pane.incident, log), distance, rows)}));
    }
  }
};

/** Rows for the items: those of the pane without the title. */
export const incidentRows = (state: Pick<State, 'rows'>): number => Math.max(1, paneRows(state) - 1);

/** Moves by rows that have a place; the selected row stays in view. */
const moved = (pane: IncidentPane, items: readonly IncidentItem[], distance: number, rows: number): IncidentPane => {
  const places = items.flatMap(({place}, index) => (place === undefined ? [] : [index]));
  const here = places.findLastIndex(index => index <= pane.selected);
  const selected = places[Math.max(0, Math.min(places.length - 1, here + distance))] ?? 0;
  const last = Math.max(0, items.length - rows);
  // The first and the last row may be words without a place.
  const wanted = selected === places[0] ? 0 : selected === places.at(-1) ? last : pane.top;
  return {...pane, selected, top: Math.max(selected + 1 - rows, Math.min(wanted, selected, last))};
};

const goToItem = (state: State, log: LogState, item: IncidentItem | undefined): Step => {
  const closed = {...log, overlay: undefined};
  if (item?.place === undefined) {
    return stay({...state, notice: 'there is no line of it to go to'});
  }
  if (typeof item.place === 'bigint') {
    return goToTime(withLog(state, closed), closed, item.place);
  }
  const pane = paneOf(state, closed);
  const index = placeOf(pane.view, item.place);
  return index === undefined
    ? stay({...state, notice: 'the filters hide that line, or it has left the buffer'})
    : stay(withLog(state, goToIndex(closed, pane, index)));
};
