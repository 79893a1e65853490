import {joinHints} from '../help/select-hints.ts';
import {inspectorAt, inspectorTop, listPolls} from '../inspector/inspector.ts';
import {listInspector} from '../inspector/select-inspector.ts';
import {type Command, keyFor} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import {drawList, type ListPane, listRoom} from '../list-pane/list-pane.ts';
import {movePlace} from '../list-pane/list-place.ts';
import type {ViewRow} from '../rows/view-row.ts';
import {closePane, type LogHandler, withLog} from '../state/handler.ts';
import type {ListPlace, LogState, Overlay, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';
import {listColumnsPane} from './columns/select-columns.ts';
import {openColumns, updateColumns} from './columns/update-columns.ts';
import {listFiltersPane} from './filters/select-filters.ts';
import {updateFilters} from './filters/update-filters.ts';
import {askCompared} from './incident/compare-incident.ts';
import {readOlder} from './incident/older-lines.ts';
import {listIncident} from './incident/select-incident.ts';
import {openIncident, updateIncident} from './incident/update-incident.ts';
import {updateOpenedLine} from './lines/opened-line.ts';
import {listOpenedLine} from './lines/select-opened-line.ts';
import {updateMarks} from './marks/marking.ts';
import {listPodsPane} from './pods/select-pods.ts';
import {openPods, updatePods} from './pods/update-pods.ts';
import {saveKeys} from './saving/saving.ts';
import {listSourcesPane} from './sources/select-sources.ts';
import {openSources, updateSources} from './sources/update-sources.ts';
import {listSummary} from './summary/select-summary.ts';
import {openSummary, updateSummary} from './summary/update-summary.ts';
import {listTrail} from './trail/select-trail.ts';
import {openTrail, trailAdvice, updateTrail} from './trail/update-trail.ts';

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
  return hasNoEffect ? stay({...state, notice: `${keyFor('back', 'log')} returns to the log first`}) : step;
};

/** The commands that close an overlay, besides `back`. */
const closing: Readonly<Record<Overlay['kind'], Command>> = {
  inspector: 'toggleInspector',
  line: 'openLine',
  summary: 'toggleSummary',
  pods: 'togglePods',
  sources: 'toggleSources',
  filters: 'toggleFilterList',
  columns: 'chooseColumns',
  incident: 'toggleIncident',
  trail: 'showTrail',
};

const giveToOverlay = (state: State, log: LogState, overlay: Overlay, command: Command): Step =>
  ownCommand(state, log, overlay, command) ??
  copyPane(state, log, overlay, command) ??
  (command === 'back' || command === closing[overlay.kind]
    ? closePane(state, log)
    : moveOverlay(state, log, overlay, command));

/** Copies all rows of an incident or a summary as text. */
const copyPane = (state: State, log: LogState, overlay: Overlay, command: Command): Step | undefined => {
  if (command !== 'copyLines' || (overlay.kind !== 'incident' && overlay.kind !== 'summary')) {
    return undefined;
  }
  const {title = [], rows} = listOverlay(state, log, overlay);
  const texts = [title, ...rows.map(({row}) => row())].map(row =>
    row
      .map(({text}) => text)
      .join('')
      .trim(),
  );
  return stay(state, {kind: 'copy', text: texts.join('\n'), what: `the ${overlay.kind}`, advice: ''});
};

const ownCommand = (state: State, log: LogState, overlay: Overlay, command: Command): Step | undefined => {
  switch (overlay.kind) {
    case 'inspector':
      return undefined;
    case 'line':
      return openTrail(state, log, overlay, command) ?? updateOpenedLine(state, log, overlay, command);
    case 'summary':
      return updateSummary(state, log, overlay, command);
    case 'pods':
      return updatePods(state, log, overlay, command);
    case 'sources':
      return updateSources(state, log, overlay, command);
    case 'filters':
      return updateFilters(state, log, overlay, command);
    case 'columns':
      return updateColumns(state, log, overlay, command);
    case 'incident':
      // A note of what is on the screen can be saved without closing it.
      return (
        saveKeys(state, log, command) ??
        readOlder(state, log, command) ??
        askCompared(state, log, command) ??
        updateIncident(state, log, overlay, command)
      );
    case 'trail':
      return updateTrail(state, log, overlay, command);
    default:
      return overlay satisfies never;
  }
};

const moveOverlay = (state: State, log: LogState, overlay: Overlay, command: Command): Step => {
  const list = listOverlay(state, log, overlay);
  const place = movePlace(list.rows, placeIn(log, overlay), command, listRoom(state, list));
  const moved = overlay.kind === 'inspector' ? inspectorAt(listPolls(log), place?.top ?? 0) : {...overlay, ...place};
  return stay(place === undefined ? state : withLog(state, {...log, overlay: moved}));
};

const placeIn = (log: LogState, overlay: Overlay): ListPlace =>
  overlay.kind === 'inspector' ? {selectedKey: undefined, top: inspectorTop(overlay, listPolls(log))} : overlay;

/** Opens an overlay: a pane over the lines. */
export const openOverlay: LogHandler = (state, log, command) => {
  switch (command) {
    case 'toggleInspector':
      return stay(withLog(state, {...log, overlay: inspectorAt([], 0)}));
    case 'toggleSummary':
      return openSummary(state, log);
    case 'togglePods':
      return stay(openPods(state, log));
    case 'toggleSources':
      return stay(openSources(state, log));
    case 'toggleFilterList':
      return stay(withLog(state, {...log, overlay: {kind: 'filters', selectedKey: undefined, top: 0}}));
    case 'chooseColumns':
      return stay(openColumns(state, log));
    case 'toggleIncident':
      return openIncident(state, log);
    case 'showTrail':
      return stay({...state, notice: trailAdvice()});
    default:
      return undefined;
  }
};

const listOverlay = (state: State, log: LogState, overlay: Overlay): ListPane => {
  switch (overlay.kind) {
    case 'inspector':
      return listInspector(state, log);
    case 'line':
      return listOpenedLine(state, log, overlay);
    case 'summary':
      return listSummary(state, log, overlay);
    case 'pods':
      return listPodsPane(state, log, overlay);
    case 'sources':
      return listSourcesPane(state, log);
    case 'filters':
      return listFiltersPane(state, log);
    case 'columns':
      return listColumnsPane(state, log, overlay);
    case 'incident':
      return listIncident(state, log, overlay);
    case 'trail':
      return listTrail(state, log, overlay);
    default:
      return overlay satisfies never;
  }
};

/** Returns the rows of an overlay and the hints below it. */
export const selectOverlay = (
  state: State,
  log: LogState,
  overlay: Overlay,
): {readonly rows: readonly ViewRow[]; readonly hints: ViewRow} => {
  const list = listOverlay(state, log, overlay);
  return {rows: drawList(state, list, placeIn(log, overlay)), hints: joinHints('log', list.hints, state.columns)};
};
