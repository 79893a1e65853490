import {type ListHandler, withLog} from '../../state/handler.ts';
import {viewAll} from '../../state/log-sources.ts';
import type {IncidentPane, LogState, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {goToTime} from '../jumps/go-to-time.ts';
import {goToEntry} from '../pane/cursor.ts';
import type {IncidentItem} from './incident-items.ts';
import {readIncident} from './read-incident.ts';
import {selectedIncidentItem} from './select-incident.ts';

/** Opens the incident as of now. */
export const openIncident = (state: State, log: LogState): Step => {
  if (viewAll(log).entryCount === 0) {
    return stay({...state, notice: 'the log has no lines yet'});
  }
  const incident = readIncident(state, log);
  return stay(withLog(state, {...log, overlay: {kind: 'incident', incident, selectedKey: undefined, top: 0}}));
};

/** Handles the command that only the incident has. */
export const updateIncident: ListHandler<IncidentPane> = (state, log, pane, command) =>
  command === 'openLine' ? goToItem(state, log, selectedIncidentItem(state, log, pane)) : undefined;

const goToItem = (state: State, log: LogState, item: IncidentItem | undefined): Step => {
  const closed = {...log, overlay: undefined};
  if (item?.place === undefined) {
    return stay({...state, notice: 'there is no line of it to go to'});
  }
  if (typeof item.place === 'bigint') {
    return goToTime(withLog(state, closed), closed, item.place);
  }
  return stay(goToEntry(state, closed, item.place));
};
