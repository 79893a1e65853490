import {type Command, keyFor} from '#app/keys/keymap.ts';
import {movement} from '#app/keys/movement.ts';
import {changeLook} from '#app/parts/log-parts.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {following, pause, scrollBy, type Viewport} from '#log/view/viewport.ts';
import {goToUnseen} from './away.ts';
import {askCompared} from './compare-incident.ts';
import {copyKeys} from './copying.ts';
import {askFilterName} from './filters/keep-filters.ts';
import {filterKeys} from './filters.ts';
import {jumpInTime} from './go-to-time.ts';
import {holdLog} from './held-logs.ts';
import {highlightKeys} from './highlights.ts';
import {readOlder} from './incident/older-lines.ts';
import {watchKeys} from './incident/watch-finding.ts';
import {jumpToMarker} from './jumps/jump-to-marker.ts';
import {jumpToNew} from './jumps/jump-to-new.ts';
import {jumpToError} from './jumps/jumps.ts';
import {stripKeys} from './jumps/strip-keys.ts';
import {foldRepeated} from './lines/fold-repeated.ts';
import {paneOf} from './log-pane.ts';
import {updateMarks} from './marking.ts';
import {openLine} from './opened-line.ts';
import {inOverlay, openOverlay} from './overlay.ts';
import {startPicking, updatePicking} from './picking.ts';
import {readOn} from './read-on.ts';
import {returnToPane} from './return-to-pane.ts';
import {copyLink} from './saving/copy-link.ts';
import {pipeKeys} from './saving/piping.ts';
import {saveKeys} from './saving.ts';
import {searchKeys} from './search.ts';
import {goToStart, leavePart, pauseInPart} from './unread-ranges.ts';
import {openSince} from './update-incident.ts';

/** Handles a command on the log screen: the first handler that knows the command takes it. */
export const updateLog = (state: State, command: Command): Step => {
  const {log} = state;
  if (log === undefined) {
    return stay(state);
  }
  for (const handle of handlers) {
    const step = handle(state, log, command);
    if (step !== undefined) {
      return readOn(log, step);
    }
  }
  return stay(state);
};

const pick: LogHandler = (state, log, command) => {
  const isPicking = log.cursor?.kind === 'picking';
  if (!isPicking && command !== 'pickLines') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const picked = isPicking ? updatePicking(log, pane, command) : startPicking(log, pane);
  return picked === undefined ? undefined : stay(withLog(state, picked));
};

const look: LogHandler = (state, log, command) => {
  const changed = changeLook(log.look, command);
  if (changed === undefined) {
    return undefined;
  }
  const lacksMark = changed.time === 'sinceMark' && changed.time !== log.look.time && log.marks.length === 0;
  return stay({
    ...withLog(state, {...log, look: changed}),
    notice: lacksMark
      ? `times count from the last mark, but there is none: ${keyFor('markLine', 'log')} sets one`
      : undefined,
  });
};

const move: LogHandler = (state, log, command) => {
  const viewport = moveViewport(state, log, command);
  // Going to either end drops the cursor of an earlier jump; who follows is not at its line any more.
  const cursor = command === 'goFirst' || command === 'goLast' ? undefined : log.cursor;
  const cameFrom = command === 'goLast' ? undefined : log.cameFrom;
  return viewport === undefined
    ? undefined
    : stay(withLog(state, pauseInPart(state, {...log, viewport, cursor, cameFrom})));
};

const leave: LogHandler = (state, log, command) => (command === 'back' ? goBack(state, log) : undefined);

const handlers: readonly LogHandler[] = [
  inOverlay,
  openOverlay,
  foldRepeated,
  openLine,
  saveKeys,
  copyKeys,
  pipeKeys,
  pick,
  searchKeys,
  filterKeys,
  askFilterName,
  highlightKeys,
  jumpToMarker,
  jumpToError,
  jumpToNew,
  jumpInTime,
  stripKeys,
  updateMarks,
  goToUnseen,
  watchKeys,
  askCompared,
  openSince,
  readOlder,
  copyLink,
  look,
  returnToPane,
  leavePart,
  goToStart,
  move,
  leave,
];

const moveViewport = (state: State, log: LogState, asked: Command): Viewport | undefined => {
  const {viewport} = log;
  const isPaging = asked === 'togglePause' && viewport.kind === 'paused' && state.logSettings.isPager;
  const command = isPaging ? 'pageDown' : asked;
  const pane = paneOf(state, log);
  switch (command) {
    case 'goLast':
      return following;
    case 'togglePause':
      return viewport.kind === 'paused' ? following : pause(viewport, pane.view, pane);
    default: {
      // One row of the previous page stays visible.
      const distance = movement(command, Math.max(1, pane.rows - 1));
      return distance === undefined ? undefined : scrollBy(viewport, pane.view, pane, distance);
    }
  }
};

const goBack = (state: State, log: LogState): Step => {
  if (state.context.parts === 'none') {
    return stay({...state, notice: `nothing else was opened: ${keyFor('quit', 'log')} quits`});
  }
  const generation = state.generation + 1;
  const next: State = {...state, screen: 'branches', generation, log: undefined, held: holdLog(state, log)};
  const siteId = state.branches?.siteId;
  return siteId === undefined
    ? stay({...next, screen: 'sites'}, {kind: 'cancel'})
    : stay(next, {kind: 'cancel'}, {kind: 'fetchBranches', siteId, generation});
};
