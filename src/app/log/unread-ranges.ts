import type {Frame} from '#app/parts/frame.ts';
import {searchedId} from '#app/search/patterns.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {isUnread} from '#app/tail/tail.ts';
import type {Instant} from '#log/line/instant.ts';
import {startOfLog} from '#log/line/unread.ts';
import {following, pause, pauseAt} from '#log/view/viewport.ts';
import {goToTime} from './go-to-time.ts';
import {holdLog} from './held-logs.ts';
import {paneOf} from './log-pane.ts';
import {seekOn} from './search.ts';
import {openLog} from './update-polls.ts';

/** Stays as it is when another part of the log is shown. */
const kept = ({look, use, minimumLevel, areFiltersOff, contextLines, sourcePick, stripBucket}: LogState) => ({
  look,
  use,
  minimumLevel,
  contextLines,
  sourcePick,
  stripBucket,
  ...(areFiltersOff !== undefined && {areFiltersOff}),
});

/** Shows the lines around a place that was not read, instead of the newest ones, which stay in memory meanwhile. */
const openPart = (state: State, log: LogState, branchId: string, at: Instant): Step => {
  const newest = log.newest ?? log.sources[0].branch;
  const held = log.newest === undefined ? holdLog(state, log) : state.held;
  const opened = openLog({...state, held}, log.siteId, [{...newest, _id: branchId}], at);
  return {...opened, state: withPart(opened.state, log, {newest})};
};

const withPart = (state: State, log: LogState, change: Partial<LogState>): State =>
  state.log ? withLog(state, {...state.log, ...kept(log), ...change}) : state;

/** Shows the newest lines again, as they were left, and follows them. */
const showNewest = (state: State, log: LogState): Step => {
  if (log.newest === undefined) {
    return next(state);
  }
  const opened = openLog(state, log.siteId, [log.newest]);
  return {...opened, state: withPart(opened.state, log, {viewport: following, cursor: undefined})};
};

/** Searches on from the first of the newest lines, after nothing was found between a part and them. */
const searchNewest = (state: State, part: LogState): Step => {
  const shown = showNewest(state, part);
  const {log} = shown.state;
  const patternId = searchedId(part.use);
  if (part.newest === undefined || log === undefined || patternId === undefined) {
    return next({...withLog(state, part), notice: 'no more hits between here and the newest lines'});
  }
  const seeking: LogState = {
    ...log,
    viewport: pauseAt(viewAll(log), {index: 0, rowsAbove: 0}, following),
    use: {...log.use, search: {kind: 'seeking', patternId, direction: 'next'}},
  };
  // Those that are no longer in memory are searched when they are there again.
  const sought = viewAll(log).entryCount === 0 ? seeking : seekOn(shown.state, seeking);
  return {...shown, state: {...withLog(shown.state, sought), notice: 'searching on in the newest lines'}};
};

/** Goes to what was found of what was not read. */
export const takeUnread = (state: State, log: LogState, event: UnreadFound): Step => {
  const {found, at} = event;
  const searched: LogState = {...log, scan: undefined};
  switch (found.kind) {
    case 'part':
      return openPart(state, searched, found.branchId, found.at);
    case 'near':
    case 'newest': {
      if (at === undefined) {
        return searchNewest(state, searched);
      }
      const shown = showNewest(withLog(state, searched), searched);
      const newest = shown.state.log;
      const gone = newest === undefined ? next(shown.state) : goToTime(shown.state, newest, at);
      const nextState =
        found.kind === 'near' && gone.state.log
          ? {
              ...withLog(gone.state, {...gone.state.log, goToAt: at}),
              notice: `${found.why ? `${found.why}: ` : ''}reading back to ${at === startOfLog ? 'the first line' : 'that time'}`,
            }
          : gone.state;
      return {state: nextState, effects: [...shown.effects, ...gone.effects]};
    }
    case 'none':
      return next({...withLog(state, searched), notice: found.why});
    default:
      return found satisfies never;
  }
};

type UnreadFound = Extract<StampedEvent, {readonly kind: 'unreadFound'}>;

/** Handles the keys that leave a part for the newest lines. */
export const leavePart: LogHandler = (state, log, command) =>
  log.newest !== undefined && (command === 'goLast' || command === 'togglePause' || command === 'back')
    ? showNewest(state, log)
    : undefined;

/** Goes to the first line, also where it was not read. */
export const goToStart: LogHandler = (state, log, command) => {
  const [{branch, tail}] = log.sources;
  return command === 'goFirst' && isUnread(tail, 'earlier')
    ? next(
        {...state, notice: 'going to the first line'},
        {kind: 'findUnread', branchId: branch._id, wish: {kind: 'start'}, generation: state.generation},
      )
    : undefined;
};

/** The end of a part is not the newest line, which alone is followed. */
export const pauseInPart = (frame: Frame, log: LogState): LogState => {
  const pane = paneOf(frame, log);
  return log.newest === undefined ? log : {...log, viewport: pause(log.viewport, pane.view, pane)};
};
