import {drawList, type ListPane, listRoom, movePlace, selectedRow} from '#app/choices/list-pane.ts';
import {joinHints} from '#app/help/select-hints.ts';
import {type Command, keyFor, movement} from '#app/keys/keymap.ts';
import type {ListPlace, Overlay, PodsPane} from '#app/panes/panes.ts';
import {pressInRecord} from '#app/record/open-record.ts';
import type {RowsPane, ViewRow} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {closePane, type ListHandler, type LogHandler, next, paneRows, type Step, withLog} from '#app/state/step.ts';
import {listColumnsPane, openColumns, updateColumns} from './columns-pane.ts';
import {askCompared} from './compare-incident.ts';
import {listFiltersPane, updateFilters} from './filters-pane.ts';
import {readOlder} from './incident/older-lines.ts';
import {listPods, openedPod} from './list-pods.ts';
import {openSources, updateSources} from './log-sources-pane.ts';
import {updateMarks} from './marking.ts';
import {updateOpenedLine} from './opened-line.ts';
import {podRecord} from './pod-fields.ts';
import {inspectorAt, inspectorTop, listPolls} from './poll-columns.ts';
import {saveKeys} from './saving.ts';
import {showLinesOf} from './search.ts';
import {listIncident} from './select-incident.ts';
import {listInspector} from './select-inspector.ts';
import {listOpenedLine} from './select-opened-line.ts';
import {listPodsPane} from './select-pods.ts';
import {listSourcesPane} from './select-sources.ts';
import {listSummary} from './select-summary.ts';
import {openIncident, updateIncident} from './update-incident.ts';
import {openSummary, updateSummary} from './update-summary.ts';
import {openValueTrace, updateValueTrace, valueTraceAdvice} from './update-value-trace.ts';
import {listValueTrace} from './value-trace.ts';

const openPods = (state: State, log: LogState): State =>
  withLog(state, {...log, overlay: {kind: 'pods', selectedKey: listPods(log)[0]?.key, top: 0}});

/** Handles the commands that only the pods have, and all but a few in the record of an open one. */
const updatePods: ListHandler<PodsPane> = (state, log, pane, command) => {
  const withPane = (change: Partial<PodsPane>): State => withLog(state, {...log, overlay: {...pane, ...change}});
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  const pod = opened ?? selectedRow(pods, pane);
  if (pod === undefined || command === 'togglePods') {
    return undefined;
  }
  if (command === 'filterIn') {
    return next(showLinesOf(state, log, pod.pod.name, pods));
  }
  if (opened === undefined) {
    return command === 'openLine' ? next(withPane({selectedKey: pod.key, details: {fieldKey: undefined}})) : undefined;
  }
  if (command === 'back') {
    return next(withPane({details: undefined}));
  }
  const use = {
    screen: 'log',
    reveal: 'openLine',
    copy: 'copyLines',
    pageRows: Math.max(1, paneRows(state) - 2),
    withPlace: withPane,
  } as const;
  return pressInRecord(state, podRecord(state, opened, pane), command, use) ?? next(state);
};

/**
 * Passes every command to the open overlay, so that the log underneath stays where it is. A command that the overlay
 * cannot use shows a notice that names the key back to the log.
 */
export const inOverlay: LogHandler = (state, log, command) => {
  const {overlay} = log;
  if (overlay === undefined) {
    return undefined;
  }
  if (command === 'markLine') {
    // People type the note at once, so the input line opens in any case, over the log.
    const {state: back, effects} = giveToOverlay(state, log, overlay, 'back');
    const asked = back.log && updateMarks(back, back.log, command);
    return asked && {state: asked.state, effects: [...effects, ...asked.effects]};
  }
  const step = giveToOverlay(state, log, overlay, command);
  const hasNoEffect =
    movement(command, 1) === undefined &&
    step.state.log === log &&
    step.state.focus === state.focus &&
    step.state.notice === state.notice &&
    step.effects.length === 0;
  return hasNoEffect ? next({...state, notice: `${keyFor('back', 'log')} returns to the log first`}) : step;
};

type Kind = Overlay['kind'];

/** The panes over the lines by kind. */
type OverlaysByKind = {readonly [Each in Kind]: Extract<Overlay, {kind: Each}>};

/** `key` opens the pane and closes it, as `back` does; `update`: the commands that only this pane has. */
type OverlayParts<Pane extends Overlay> = {
  readonly key: Command;
  readonly open?: (state: State, log: LogState) => Step;
  readonly update?: ListHandler<Pane>;
  readonly list: (state: State, log: LogState, pane: Pane) => ListPane;
};

const parts: {readonly [Each in Kind]: OverlayParts<OverlaysByKind[Each]>} = {
  inspector: {
    key: 'toggleInspector',
    open: (state, log) => next(withLog(state, {...log, overlay: inspectorAt([], 0)})),
    list: listInspector,
  },
  line: {
    key: 'openLine',
    update: (state, log, pane, command) =>
      openValueTrace(state, log, pane, command) ?? updateOpenedLine(state, log, pane, command),
    list: listOpenedLine,
  },
  summary: {key: 'toggleSummary', open: openSummary, update: updateSummary, list: listSummary},
  pods: {
    key: 'togglePods',
    open: (state, log) => next(openPods(state, log)),
    update: updatePods,
    list: listPodsPane,
  },
  sources: {
    key: 'toggleSources',
    open: (state, log) => next(openSources(state, log)),
    update: updateSources,
    list: listSourcesPane,
  },
  filters: {
    key: 'toggleFilterList',
    open: (state, log) => next(withLog(state, {...log, overlay: {kind: 'filters', selectedKey: undefined, top: 0}})),
    update: updateFilters,
    list: listFiltersPane,
  },
  columns: {
    key: 'chooseColumns',
    open: (state, log) => next(openColumns(state, log)),
    update: updateColumns,
    list: listColumnsPane,
  },
  incident: {
    key: 'toggleIncident',
    open: (state, log) => openIncident(state, log),
    // A note of what is on the screen can be saved without closing it.
    update: (state, log, pane, command) =>
      saveKeys(state, log, command) ??
      readOlder(state, log, command) ??
      askCompared(state, log, command) ??
      updateIncident(state, log, pane, command),
    list: listIncident,
  },
  trail: {
    key: 'showTrail',
    open: state => next({...state, notice: valueTraceAdvice()}),
    update: updateValueTrace,
    list: listValueTrace,
  },
};

// The type of the pane follows from its kind, which the compiler only sees when both are given.
const updateOwn = <Each extends Kind>(
  kind: Each,
  state: State,
  log: LogState,
  pane: OverlaysByKind[Each],
  command: Command,
): Step | undefined => parts[kind].update?.(state, log, pane, command);

const listOwn = <Each extends Kind>(kind: Each, state: State, log: LogState, pane: OverlaysByKind[Each]): ListPane =>
  parts[kind].list(state, log, pane);

const giveToOverlay = (state: State, log: LogState, overlay: Overlay, command: Command): Step =>
  updateOwn(overlay.kind, state, log, overlay, command) ??
  copyPane(state, log, overlay, command) ??
  (command === 'back' || command === parts[overlay.kind].key
    ? closePane(state, log)
    : moveOverlay(state, log, overlay, command));

/** Copies all rows of an incident or a summary as text. */
const copyPane = (state: State, log: LogState, overlay: Overlay, command: Command): Step | undefined => {
  if (command !== 'copyLines' || (overlay.kind !== 'incident' && overlay.kind !== 'summary')) {
    return undefined;
  }
  const {title = [], rows} = listOwn(overlay.kind, state, log, overlay);
  const texts = [title, ...rows.map(({row}) => row())].map(row =>
    row
      .map(({text}) => text)
      .join('')
      .trim(),
  );
  return next(state, {kind: 'copy', text: texts.join('\n'), what: `the ${overlay.kind}`, advice: ''});
};

const moveOverlay = (state: State, log: LogState, overlay: Overlay, command: Command): Step => {
  const list = listOwn(overlay.kind, state, log, overlay);
  const place = movePlace(list.rows, placeIn(log, overlay), command, listRoom(state, list));
  const moved = overlay.kind === 'inspector' ? inspectorAt(listPolls(log), place?.top ?? 0) : {...overlay, ...place};
  return next(place === undefined ? state : withLog(state, {...log, overlay: moved}));
};

const placeIn = (log: LogState, overlay: Overlay): ListPlace =>
  overlay.kind === 'inspector' ? {selectedKey: undefined, top: inspectorTop(overlay, listPolls(log))} : overlay;

/** Opens an overlay: a pane over the lines. */
export const openOverlay: LogHandler = (state, log, command) =>
  Object.values(parts)
    .find(({key}) => key === command)
    ?.open?.(state, {...log, cameFrom: undefined});

/** Returns the pane of an overlay and the hints below it. */
export const selectOverlay = (
  state: State,
  log: LogState,
  overlay: Overlay,
): {readonly pane: RowsPane; readonly hints: ViewRow} => {
  const list = listOwn(overlay.kind, state, log, overlay);
  return {pane: drawList(state, list, placeIn(log, overlay)), hints: joinHints('log', list.hints, state.columns)};
};
