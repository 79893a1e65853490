import type {Command} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import {viewLog} from '#app/state/log-sources.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import {askFor, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {canReadBackTo, isUnread} from '#app/tail/tail.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {formatInstant, type Instant, instantFromMs, latestOf} from '#log/line/instant.ts';
import {startOfLog} from '#log/line/unread.ts';
import {isRangeText, parseRange, parseWhen, type WhenContext} from '#log/tokens/time-words.ts';
import type {LogView} from '#log/view/log-view.ts';
import {following, pauseAt, topPlace} from '#log/view/viewport.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {goToIndex, readerIndex} from './picking.ts';

/** `2026-11-21 14:02:11` */
const formatTime = (at: Instant): string => formatInstant(at).slice(0, 19).replace('T', ' ');

const noLines = 'the log has no lines yet';

/** Handles the keys that go to a time: asks for one, or shows the last minutes. */
export const jumpInTime: LogHandler = (state, log, command) => {
  if (command === 'goToTime') {
    return askFor(state, 'time');
  }
  if (command === 'filterByTime') {
    return askFor(state, 'range');
  }
  const minutes = lastMinutes[command];
  return minutes === undefined ? undefined : showLast(state, log, minutes);
};

const lastMinutes: Readonly<Partial<Record<Command, number>>> = {
  lastMinute: 1,
  lastFiveMinutes: 5,
  lastFifteenMinutes: 15,
  lastHour: 60,
};

/**
 * Goes to the typed time, in the zone of the time column. Empty input does nothing; what is no time stays in the input
 * line, with a notice.
 */
export const goToTypedTime = (state: State, log: LogState, text: string): Step => {
  if (text.trim() === '') {
    return next(state);
  }
  if (isRangeText(text)) {
    return takeRange(state, log, text, 'time');
  }
  const at = parseWhen(text, typedIn(state, log));
  if (typeof at !== 'bigint') {
    return askFor({...state, notice: at.error}, 'time', text);
  }
  return goToOrFind(state, log, at);
};

/** Goes to a time, which may be in what was not read. */
const goToOrFind = (state: State, log: LogState, at: Instant): Step => {
  const [source] = log.sources;
  return isLeftOut(source, at)
    ? next(
        {...state, notice: `going to ${formatTime(at)}`},
        {
          kind: 'findUnread',
          branchId: source.branch._id,
          wish: {kind: 'time', at},
          generation: state.generation,
        },
      )
    : goToTime(state, log, at);
};

/** Whether a time is in what was not read. */
const isLeftOut = ({tail}: LogSource, at: Instant): boolean => {
  const {heldFrom, heldTo} = tail.log;
  return (isUnread(tail, 'earlier') && at < (heldFrom?.at ?? at)) || (heldTo !== undefined && at > heldTo.at);
};

const canReadBack = ({sources}: LogState, at: Instant): boolean => sources.some(({tail}) => canReadBackTo(tail, at));

/** Times are typed in the zone of the time column, and a clock time is one of the day that is being read. */
const typedIn = (frame: Frame, log: LogState): WhenContext => ({
  nowAt: instantFromMs(serviceNowMs(frame)),
  dayOf: readTime(paneOf(frame, log), log),
  ...(log.look.time === 'local' && {offsetMinutesAt: frame.offsetMinutesAt}),
});

const readTime = (pane: Pane, log: LogState): Instant | undefined =>
  pane.view.timeAt(Math.min(readerIndex(log, pane), pane.view.entryCount - 1));

/**
 * Shows only what is of a typed range of time, and goes to its beginning, else to its end; empty input shows all times
 * again.
 */
export const takeRange = (state: State, log: LogState, text: string, asked: 'range' | 'time' = 'range'): Step => {
  if (text.trim() === '') {
    return next(withLog(state, {...log, range: undefined}));
  }
  const range = parseRange(text, typedIn(state, log));
  if ('error' in range) {
    return askFor({...state, notice: range.error}, asked, text);
  }
  const {from} = range;
  const all = log.range === undefined ? log : {...log, range: undefined, filtering: undefined};
  const atEnd = {...log, viewport: following, cursor: undefined};
  const {state: nextState, effects} = from === undefined ? next(withLog(state, atEnd)) : goToOrFind(state, all, from);
  return {state: {...nextState, log: nextState.log && {...nextState.log, range}}, effects};
};

/**
 * Puts the cursor on the first line at or after a time. Outside the log held, goes to its nearest end and shows a
 * notice.
 */
export const goToTime = (state: State, log: LogState, at: Instant): Step => {
  const pane = paneOf(state, log);
  const {view} = pane;
  if (view.entryCount === 0) {
    return next({...state, notice: noLines});
  }
  const index = view.indexAtOrAfter(at);
  const isPast = index === view.entryCount;
  const nextState = withLog(state, goToIndex(log, pane, isPast ? index - 1 : index + markersAt(view, index)));
  return next({...nextState, notice: isPast ? sentenceAtEnd(view) : sentenceAtBegin(view, at)});
};

const markersMax = 16;

/** Counts the markers between an index and the line they belong to; 0 if no line follows soon. */
const markersAt = (view: LogView, index: number): number =>
  Math.max(
    0,
    view.slice(index, markersMax).findIndex(({entry}) => entry.kind === 'line'),
  );

const sentenceAtEnd = (view: LogView): string | undefined => {
  const [last] = view.slice(view.entryCount - 1, 1);
  return last && `the log ends at ${formatTime(last.entry.at)}, before that time`;
};

/** Returns a sentence if the time is before the log held, otherwise undefined. */
const sentenceAtBegin = (view: LogView, at: Instant): string | undefined => {
  const [first] = view.slice(0, 1);
  return first === undefined || at >= first.entry.at || at === startOfLog
    ? undefined
    : `the buffer begins at ${formatTime(first.entry.at)}, after that time`;
};

const nanosPerMinute = 60_000_000_000n;

/** Stops following, with the first line of the last minutes at the top, by the log's own time. */
const showLast = (state: State, log: LogState, minutes: number): Step => {
  const pane = paneOf(state, log);
  const {view} = pane;
  const newest = latestOf(view.buffers.map(buffer => buffer.newestLine?.at));
  if (newest === undefined) {
    return next({...state, notice: noLines});
  }
  const from = newest - BigInt(minutes) * nanosPerMinute;
  const nextState = withLog(state, {...log, viewport: topAt(log, pane, view.indexAtOrAfter(from)), cursor: undefined});
  return next({...nextState, notice: sentenceAtBegin(view, from)});
};

/** Keeps the pane full: with fewer lines than rows, the newest line is in the last row. */
const topAt = (log: LogState, pane: Pane, index: number): LogState['viewport'] => {
  const last = topPlace(following, pane.view, pane);
  return pauseAt(pane.view, index < last.index ? {index, rowsAbove: 0} : last, log.viewport);
};

/**
 * Goes to the time of a command line link once the first window has come, or to a typed one once the log was read back
 * to it; not if the reader follows the log again meanwhile.
 */
export const goToLinkedTime = (state: State): State => {
  const {log} = state;
  if (log?.goToSaved !== undefined && log.sources.every(({tail}) => tail.log.before !== undefined)) {
    return goToSaved(state, {...log, goToSaved: undefined}, log.goToSaved);
  }
  if (log?.goToAt === undefined || !log.sources.some(({tail}) => tail.log.before !== undefined)) {
    return state;
  }
  const isEmpty = viewLog(log).entryCount === 0;
  if (isEmpty && log.goToAt === startOfLog) {
    return state;
  }
  if (canReadBack(log, log.goToAt)) {
    return log.viewport.kind === 'paused' ? state : withLog(state, {...log, goToAt: undefined});
  }
  const {state: nextState} = goToTime(state, {...log, goToAt: undefined}, log.goToAt);
  return isEmpty ? {...nextState, log: {...log, goToAt: undefined}} : nextState;
};

/** Goes to where the reader of a saved log was. Its filters may still be at work, so nothing is looked for. */
const goToSaved = (state: State, log: LogState, place: NonNullable<LogState['goToSaved']>): State => {
  const {top, cursor, held} = place;
  const first = top ?? cursor;
  return withLog(state, {
    ...log,
    ...(first && {viewport: {kind: 'paused', top: first, rowsAbove: 0, ...(held && {held})}}),
    ...(cursor && {cursor: {kind: 'at', anchor: cursor}}),
  });
};
