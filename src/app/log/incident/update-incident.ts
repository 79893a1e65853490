import {textOf} from '../../../log/line/entry.ts';
import {filterFor} from '../../../log/summary/filter-for.ts';
import {readLineParts} from '../../../log/summary/read-parts.ts';
import {lineAt} from '../../../log/view/line-at.ts';
import type {StampedEvent} from '../../state/event.ts';
import {type ListHandler, withLog} from '../../state/handler.ts';
import {viewAll} from '../../state/log-sources.ts';
import type {IncidentPane, LogState, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import type {ComparedBranch} from '../../tail/incident-reading.ts';
import {incidentClock, incidentText} from '../../words/incident-words.ts';
import {goToTime} from '../jumps/go-to-time.ts';
import {goToEntry} from '../pane/cursor.ts';
import {filterFromPane} from '../search/filters.ts';
import type {IncidentItem} from './incident-items.ts';
import {incidentSources} from './read-incident.ts';
import {selectedIncidentItem} from './select-incident.ts';
import {watchFinding} from './watch-finding.ts';

/** Findings are renewed after this long, milliseconds: at least, and at most. */
const [renewMsMin, renewMsMax] = [10_000, 60_000];
/**
 * A line takes some 8 µs to read, and at most 90,000 are read: so findings are renewed in about a hundredth of the
 * time.
 */
const renewMsPerLine = 1;

/** Opens the incident as of now; it is read between keys. */
export const openIncident = (state: State, log: LogState): Step =>
  viewAll(log).entryCount === 0
    ? stay({...state, notice: 'the log has no lines yet'})
    : readAgain(state, log, nothingShown, undefined);

type Shown = Pick<IncidentPane, 'selectedKey' | 'top' | 'incident' | 'compared'>;

const nothingShown: Shown = {selectedKey: undefined, top: 0, incident: undefined, compared: undefined};

/** Finds the incident anew, and compares it with this branch. What is shown stays until then. */
export const readAgain = (state: State, log: LogState, shown: Shown, compared: ComparedBranch | undefined): Step => {
  const order = {sources: incidentSources(state, log), compared, isRenewal: shown.incident !== undefined};
  const overlay: IncidentPane = {...shown, kind: 'incident', order, askedAtMs: state.nowMs, isReading: true};
  return stay(withLog(state, {...log, overlay}), {kind: 'findIncident', order});
};

/** After a poll: finds the incident on the screen anew if lines have come since, and some time has gone by. */
export const renewIncident = ({state, effects}: Step): Step => {
  const {log, nowMs} = state;
  const pane = log?.overlay;
  if (log === undefined || pane?.kind !== 'incident' || pane.isReading || pane.incident === undefined) {
    return {state, effects};
  }
  const {entryCount, timeAt} = viewAll(log);
  const isDue = nowMs - pane.askedAtMs >= Math.min(renewMsMax, Math.max(renewMsMin, renewMsPerLine * entryCount));
  if (!isDue || timeAt(entryCount - 1) === pane.incident.to) {
    return {state, effects};
  }
  const again = readAgain(state, log, pane, pane.compared);
  return {state: again.state, effects: [...effects, ...again.effects]};
};

/** Takes what was found; returns undefined if it is of a pane that was closed. */
export const takeIncident = (
  state: State,
  {order, incident, compared}: Extract<StampedEvent, {readonly kind: 'incidentFound'}>,
): State | undefined => {
  const {log} = state;
  const pane = log?.overlay;
  return log !== undefined && pane?.kind === 'incident' && pane.order === order
    ? withLog(state, {...log, overlay: {...pane, incident, compared, isReading: !incident.isComplete}})
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
  return filterFromPane(state, log, query);
};
