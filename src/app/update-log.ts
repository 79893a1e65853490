import type {Answer} from '../api/answer.ts';
import type {ApiError} from '../api/api-error.ts';
import type {Branch} from '../api/branch.ts';
import type {LogAnswer} from '../api/log-window.ts';
import {following, holdTop, pause, scrollBy, type Viewport} from '../log/viewport.ts';
import {branchesIntervalMs, watchBranches} from './branch-watch.ts';
import type {Effect} from './effect.ts';
import type {Moment} from './event.ts';
import {updateInspector} from './inspector.ts';
import {isJump, jumpToMarker} from './jump-to-marker.ts';
import type {Command} from './keymap.ts';
import {findSource, viewLog, withTail} from './log-sources.ts';
import {movement} from './movement.ts';
import {type LogSource, type LogState, paneRows, type State} from './state.ts';
import {type Step, stay} from './step.ts';
import {createTail, pollFailed, recordingEnded, type Tail, type TailStep, windowArrived} from './tail.ts';
import {afterPods} from './update-watch.ts';

/**
 * Goes to the log of one branch, or of several together, and asks for the first windows; a branch that is not built out has none, so nothing is
 * asked.
 */
export const openLog = (state: State, siteId: string, branches: readonly [Branch, ...Branch[]]): Step => {
  const {intervalMs, bufferBytesMax} = state.logSettings;
  // The bound is what the screen may take, however many branches are on it.
  const share = Math.floor(bufferBytesMax / branches.length);
  const sourceOf = (branch: Branch): LogSource => ({
    branch,
    tail: createTail({intervalMs, bufferBytesMax: share, keepsLateLines: false, marksHorizon: true}),
  });
  const [first, ...others] = branches;
  const log: LogState = {
    siteId,
    sources: [sourceOf(first), ...others.map(sourceOf)],
    viewport: following,
    watch: watchBranches(branches),
  };
  const next: State = {...state, screen: 'log', generation: state.generation + 1, isFilterOpen: false, log};
  const windows = fetchWindows(next, log);
  return windows.length === 0
    ? stay(next, {kind: 'cancel'})
    : stay(next, {kind: 'cancel'}, ...windows, {
        kind: 'refreshAfter',
        delayMs: branchesIntervalMs,
        generation: next.generation,
      });
};

/** One request a branch, each on its own from then on. */
const fetchWindows = ({generation}: State, {siteId, sources}: LogState): readonly Effect[] =>
  sources
    .filter(({branch}) => branch.status !== null)
    .map(({branch}) => ({kind: 'fetchWindow', siteId, branchId: branch._id, generation}));

/** Commands on the log screen. */
export const updateLog = (state: State, command: Command): Step => {
  const {log} = state;
  if (log === undefined) {
    return stay(state);
  }
  if (log.inspector !== undefined) {
    return stay({...state, log: updateInspector(state, log, log.inspector, command)});
  }
  if (command === 'toggleInspector') {
    return stay({...state, log: {...log, inspector: {topAtMs: undefined}}});
  }
  if (command === 'back') {
    return goBack(state);
  }
  if (isJump(command)) {
    const jumped = jumpToMarker(log, command, paneRows(state));
    return stay('none' in jumped ? {...state, notice: jumped.none} : {...state, log: jumped});
  }
  const viewport = moveViewport(log, command, paneRows(state));
  return stay(viewport === undefined ? state : {...state, log: {...log, viewport}});
};

const moveViewport = (log: LogState, command: Command, rows: number): Viewport | undefined => {
  const {viewport} = log;
  const view = viewLog(log);
  switch (command) {
    case 'goLast':
      return following;
    case 'togglePause':
      return viewport.kind === 'paused' ? following : pause(viewport, view, rows);
    default: {
      // One row of the page before stays in sight.
      const distance = movement(command, Math.max(1, rows - 1));
      return distance === undefined ? undefined : scrollBy(viewport, view, rows, distance);
    }
  }
};

const goBack = (state: State): Step => {
  const generation = state.generation + 1;
  const next: State = {...state, screen: 'branches', generation, log: undefined};
  const siteId = state.branches?.siteId;
  return siteId === undefined
    ? stay({...next, screen: 'sites'}, {kind: 'cancel'})
    : stay(next, {kind: 'cancel'}, {kind: 'fetchBranches', siteId, generation});
};

/** Asks for a window of every branch now. */
export const refreshLog = (state: State): Step =>
  state.log === undefined ? stay(state) : stay(state, ...fetchWindows(state, state.log));

/** It is a branch's turn: asks for its window. The others are not touched. */
export const pollDue = (state: State, branchId: string): Step =>
  state.log === undefined || findSource(state.log, branchId) === undefined
    ? stay(state)
    : stay(state, {kind: 'fetchWindow', siteId: state.log.siteId, branchId, generation: state.generation});

/** A window came: into the branch's log with it, and on to the next poll, which is only now arranged. */
export const logWindowArrived = (state: State, branchId: string, answer: Answer<LogAnswer>, moment: Moment): Step =>
  holdingTop(afterPoll(state, branchId, tail => windowArrived(tail, answer, moment)));

/** What was read may have left its buffer to make room. */
const holdingTop = ({state, effects}: Step): Step => {
  const {log} = state;
  const viewport = log && holdTop(log.viewport, viewLog(log));
  return log === undefined || viewport === undefined || viewport === log.viewport
    ? {state, effects}
    : {state: {...state, log: {...log, viewport}}, effects};
};

/** A poll failed: the log stays as it is. */
export const logWindowFailed = (state: State, branchId: string, error: ApiError, moment: Moment): Step => {
  const source = state.log && findSource(state.log, branchId);
  if (error.kind === 'ended' && state.log && source) {
    return stay({...state, log: withTail(state.log, branchId, recordingEnded(source.tail))});
  }
  return error.kind === 'cancelled' ? stay(state) : afterPoll(state, branchId, tail => pollFailed(tail, error, moment));
};

const afterPoll = (state: State, branchId: string, take: (tail: Tail) => TailStep): Step => {
  const source = state.log && findSource(state.log, branchId);
  if (state.log === undefined || source === undefined) {
    return stay(state);
  }
  const {tail, nextPollInMs, added} = take(source.tail);
  const next = {...state, log: withTail(state.log, branchId, tail)};
  return afterPods(
    stay(next, {kind: 'pollAfter', branchId, delayMs: nextPollInMs, generation: state.generation}),
    added,
  );
};
