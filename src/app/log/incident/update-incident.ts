import type {IncidentReport, IncidentSource} from '../../../log/incident/find-incident.ts';
import {textOf} from '../../../log/line/entry.ts';
import {filterFor} from '../../../log/summary/filter-for.ts';
import {readLineParts} from '../../../log/summary/read-parts.ts';
import {lineAt} from '../../../log/view/line-at.ts';
import {closePane, type ListHandler, withLog} from '../../state/handler.ts';
import {viewAll} from '../../state/log-sources.ts';
import type {IncidentPane, LogState, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {incidentClock, incidentText} from '../../words/incident-words.ts';
import {goToTime} from '../jumps/go-to-time.ts';
import {goToEntry} from '../pane/cursor.ts';
import {addFilter} from '../search/filters.ts';
import type {IncidentItem} from './incident-items.ts';
import {incidentSources} from './read-incident.ts';
import {selectedIncidentItem} from './select-incident.ts';
import {watchFinding} from './watch-finding.ts';

/** Opens the incident as of now; it is read between keys. */
export const openIncident = (state: State, log: LogState): Step => {
  if (viewAll(log).entryCount === 0) {
    return stay({...state, notice: 'the log has no lines yet'});
  }
  const sources = incidentSources(state, log);
  return stay(
    withLog(state, {...log, overlay: {kind: 'incident', sources, incident: undefined, selectedKey: undefined, top: 0}}),
    {kind: 'findIncident', sources},
  );
};

/** Takes what was found; returns undefined if it is of a pane that was closed. */
export const takeIncident = (
  state: State,
  {sources, incident}: {readonly sources: readonly IncidentSource[]; readonly incident: IncidentReport},
): State | undefined => {
  const {log} = state;
  return log?.overlay?.kind === 'incident' && log.overlay.sources === sources
    ? withLog(state, {...log, overlay: {...log.overlay, incident}})
    : undefined;
};

/** Handles the commands that only the incident has. */
export const updateIncident: ListHandler<IncidentPane> = (state, log, pane, command) => {
  switch (command) {
    case 'openLine':
      return goToItem(state, log, selectedIncidentItem(state, log, pane));
    case 'watchFinding':
      return watchFinding(state, log, selectedIncidentItem(state, log, pane)?.finding);
    case 'filterIn':
      return filterBy(state, log, selectedIncidentItem(state, log, pane));
    case 'copyLines':
      return pane.incident === undefined
        ? undefined
        : stay(state, {
            kind: 'copy',
            text: incidentText(pane.incident, incidentClock(pane.incident), viewAll(log)).join('\n'),
            what: 'the incident',
          });
    default:
      return undefined;
  }
};

const goToItem = (state: State, log: LogState, item: IncidentItem | undefined): Step => {
  const closed = {...log, overlay: undefined};
  const place = item?.place;
  if (place === undefined) {
    return stay({...state, notice: 'there is no line of it to go to'});
  }
  if (typeof place === 'bigint') {
    return goToTime(withLog(state, closed), closed, place);
  }
  return stay(goToEntry(state, closed, place));
};

/** Filters the log by lines like the first one of a finding. */
const filterBy = (state: State, log: LogState, item: IncidentItem | undefined): Step => {
  const line = lineAt(viewAll(log), item?.finding?.first);
  if (line === undefined) {
    return stay({...state, notice: 'no filter shows only these lines'});
  }
  const {shape, status} = readLineParts(textOf(line));
  const isStatus = item?.finding?.of === 'status' && status !== undefined;
  const query = isStatus
    ? filterFor({table: 'statuses', key: String(status.value), sources: [status.source]})
    : filterFor({table: 'shapes', key: shape.value, sources: [shape.source]});
  const filtered = query === undefined ? {error: 'too long for a pattern'} : addFilter(log, 'include', query);
  return 'error' in filtered ? stay({...state, notice: filtered.error}) : closePane(state, filtered);
};
