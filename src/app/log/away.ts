import {keyFor} from '#app/keys/keymap.ts';
import {viewLog} from '#app/state/log-sources.ts';
import type {Away, LogState, Seen, State} from '#app/state/state.ts';
import {type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {countLinesFrom} from '#app/words/marker-words.ts';
import {entryAt, indexOfEntry, type LineBuffer} from '#log/buffer/buffer.ts';
import {countErrorsFrom} from '#log/overview/find-in-log.ts';
import {type Anchor, anchorOf, type LogView} from '#log/view/log-view.ts';
import {paneOf} from './log-pane.ts';
import {awayCounts, placeOf} from './mark-rows.ts';
import {goToIndex} from './picking.ts';

/** A key press within this time means that the user was reading, milliseconds. */
export const awayMsMin = 60_000;

/** Nothing has been seen yet of a log that is just being opened. */
export const seenAtOpening = (nowMs: number): Seen => ({atMs: nowMs, newest: []});

/**
 * Handles a key press. If it is the first for a long time and lines came meanwhile, shows a notice and marks the place
 * in the log.
 */
export const atKey = (state: State, act: (state: State) => Step): Step => {
  const away = state.log && findAway(state.log, state.nowMs);
  const step = act(state.log === undefined || away === undefined ? state : withLog(state, {...state.log, away}));
  const {log, notice} = step.state;
  if (log === undefined) {
    return step;
  }
  const isTold = away !== undefined && log.away === away && notice === undefined;
  return {
    ...step,
    state: {
      // A log that is opened again was not seen meanwhile: the next key tells what came.
      ...(state.log === undefined
        ? step.state
        : withLog(step.state, {...log, sinceLast: undefined, seen: {atMs: state.nowMs, newest: newestOf(log)}})),
      notice: isTold ? `since you looked away: ${awayCounts(away)}; ${keyFor('goToUnseen', 'log')} goes there` : notice,
    },
  };
};

/** Runs after a window: the first lines of a branch were there before the user could look away. */
export const seeFirstLines = (state: State): State => {
  const {log} = state;
  if (log === undefined || log.sources.every((_, source) => log.seen.newest[source] !== undefined)) {
    return state;
  }
  const newest = newestOf(log).map((anchor, source) => log.seen.newest[source] ?? anchor);
  return withLog(state, {...log, seen: {...log.seen, newest}});
};

const newestOf = ({sources}: LogState): Seen['newest'] =>
  sources.map(({tail}, source) => {
    const line = tail.log.buffer.newestLine;
    return line === undefined ? undefined : {source, id: line.id, at: line.at};
  });

/** Returns what came since the last key; undefined if that key was recent or nothing came. */
const findAway = (log: LogState, nowMs: number): Away | undefined => {
  const {atMs, newest} = log.seen;
  if (nowMs - atMs < awayMsMin) {
    return undefined;
  }
  let lineCount = 0;
  let errorCount = 0;
  for (const anchor of seenLines(newest)) {
    const buffer = log.sources[anchor.source]?.tail.log.buffer;
    if (buffer !== undefined) {
      const from = indexAfter(buffer, anchor);
      lineCount += countLinesFrom(buffer, from);
      errorCount += countErrorsFrom(buffer, from);
    }
  }
  return lineCount === 0 ? undefined : {sinceMs: atMs, anchor: lastSeen(log), lineCount, errorCount};
};

const seenLines = (newest: Seen['newest']): readonly Anchor[] => newest.filter(anchor => anchor !== undefined);

/** Returns the index after an entry of a buffer; if the entry was evicted, that of the first entry after its place. */
const indexAfter = (buffer: LineBuffer, anchor: Anchor): number => {
  const index = indexOfEntry(buffer, anchor);
  return entryAt(buffer, index)?.id === anchor.id ? index + 1 : index;
};

const indexAfterIn = (view: LogView, anchor: Anchor): number =>
  placeOf(view, anchor) === undefined ? view.indexOf(anchor) : view.indexOf(anchor) + 1;

/**
 * Returns the last seen entry in view: a filter may hide the newest line itself, and everything seen may have been
 * evicted.
 */
const lastSeen = (log: LogState): Anchor | undefined => {
  const view = viewLog(log);
  const nextState = Math.max(0, ...seenLines(log.seen.newest).map(anchor => indexAfterIn(view, anchor)));
  const [entry] = nextState === 0 ? [] : view.slice(nextState - 1, 1);
  return entry && anchorOf(entry);
};

/** Goes to the first entry that came while the user looked away. */
export const goToUnseen: LogHandler = (state, log, command) => {
  if (command !== 'goToUnseen') {
    return undefined;
  }
  if (log.away === undefined) {
    return next({...state, notice: 'nothing arrived while you looked away'});
  }
  const pane = paneOf(state, log);
  const {anchor} = log.away;
  const index = anchor === undefined ? 0 : indexAfterIn(pane.view, anchor);
  return next(withLog(state, goToIndex(log, pane, Math.min(index, pane.view.entryCount - 1))));
};
