import type {IncidentPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import {type ListHandler, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import type {ComparedBranch, IncidentOrder} from '#app/tail/incident-reading.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {incidentClock, incidentText} from '#app/words/incident-words.ts';
import type {Asked, IncidentSource} from '#log/incident/verdict.ts';
import {textOf} from '#log/line/entry.ts';
import {instantFromMs, instantToMs} from '#log/line/instant.ts';
import {filterFor} from '#log/summary/filter-for.ts';
import {readLineParts} from '#log/traits/read-parts.ts';
import {lineAt} from '#log/view/log-view.ts';
import {filterFromPane} from './filters.ts';
import {incidentSources} from './find-in-slices.ts';
import {goToTime} from './go-to-time.ts';
import {type IncidentItem, weakKey} from './incident/incident-items.ts';
import {isOlderRead, isReadBack, readOnByItself} from './incident/older-lines.ts';
import {watchFinding} from './incident/watch-finding.ts';
import {goToEntry} from './picking.ts';
import {selectedIncidentItem} from './select-incident.ts';

/** A line so much older than its arrival is of a log that was silent when it was opened, milliseconds. */
const silentMsMin = 30_000;

type Clock = Pick<Frame, 'nowMs' | 'clockOffsetMs' | 'context'>;

/** Returns of what time the incident tells: that which is filtered by, else all that is held, up to now or its end. */
export const askedOf = (state: Clock, {range, areFiltersOff, sources, newest}: LogState): Asked => {
  const {saved} = state.context;
  const hasEnded = newest !== undefined || sources.every(source => isAtEnd(state, source));
  const nowMs = saved?.atMs ?? (hasEnded ? undefined : serviceNowMs(state));
  return {
    ...(areFiltersOff === true ? undefined : range),
    now: nowMs === undefined ? undefined : instantFromMs(nowMs),
  };
};

/** Whether nothing writes to a log any more. What a service serves goes on; what was opened by name need not. */
const isAtEnd = ({context, clockOffsetMs}: Clock, {tail}: LogSource): boolean => {
  const {connection, firstAnswerAtMs, lastNewLineAtMs, log} = tail;
  if (connection.kind === 'ended') {
    return true;
  }
  const arrivedAtMs = lastNewLineAtMs ?? firstAnswerAtMs;
  const newest = log.buffer.newestLine;
  if (context.parts !== 'none' || arrivedAtMs === undefined || newest === undefined) {
    return false;
  }
  return log.pods.length === 0 || arrivedAtMs + clockOffsetMs - instantToMs(newest.at) > silentMsMin;
};

/** The incident on the screen is judged again after this many milliseconds at least. */
const renewMsMin = 3000;
/** And after so many times as long as it took: that is less than a hundredth of the time. */
const renewTimes = 110;
/** So often without a change of the log, milliseconds: that nothing comes tells something, too. */
const renewMsUnchanged = 10_000;

/** Opens what is other since the deployment. */
export const openSince: LogHandler = (state, log, command) =>
  command === 'sinceDeployment' ? openIncident(state, log, true) : undefined;

/** Opens the incident as of now; it is read between keys. */
export const openIncident = (state: State, log: LogState, isOfDeployment = false): Step =>
  viewAll(log).entryCount === 0 && log.sources.every(({tail}) => tail.lastAnswerAtMs !== undefined)
    ? next({...state, notice: 'the log has no lines yet'})
    : readAgain(state, log, {...nothingShown, isOfDeployment, openedAtMs: state.nowMs}, undefined);

type Shown = Pick<
  IncidentPane,
  'selectedKey' | 'top' | 'incident' | 'compared' | 'openedAtMs' | 'tookMs' | 'showsWeak' | 'isOfDeployment'
>;

const nothingShown: Omit<Shown, 'openedAtMs'> = {
  ...{selectedKey: undefined, top: 0, incident: undefined, compared: undefined},
  ...{tookMs: 0, showsWeak: false, isOfDeployment: false},
};

/** Finds the incident again, and compares it with this branch. What is shown stays until then. */
export const readAgain = (state: State, log: LogState, shown: Shown, compared: ComparedBranch | undefined): Step => {
  const sources = incidentSources(state, log);
  const order: IncidentOrder = {
    ...{sources, compared, asked: askedOf(state, log)},
    isOfDeployment: shown.isOfDeployment,
    isRenewal: shown.incident !== undefined,
  };
  const overlay: IncidentPane = {...shown, kind: 'incident', order, askedAtMs: state.nowMs, isReading: true};
  return next(withLog(state, {...log, overlay}), {kind: 'findIncident', order});
};

/**
 * Finds the incident on the screen again if the log has changed since, at either end or in what is known of it, or if
 * time has gone by; at once when older lines were read as far as they are.
 */
export const renewIncident = ({state, effects}: Step): Step => {
  const {log} = state;
  if (log === undefined) {
    return {state, effects};
  }
  const settled = isReadBack(state, log) ? {...log, readBack: undefined} : log;
  const pane = log.overlay?.kind === 'incident' ? log.overlay : undefined;
  if (pane === undefined || !(settled !== log || isDue(state, log, pane))) {
    return {state: settled === log ? state : withLog(state, settled), effects};
  }
  const again = readAgain(state, settled, pane, pane.isReading ? pane.order.compared : pane.compared);
  return {state: again.state, effects: [...effects, ...again.effects]};
};

const isDue = (state: State, log: LogState, pane: IncidentPane): boolean => {
  const {order, tookMs, askedAtMs, isReading} = pane;
  const ageMs = state.nowMs - askedAtMs;
  if (isOlderRead(log, order)) {
    return true;
  }
  if (isReading || ageMs < Math.max(renewMsMin, renewTimes * tookMs)) {
    return false;
  }
  const asked = askedOf(state, log);
  const sources = incidentSources(state, log);
  return (
    !sources.every((source, index) => isSameSource(source, order.sources[index])) ||
    asked.from !== order.asked.from ||
    asked.to !== order.asked.to ||
    (asked.now !== undefined && ageMs >= renewMsUnchanged)
  );
};

/** Whether nothing has changed in what is known of a log. */
const isSameSource = (now: IncidentSource, before: IncidentSource | undefined): boolean =>
  now.buffer === before?.buffer &&
  now.wholeSince === before.wholeSince &&
  now.hasOlder === before.hasOlder &&
  now.unreadable?.why === before.unreadable?.why &&
  now.failingSince === before.failingSince &&
  now.notLinesFrom === before.notLinesFrom &&
  now.podNames.join() === before.podNames.join() &&
  now.knownChanges.length === before.knownChanges.length;

/** Takes what was found; returns undefined if it is of a pane that was closed. */
export const takeIncident = (
  state: State,
  {order, incident, compared, tookMs}: Extract<StampedEvent, {readonly kind: 'incidentFound'}>,
): State | undefined => {
  const {log} = state;
  const pane = log?.overlay;
  if (log === undefined || pane?.kind !== 'incident' || pane.order !== order) {
    return undefined;
  }
  const isOfDeployment = incident.change !== undefined;
  const found: IncidentPane = {...pane, incident, compared, tookMs, isOfDeployment, isReading: !incident.isComplete};
  const taken: LogState = {...log, overlay: found};
  return readOnByItself(withLog(state, taken), taken, found, incident);
};

/** Handles the commands that only the incident has. */
export const updateIncident: ListHandler<IncidentPane> = (state, log, pane, command) => {
  switch (command) {
    case 'openLine':
      return goToItem(state, log, pane);
    case 'sinceDeployment': {
      const isOfDeployment = !pane.isOfDeployment;
      return readAgain(state, log, {...pane, ...nothingShown, isOfDeployment}, pane.order.compared);
    }
    case 'watchFinding':
      return watchFinding(state, log, selectedIncidentItem(state, log, pane)?.finding);
    case 'filterIn':
      return filterBy(state, log, selectedIncidentItem(state, log, pane));
    case 'copyLines':
      return pane.incident === undefined
        ? undefined
        : next(state, {
            kind: 'copy',
            text: incidentText(pane.incident, incidentClock(pane.incident), viewAll(log)).join('\n'),
            what: 'the incident',
          });
    default:
      return undefined;
  }
};

const goToItem = (state: State, log: LogState, pane: IncidentPane): Step => {
  const item = selectedIncidentItem(state, log, pane);
  if (item?.key === weakKey) {
    return next(withLog(state, {...log, overlay: {...pane, selectedKey: weakKey, showsWeak: !pane.showsWeak}}));
  }
  const closed: LogState = {...log, overlay: undefined, cameFrom: pane};
  const place = item?.place;
  if (place === undefined) {
    return next({...state, notice: 'no line to jump to'});
  }
  if (typeof place === 'bigint') {
    return goToTime(withLog(state, closed), closed, place);
  }
  return next(goToEntry(state, closed, place));
};

/** Filters the log by lines like the first one of a finding. */
const filterBy = (state: State, log: LogState, item: IncidentItem | undefined): Step => {
  const line = typeof item?.place === 'object' ? lineAt(viewAll(log), item.place) : undefined;
  if (line === undefined) {
    return next({...state, notice: 'no filter shows only these lines'});
  }
  const {shape, status} = readLineParts(textOf(line));
  const isStatus = item?.finding?.of === 'status' && status !== undefined;
  const query = isStatus
    ? filterFor({table: 'statuses', key: String(status.value), sources: [status.source]})
    : filterFor({table: 'shapes', key: shape.value, sources: [shape.source]});
  return filterFromPane(state, log, query);
};
