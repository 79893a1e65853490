import {updateInspector} from '../inspector/inspector.ts';
import {selectInspector, selectInspectorHints} from '../inspector/select-inspector.ts';
import {type Command, keyFor} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import type {ViewRow} from '../rows/view-row.ts';
import {type LogHandler, withLog} from '../state/handler.ts';
import type {LogState, Overlay, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';
import {selectIncident, selectIncidentHints} from './incident/select-incident.ts';
import {openIncident, updateIncident} from './incident/update-incident.ts';
import {updateOpenedLine} from './lines/opened-line.ts';
import {selectOpenedHints, selectOpenedLine} from './lines/select-opened-line.ts';
import {updateMarks} from './marks/marking.ts';
import {selectPods, selectPodsHints} from './pods/select-pods.ts';
import {openPods, updatePods} from './pods/update-pods.ts';
import {saveKeys} from './saving/saving.ts';
import {selectSources, selectSourcesHints} from './sources/select-sources.ts';
import {openSources, updateSources} from './sources/update-sources.ts';
import {selectSummary, selectSummaryHints} from './summary/select-summary.ts';
import {openSummary, updateSummary} from './summary/update-summary.ts';

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
  const isOfNoUse =
    movement(command, 1) === undefined &&
    step.state.log === log &&
    step.state.front === state.front &&
    step.state.notice === state.notice &&
    step.effects.length === 0;
  return isOfNoUse ? stay({...state, notice: `${keyFor('back', 'log')} returns to the log first`}) : step;
};

const giveToOverlay = (state: State, log: LogState, overlay: Overlay, command: Command): Step => {
  switch (overlay.kind) {
    case 'inspector':
      return stay(withLog(state, updateInspector(state, log, overlay, command)));
    case 'line':
      return updateOpenedLine(state, log, overlay, command);
    case 'summary':
      return updateSummary(state, log, overlay, command);
    case 'pods':
      return updatePods(state, log, overlay, command);
    case 'sources':
      return updateSources(state, log, overlay, command);
    case 'incident':
      // A note of what is on the screen can be saved without closing it.
      return saveKeys(state, log, command) ?? updateIncident(state, log, overlay, command);
    default:
      return overlay satisfies never;
  }
};

/** Opens an overlay: a pane over the lines. */
export const openOverlay: LogHandler = (state, log, command) => {
  switch (command) {
    case 'toggleInspector':
      return stay(withLog(state, {...log, overlay: {kind: 'inspector', topAtMs: undefined}}));
    case 'toggleSummary':
      return openSummary(state, log);
    case 'togglePods':
      return stay(openPods(state, log));
    case 'toggleSources':
      return stay(openSources(state, log));
    case 'toggleIncident':
      return openIncident(state, log);
    default:
      return undefined;
  }
};

/** Returns the rows of an overlay and the hints below it. */
export const selectOverlay = (
  state: State,
  log: LogState,
  overlay: Overlay,
): {readonly rows: readonly ViewRow[]; readonly hints: ViewRow} => {
  switch (overlay.kind) {
    case 'inspector':
      return {rows: selectInspector(state, log, overlay), hints: selectInspectorHints(state.columns)};
    case 'line':
      return {rows: selectOpenedLine(state, log, overlay), hints: selectOpenedHints(state, log, overlay)};
    case 'summary':
      return {rows: selectSummary(state, log, overlay), hints: selectSummaryHints(overlay, state.columns)};
    case 'pods':
      return {rows: selectPods(state, log, overlay), hints: selectPodsHints(overlay, state.columns)};
    case 'sources':
      return {rows: selectSources(state, log, overlay), hints: selectSourcesHints(state.columns)};
    case 'incident':
      return {rows: selectIncident(state, log, overlay), hints: selectIncidentHints(state.columns)};
    default:
      return overlay satisfies never;
  }
};
