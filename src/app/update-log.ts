import type {Answer} from '../api/answer.ts';
import type {ApiError} from '../api/api-error.ts';
import type {Branch} from '../api/branch.ts';
import type {LogAnswer} from '../api/log-window.ts';
import {following, pause, scrollBy, type Viewport} from '../log/viewport.ts';
import type {Moment} from './event.ts';
import type {Command} from './keymap.ts';
import {type LogState, paneRows, type State} from './state.ts';
import {type Step, stay} from './step.ts';
import {createTail, pollFailed, type TailStep, windowArrived} from './tail.ts';

/** Goes to a branch's log and asks for its first window; a branch that is not built out has none, so nothing is asked. */
export const openLog = (state: State, siteId: string, branch: Branch): Step => {
  const generation = state.generation + 1;
  const tail = createTail({...state.logSettings, keepsLateLines: false});
  const next: State = {
    ...state,
    screen: 'log',
    generation,
    isFilterOpen: false,
    log: {siteId, branch, tail, viewport: following},
  };
  return branch.status === null
    ? stay(next, {kind: 'cancel'})
    : stay(next, {kind: 'cancel'}, {kind: 'fetchWindow', siteId, branchId: branch._id, generation});
};

/** Commands on the log screen. */
export const updateLog = (state: State, command: Command): Step => {
  const {log} = state;
  if (log === undefined) {
    return stay(state);
  }
  if (command === 'back') {
    return goBack(state);
  }
  const viewport = moveViewport(log, command, paneRows(state));
  return stay(viewport === undefined ? state : {...state, log: {...log, viewport}});
};

const moveViewport = ({viewport, tail}: LogState, command: Command, rows: number): Viewport | undefined => {
  const {buffer} = tail.log;
  switch (command) {
    case 'moveUp':
      return scrollBy(viewport, buffer, rows, -1);
    case 'moveDown':
      return scrollBy(viewport, buffer, rows, 1);
    // One row of the page before stays in sight.
    case 'pageUp':
      return scrollBy(viewport, buffer, rows, -Math.max(1, rows - 1));
    case 'pageDown':
      return scrollBy(viewport, buffer, rows, Math.max(1, rows - 1));
    case 'goFirst':
      return scrollBy(viewport, buffer, rows, -buffer.entryCount);
    case 'goLast':
      return following;
    case 'togglePause':
      return viewport.kind === 'paused' ? following : pause(viewport, buffer, rows);
    default:
      return undefined;
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

/** Asks for a window now. */
export const refreshLog = (state: State): Step => {
  const {log, generation} = state;
  return log === undefined || log.branch.status === null
    ? stay(state)
    : stay(state, {kind: 'cancel'}, {kind: 'fetchWindow', siteId: log.siteId, branchId: log.branch._id, generation});
};

/** A window came: into the log with it, and on to the next poll, which is only now arranged. */
export const logWindowArrived = (state: State, answer: Answer<LogAnswer>, moment: Moment): Step =>
  state.log === undefined ? stay(state) : afterPoll(state, state.log, windowArrived(state.log.tail, answer, moment));

/** A poll failed: the log stays as it is. */
export const logWindowFailed = (state: State, error: ApiError, moment: Moment): Step =>
  state.log === undefined || error.kind === 'cancelled'
    ? stay(state)
    : afterPoll(state, state.log, pollFailed(state.log.tail, error, moment));

const afterPoll = (state: State, log: LogState, {tail, nextPollInMs}: TailStep): Step =>
  stay({...state, log: {...log, tail}}, {kind: 'refreshAfter', delayMs: nextPollInMs, generation: state.generation});
