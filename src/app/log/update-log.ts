import {type Command, keyFor, movement} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import {changeLook} from '#app/parts/log-parts.ts';
import {filteredOf, openedRepeats} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import type {Marker} from '#log/line/entry.ts';
import {findMarker} from '#log/overview/find-in-log.ts';
import {anchorOf} from '#log/view/log-view.ts';
import {following, pause, scrollBy, type Viewport} from '#log/view/viewport.ts';
import {goToUnseen} from './away.ts';
import {askCompared} from './compare-incident.ts';
import {copyKeys, copyLink, pipeKeys} from './copying.ts';
import {readOn} from './fetch-window.ts';
import {filterKeys} from './filters.ts';
import {askFilterName} from './filters-pane.ts';
import {jumpInTime} from './go-to-time.ts';
import {holdLog} from './held-logs.ts';
import {highlightKeys} from './highlights.ts';
import {readOlder} from './incident/older-lines.ts';
import {watchKeys} from './incident/watch-finding.ts';
import {jumpToError, jumpToNew} from './jumps/jumps.ts';
import {stripKeys} from './jumps/strip-keys.ts';
import {paneOf} from './log-pane.ts';
import {updateMarks} from './marking.ts';
import {openLine} from './opened-line.ts';
import {inOverlay, openOverlay} from './overlay.ts';
import {cursorIndex, goToIndex, readerIndex, startPicking, updatePicking} from './picking.ts';
import {saveKeys} from './saving.ts';
import {searchKeys} from './search.ts';
import {goToStart, leavePart, pauseInPart} from './unread-ranges.ts';
import {openSince, readAgain} from './update-incident.ts';
import {openValueTrace} from './update-value-trace.ts';

/** Leads back to the pane from which a line was gone to, with the same row highlighted. */
const returnToPane: LogHandler = (state, log, command) => {
  const {cameFrom: pane} = log;
  if (command !== 'back' || pane === undefined) {
    return undefined;
  }
  const left: LogState = {...log, cameFrom: undefined};
  switch (pane.kind) {
    case 'incident':
      return readAgain(state, left, pane, pane.compared);
    case 'summary':
      return next(
        withLog(state, {...left, overlay: pane}),
        ...(pane.readCount < pane.order.entryCount ? [{kind: 'summarise', order: pane.order} as const] : []),
      );
    case 'trail': {
      const opened = openValueTrace(state, left, pane.from, 'showTrail');
      const overlay = opened?.state.log?.overlay;
      const {selectedKey, top} = pane;
      return opened?.state.log === undefined || overlay?.kind !== 'trail'
        ? opened
        : {...opened, state: withLog(opened.state, {...opened.state.log, overlay: {...overlay, selectedKey, top}})};
    }
    default:
      return pane satisfies never;
  }
};

const isGap = ({kind}: Marker): boolean => kind === 'gap';
const isAny = (): boolean => true;

const jumps = {
  nextGap: {direction: 'next', holds: isGap, none: 'no more gaps below'},
  previousGap: {direction: 'previous', holds: isGap, none: 'no more gaps above'},
  nextMarker: {direction: 'next', holds: isAny, none: 'no more markers below'},
  previousMarker: {direction: 'previous', holds: isAny, none: 'no more markers above'},
} as const;

const isJump = (command: Command): command is keyof typeof jumps => command in jumps;

/** Goes to the next or previous marker from the reader's place, see `readerIndex`. */
const jumpToMarker: LogHandler = (state, log, command) => {
  if (!isJump(command)) {
    return undefined;
  }
  const {direction, holds, none} = jumps[command];
  const pane = paneOf(state, log);
  const found = findMarker(pane.view, {fromIndex: readerIndex(log, pane), direction, holds});
  return next(found === undefined ? {...state, notice: none} : withLog(state, goToIndex(log, pane, found.index)));
};

/** Runs that stay open at once: more than anybody reads. */
const openedMax = 100;

/** Folds repeated lines, and opens the run under the cursor before its line is opened. */
const foldRepeated: LogHandler = (state, log, command) => {
  if (command === 'toggleRepeats') {
    return next(withLog(state, {...log, repeats: log.repeats === undefined ? [] : undefined}));
  }
  const opened = openedRepeats(log);
  if (command !== 'openLine' || opened === undefined) {
    return undefined;
  }
  const pane = paneOf(state, log);
  const [found] = pane.view.slice(cursorIndex(log, pane) ?? pane.view.entryCount, 1);
  return found === undefined || !filteredOf(log, found.source)?.repeatsOf(found.entry)
    ? undefined
    : next(withLog(state, {...log, repeats: [...opened, anchorOf(found)].slice(-openedMax)}));
};

/** Handles a command on the log screen: the first handler that knows the command takes it. */
export const updateLog = (state: State, command: Command): Step => {
  const {log} = state;
  if (log === undefined) {
    return next(state);
  }
  for (const handle of handlers) {
    const step = handle(state, log, command);
    if (step !== undefined) {
      return readOn(log, step);
    }
  }
  return next(state);
};

const pick: LogHandler = (state, log, command) => {
  const isPicking = log.cursor?.kind === 'picking';
  if (!isPicking && command !== 'pickLines') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const picked = isPicking ? updatePicking(log, pane, command) : startPicking(log, pane);
  return picked === undefined ? undefined : next(withLog(state, picked));
};

const look: LogHandler = (state, log, command) => {
  const changed = changeLook(log.look, command);
  if (changed === undefined) {
    return undefined;
  }
  const lacksMark = changed.time === 'sinceMark' && changed.time !== log.look.time && log.marks.length === 0;
  return next({
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
    : next(withLog(state, pauseInPart(state, {...log, viewport, cursor, cameFrom})));
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

const moveViewport = (frame: Frame, log: LogState, asked: Command): Viewport | undefined => {
  const {viewport} = log;
  const isPaging = asked === 'togglePause' && viewport.kind === 'paused' && frame.logSettings.isPager;
  const command = isPaging ? 'pageDown' : asked;
  const pane = paneOf(frame, log);
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
    return next({...state, notice: `nothing else was opened: ${keyFor('quit', 'log')} quits`});
  }
  const generation = state.generation + 1;
  const nextState: State = {...state, screen: 'branches', generation, log: undefined, held: holdLog(state, log)};
  const siteId = state.branches?.siteId;
  return siteId === undefined
    ? next({...nextState, screen: 'sites'}, {kind: 'cancel'})
    : next(nextState, {kind: 'cancel'}, {kind: 'fetchBranches', siteId, generation});
};
