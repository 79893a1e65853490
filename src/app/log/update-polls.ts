import type {Branch} from '#api/client/answer.ts';
import {withoutFilterOpen} from '#app/keys/input-focus.ts';
import {decideCall, newCallState} from '#app/parts/call-user.ts';
import {createKeptViews} from '#app/parts/kept-views.ts';
import {plainLook} from '#app/parts/log-parts.ts';
import {noPatterns} from '#app/search/patterns.ts';
import type {Effect} from '#app/state/effect.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {findSource, viewAll, viewLog} from '#app/state/log-sources.ts';
import type {HeldLog, LogSource, LogState, State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {branchesIntervalMs} from '#app/tail/branch-changes.ts';
import {heldPolledMsMax} from '#app/tail/polls.ts';
import {
  createTail,
  pollFailed,
  pollSent,
  recordingEnded,
  type Tail,
  type TailStep,
  windowArrived,
} from '#app/tail/tail.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import type {Added} from '#log/ingest/added.ts';
import {textOf} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {noShapes, type ShapeTable} from '#log/traits/shape-table.ts';
import type {LogView} from '#log/view/log-view.ts';
import {following, holdTop} from '#log/view/viewport.ts';
import {countShown} from './apply-filters.ts';
import {seeFirstLines, seenAtOpening} from './away.ts';
import {fetchWindow, isPreparedFor} from './fetch-window.ts';
import {goToLinkedTime} from './go-to-time.ts';
import {findHeld, reopenLog, takeTail} from './held-logs.ts';
import {pollForWatch} from './incident/watch-finding.ts';
import {dropLostMarks} from './mark-rows.ts';
import {placeMarks} from './marking.ts';
import {memoryKey, tellSince} from './memory.ts';
import {renewIncident} from './update-incident.ts';
import {afterPods, listingArrivedOnLog, watchBranches, withChanges} from './update-watch.ts';

/**
 * Only the newest lines of a poll are checked, up to this many characters: an engine that never hangs is slow, and key
 * presses wait for it.
 */
const charsMax = 200_000;
const textCharsMax = 4096;

const errorRank = levelRank('error');

/** The new lines of a poll of a branch; `again`: what was watched for came with them. */
type CallingLines = {
  readonly branch: string;
  readonly added: Added;
  readonly again: string | undefined;
};

/**
 * Decides whether the lines of a poll call the user; `again` does, as what was watched for. Do not pass the first
 * window of a branch: its lines are not new.
 */
const callFor = (
  state: State,
  log: LogState,
  {branch, added, again}: CallingLines,
): {readonly log: LogState; readonly effects: readonly Effect[]} => {
  const {notifyRules, nowMs} = state;
  if (notifyRules === undefined) {
    return {log, effects: []};
  }
  const texts = newestTexts(added);
  const {matches, firstError} = notifyRules;
  const match = again ?? (matches && texts.findLast(matches));
  const decided = decideCall(
    log.call ?? newCallState(nowMs),
    {
      nowMs,
      match,
      error: firstError ? texts.find(text => levelRank(levelOf(text)) >= errorRank) : undefined,
    },
    notifyRules,
  );
  const {text} = decided;
  const nextState = {...log, call: decided.state};
  if (text === undefined) {
    return {log: nextState, effects: []};
  }
  const why = again !== undefined ? 'again' : match !== undefined ? 'match' : 'error';
  return {log: nextState, effects: [{kind: 'callUser', why, text, siteId: log.siteId, branch}]};
};

const newestTexts = (added: Added): readonly string[] => {
  const texts: string[] = [];
  let left = charsMax;
  for (let index = added.length - 1; index >= 0; index--) {
    const entry = added.at(index);
    const text = entry?.kind === 'line' ? textOf(entry).slice(0, textCharsMax) : undefined;
    if (text !== undefined) {
      left -= text.length;
      if (left < 0) {
        break;
      }
      texts.push(text);
    }
  }
  return texts.toReversed();
};

/**
 * Opens the log of one branch or of several together, and requests the first windows. A log that is held opens as it
 * was left. A branch that is not built out has none, so nothing is requested. With `goToAt` the log opens at that time
 * instead of at its newest line.
 */
export const openLog = (
  state: State,
  siteId: string,
  branches: readonly [Branch, ...Branch[]],
  goToAt?: Instant | undefined,
): Step => {
  const held = findHeld(state, siteId, branches);
  const log: LogState = {
    ...(held === undefined ? newLog(state, siteId, branches) : reopenLog(held, branches)),
    call: state.notifyRules && newCallState(state.nowMs),
    sinceLast: held === undefined ? sinceLastOf(state, branches) : undefined,
    goToAt,
    ...(held === undefined && {goToSaved: state.context.saved?.place}),
  };
  const nextState: State = {
    ...state,
    screen: 'log',
    generation: state.generation + 1,
    focus: withoutFilterOpen(state.focus),
    log,
    held: state.held.filter(each => each !== held),
  };
  const windows = fetchWindows(nextState, log);
  const isUnknown = state.remembersLogs === true && log.recollection.kind === 'none';
  const key = isUnknown ? memoryKey(nextState, log) : undefined;
  const recall: readonly Effect[] =
    key === undefined ? [] : [{kind: 'recallLog', key, generation: nextState.generation}];
  return windows.length === 0
    ? next(nextState, {kind: 'cancel'}, ...recall)
    : next(nextState, {kind: 'cancel'}, ...recall, ...windows, {
        kind: 'refreshAfter',
        delayMs: branchesIntervalMs,
        generation: nextState.generation,
      });
};

/** Only what is remembered has a last session. */
const sinceLastOf = ({remembersLogs, context, branches}: State, [first, ...others]: readonly Branch[]) =>
  remembersLogs === true && context.saved === undefined && first !== undefined && others.length === 0
    ? {seenAt: undefined, guardTold: branches?.guarded.get(first.name) ?? 0}
    : undefined;

const newLog = (state: State, siteId: string, branches: readonly [Branch, ...Branch[]]): LogState => {
  const {intervalMs, bufferBytesMax, rows, columns = []} = state.logSettings;
  // The bound is for the whole screen, so the branches share it.
  const share = Math.floor(bufferBytesMax / branches.length);
  const sourceOf = (branch: Branch): LogSource => ({
    branch,
    tail: createTail({intervalMs, bufferBytesMax: share, keepsLateLines: false, marksHorizon: true}),
    shapes: noShapes,
  });
  const [first, ...others] = branches;
  return {
    siteId,
    sources: [sourceOf(first), ...others.map(sourceOf)],
    viewport: following,
    look: {...plainLook, rows, columns: columns.map(name => ({name}))},
    use: noPatterns(state.generation + 1),
    minimumLevel: 'none',
    contextLines: 0,
    sourceNames: [],
    watch: watchBranches(branches),
    marks: [],
    saving: {kind: 'idle'},
    recollection: {kind: 'none'},
    seen: seenAtOpening(state.nowMs),
    kept: createKeptViews(),
  };
};

/** One request per branch; from then on each branch polls on its own. */
const fetchWindows = ({generation}: State, log: LogState): readonly Effect[] =>
  log.sources
    .filter(({branch}) => branch.status !== null)
    .map(source => fetchWindow(source, log.siteId, generation, log));

/** Requests a window of every branch now. */
export const refreshLog = (state: State): Step =>
  state.log === undefined
    ? next(state)
    : next(
        {...state, log: state.log.sources.reduce((log, source) => asking(log, source, state.nowMs), state.log)},
        ...fetchWindows(state, state.log),
      );

const asking = (log: LogState, {branch, tail}: LogSource, nowMs: number): LogState => {
  const sent = pollSent(tail, nowMs);
  return sent === tail ? log : takeTail(log, branch._id, sent);
};

/** Requests the window of a branch whose poll is due; other branches are not affected. */
export const pollDue = (state: State, log: LogState, branchId: string): Step => {
  const {nowMs, generation} = state;
  const source = findSource(log, branchId);
  return source === undefined
    ? next(state)
    : next({...state, log: asking(log, source, nowMs)}, fetchWindow(source, log.siteId, generation, log));
};

/** Takes a window into the branch's log, and only then schedules the next poll. */
export const logWindowArrived = (
  state: State,
  log: LogState,
  {branchId, answer, prepared, moment}: Extract<StampedEvent, {readonly kind: 'windowArrived'}>,
): Step => {
  const source = findSource(log, branchId);
  if (source === undefined) {
    return next(state);
  }
  const ready = prepared !== undefined && isPreparedFor(prepared, source) ? prepared : undefined;
  const take = (tail: Tail): TailStep => windowArrived(tail, answer, moment, ready?.taken);
  return findingWay(holdingTop(afterPoll(anchorTop(state), branchId, take, ready?.shapes)));
};

/** Updates what depends on the lines: marks, what the user has seen, a linked time still to go to, older lines. */
const findingWay = ({state, effects}: Step): Step =>
  renewIncident({state: tellSince(goToLinkedTime(seeFirstLines(placeRemembered(dropLostMarks(state))))), effects});

/** Lines that were marked in an earlier session may have come. */
const placeRemembered = (state: State): State => {
  const log = state.log && placeMarks(state.log);
  return log === state.log ? state : {...state, log};
};

/**
 * If a filter hides the top line, anchors the view to the line shown in its place, so that new lines do not move it.
 * Waits while the filter is still working, since that line is not known yet.
 */
const anchorTop = (state: State): State =>
  state.log && countShown(state.log).pending === 0 ? holdTopIn(viewLog(state.log), state) : state;

/** Holds the top of the viewport: its line may have been evicted from the buffer. */
const holdingTop = ({state, effects}: Step): Step => ({
  state: state.log ? holdTopIn(viewAll(state.log), state) : state,
  effects,
});

const holdTopIn = (view: LogView, state: State): State => {
  const {log} = state;
  const viewport = log && holdTop(log.viewport, view);
  return log === undefined || viewport === undefined || viewport === log.viewport
    ? state
    : {...state, log: {...log, viewport}};
};

/** Handles a failed poll: the lines of the log stay. */
export const logWindowFailed = (
  state: State,
  log: LogState,
  {branchId, error, moment}: Extract<StampedEvent, {readonly kind: 'windowFailed'}>,
): Step => {
  const source = findSource(log, branchId);
  if (error.kind === 'ended' && source) {
    return next({...state, log: takeTail(log, branchId, recordingEnded(source.tail))});
  }
  return error.kind === 'cancelled'
    ? next(state)
    : renewIncident(afterPoll(state, branchId, tail => pollFailed(tail, error, moment)));
};

const afterPoll = (state: State, branchId: string, take: (tail: Tail) => TailStep, shapes?: ShapeTable): Step => {
  const source = state.log && findSource(state.log, branchId);
  if (state.log === undefined || source === undefined) {
    return next(state);
  }
  const {tail, nextPollInMs, added} = take(source.tail);
  const isFirstWindow = source.tail.lastAnswerAtMs === undefined;
  const taken = takeTail(state.log, branchId, tail, shapes);
  const index = state.log.sources.indexOf(source);
  const watched = pollForWatch(state.log, {tail, index}, added);
  const again = watched?.isAgain ? `again: ${watched.findingWatch.name}` : undefined;
  const {log, effects} = callFor(
    state,
    watched === undefined ? taken : {...taken, findingWatch: watched.findingWatch},
    {branch: source.branch.name, added: isFirstWindow ? [] : added, again},
  );
  return afterPods(
    next(
      {...state, log, notice: again ?? state.notice},
      {kind: 'pollAfter', branchId, delayMs: nextPollInMs, generation: state.generation},
      ...effects,
    ),
    added,
  );
};

/** The shortest time between two polls of a log that was left, milliseconds. */
const heldPollMsMin = 15_000;

/**
 * Runs after a good listing: adds the branches' changes to the open log and to the held ones, and polls those of these
 * that are due. So they are polled as often as the branches are listed, and not at all while the service fails or no
 * list is asked for.
 */
export const takeListing = (step: Step, branches: readonly Branch[]): Step => {
  const {state, effects} = step.state.screen === 'log' ? listingArrivedOnLog(step, branches) : step;
  const {held, nowMs, branches: listed} = state;
  if (held.length === 0) {
    return {state, effects};
  }
  const polls: Effect[] = [];
  const changed = held.map((each): HeldLog => {
    const log = each.log.siteId === listed?.siteId ? withChanges(each.log, branches, serviceNowMs(state)) : each.log;
    const due = fetchesDue(each, nowMs);
    polls.push(...due);
    return {...each, log, askedAtMs: due.length === 0 ? each.askedAtMs : nowMs};
  });
  return {state: {...state, held: changed}, effects: [...effects, ...polls]};
};

const fetchesDue = ({log, generation, leftAtMs, askedAtMs}: HeldLog, nowMs: number): readonly Effect[] =>
  nowMs - leftAtMs > heldPolledMsMax || nowMs - askedAtMs < heldPollMsMin
    ? []
    : log.sources
        .filter(({branch, tail}) => branch.status !== null && isDue(tail, nowMs))
        .map(source => fetchWindow(source, log.siteId, generation));

/** Checks whether the pace, or what the service asked for, allows a poll. */
const isDue = ({connection, polls}: Tail, nowMs: number): boolean => {
  const last = polls.latest.at(-1);
  return connection.kind !== 'ended' && (last === undefined || last.atMs + last.nextPollInMs <= nowMs);
};

type WindowEvent = Extract<StampedEvent, {readonly kind: 'windowArrived' | 'windowFailed'}>;

/**
 * Takes the answer to a poll of a held log; returns undefined if no held log asked for it. What else a window leads to,
 * such as the next poll or a call to the user, is for the open log only.
 */
export const takeHeldWindow = (state: State, event: WindowEvent): Step | undefined => {
  const found = state.held.find(each => each.generation === event.generation);
  if (found === undefined) {
    return undefined;
  }
  const opened: State = {...state, log: found.log};
  const {state: taken, effects} =
    event.kind === 'windowArrived'
      ? logWindowArrived(opened, found.log, event)
      : logWindowFailed(opened, found.log, event);
  const {log = found.log, notice} = taken;
  // That a finding which is watched came again is reported here, too.
  return next(
    {...state, notice, held: state.held.map(each => (each === found ? {...each, log} : each))},
    ...(notice === state.notice ? [] : effects.filter(({kind}) => kind === 'callUser')),
  );
};
