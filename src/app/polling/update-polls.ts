import type {Answer} from '../../api/answer.ts';
import type {ApiError} from '../../api/api-error.ts';
import type {Branch} from '../../api/decode/branch.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import type {Instant} from '../../log/line/instant.ts';
import {following, holdShownTop, holdTop} from '../../log/view/viewport.ts';
import {seeFirstLines, seenAtOpening} from '../log/jumps/away.ts';
import {goToLinkedTime} from '../log/jumps/go-to-time.ts';
import {memoryKey} from '../log/marks/memory.ts';
import {placeMarks} from '../log/marks/remembered-marks.ts';
import {dropLostMarks} from '../log/pane/mark-rows.ts';
import {takeTail} from '../log/take-tail.ts';
import {newCallState} from '../parts/call-user.ts';
import {createKeptViews} from '../parts/kept-views.ts';
import {plainLook} from '../parts/log-look.ts';
import {noPatterns} from '../parts/patterns.ts';
import type {Effect} from '../state/effect.ts';
import type {Moment} from '../state/event.ts';
import {withoutFilterOpen} from '../state/front.ts';
import {filteredOf, findSource, viewAll, viewLog} from '../state/log-sources.ts';
import type {LogSource, LogState, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';
import {createTail, pollFailed, recordingEnded, type Tail, type TailStep, windowArrived} from '../tail/tail.ts';
import {branchesIntervalMs, watchBranches} from './branch-watch.ts';
import {callFor} from './calling.ts';
import {afterPods} from './update-watch.ts';

/**
 * Goes to the log of one branch, or of several together, and asks for the first windows; a branch that is not built out
 * has none, so nothing is
 * asked. With a time the log is opened there instead of at its newest line.
 */
export const openLog = (
  state: State,
  siteId: string,
  branches: readonly [Branch, ...Branch[]],
  goToAt?: Instant | undefined,
): Step => {
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
    look: plainLook,
    use: noPatterns(state.generation + 1),
    minimumLevel: 'none',
    contextLines: 0,
    watch: watchBranches(branches),
    marks: [],
    saving: {kind: 'idle'},
    recollection: {kind: 'none'},
    call: state.callWishes && newCallState(state.nowMs),
    seen: seenAtOpening(state.nowMs),
    goToAt,
    kept: createKeptViews(),
  };
  const front = withoutFilterOpen(state.front);
  const next: State = {...state, screen: 'log', generation: state.generation + 1, front, log};
  const windows = fetchWindows(next, log);
  const key = state.remembersLogs === true ? memoryKey(next, log) : undefined;
  const recall: readonly Effect[] = key === undefined ? [] : [{kind: 'recallLog', key, generation: next.generation}];
  return windows.length === 0
    ? stay(next, {kind: 'cancel'}, ...recall)
    : stay(next, {kind: 'cancel'}, ...recall, ...windows, {
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
  state.log === undefined || findSource(state.log, branchId) === undefined
    ? stay(state)
    : findingWay(holdingTop(afterPoll(anchorTop(state), branchId, tail => windowArrived(tail, answer, moment))));

/** What the reader has been shown, marked or asked for, brought up to date. */
const findingWay = ({state, effects}: Step): Step => ({
  state: goToLinkedTime(seeFirstLines(placeRemembered(dropLostMarks(state)))),
  effects,
});

/** Lines that were marked last time may have come. */
const placeRemembered = (state: State): State => {
  const log = state.log && placeMarks(state.log);
  return log === state.log ? state : {...state, log};
};

/**
 * Where a filter hides the line that is held on top, what stands there instead is held from now on: nothing that comes
 * in may move it. While the filter
 * still finds what stands there, that is not known yet.
 */
const anchorTop = (state: State): State => {
  const {log} = state;
  const viewport = log && !areLinesPending(log) ? holdShownTop(log.viewport, viewLog(log)) : undefined;
  return log === undefined || viewport === undefined || viewport === log.viewport
    ? state
    : {...state, log: {...log, viewport}};
};

const areLinesPending = (log: LogState): boolean =>
  log.sources.some((_, index) => (filteredOf(log, index)?.pendingCount ?? 0) > 0);

/** What was read may have left its buffer to make room. */
const holdingTop = ({state, effects}: Step): Step => {
  const {log} = state;
  const viewport = log && holdTop(log.viewport, viewAll(log));
  return log === undefined || viewport === undefined || viewport === log.viewport
    ? {state, effects}
    : {state: {...state, log: {...log, viewport}}, effects};
};

/** A poll failed: the log stays as it is. */
export const logWindowFailed = (state: State, branchId: string, error: ApiError, moment: Moment): Step => {
  const source = state.log && findSource(state.log, branchId);
  if (error.kind === 'ended' && state.log && source) {
    return stay({...state, log: takeTail(state.log, branchId, recordingEnded(source.tail))});
  }
  return error.kind === 'cancelled' ? stay(state) : afterPoll(state, branchId, tail => pollFailed(tail, error, moment));
};

const afterPoll = (state: State, branchId: string, take: (tail: Tail) => TailStep): Step => {
  const source = state.log && findSource(state.log, branchId);
  if (state.log === undefined || source === undefined) {
    return stay(state);
  }
  const {tail, nextPollInMs, added} = take(source.tail);
  const isFirstWindow = source.tail.lastAnswerAtMs === undefined;
  const {log, effects} = callFor(state, takeTail(state.log, branchId, tail), isFirstWindow ? [] : added);
  return afterPods(
    stay(
      {...state, log},
      {kind: 'pollAfter', branchId, delayMs: nextPollInMs, generation: state.generation},
      ...effects,
    ),
    added,
  );
};
