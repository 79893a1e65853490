import {type Command, keyFor} from '#app/keys/keymap.ts';
import type {LogState} from '#app/state/state.ts';
import {type LogHandler, next, withLog} from '#app/state/step.ts';
import {formatClock} from '#log/line/instant.ts';
import {findError} from '#log/overview/find-in-log.ts';
import {type KnownShape, newShapesOf} from '#log/traits/shape-table.ts';
import {countOf} from '#log/words/format-count.ts';
import {type Pane, paneOf} from '../log-pane.ts';
import {placeOf} from '../mark-rows.ts';
import {goToIndex, readerIndex} from '../picking.ts';

const jumps = {
  nextError: {direction: 'next', levelMin: 'error', words: 'errors', opposite: 'previousError'},
  previousError: {direction: 'previous', levelMin: 'error', words: 'errors', opposite: 'nextError'},
  nextWarning: {direction: 'next', levelMin: 'warn', words: 'warnings or errors', opposite: 'previousWarning'},
  previousWarning: {direction: 'previous', levelMin: 'warn', words: 'warnings or errors', opposite: 'nextWarning'},
} as const;

const isErrorJump = (command: Command): command is keyof typeof jumps => command in jumps;

/** Goes to the next or previous error line, or line of level warn or worse; filters apply. */
export const jumpToError: LogHandler = (state, log, command) => {
  if (!isErrorJump(command)) {
    return undefined;
  }
  const {direction, levelMin, words, opposite} = jumps[command];
  const pane = paneOf(state, log);
  const fromIndex = readerIndex(log, pane);
  const index = findError(pane.view, {fromIndex, direction, levelMin});
  if (index !== undefined) {
    return next(withLog(state, goToIndex(log, pane, index)));
  }
  // While following, all errors are above, but the key in the hints looks down.
  const isThere = findError(pane.view, {fromIndex, direction: jumps[opposite].direction, levelMin}) !== undefined;
  return next({...state, notice: noMoreWords(words, direction === 'next', isThere ? opposite : undefined)});
};

/** Says that there are no more such lines one way; `opposite`: the command for the other way, if there are some. */
const noMoreWords = (words: string, isDown: boolean, opposite: Command | undefined): string => {
  const otherWay = opposite === undefined ? '' : `; ${keyFor(opposite, 'log')} goes ${isDown ? 'up' : 'down'}`;
  return `no more ${words} ${isDown ? 'below' : 'above'}${otherWay}`;
};

/** Goes to the next or previous line that showed a new shape first; filters apply. */
export const jumpToNew: LogHandler = (state, log, command) => {
  if (command !== 'nextNew' && command !== 'previousNew') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const isNext = command === 'nextNew';
  const wanted = findNew(log, pane, isNext);
  if (wanted !== undefined) {
    return next({...withLog(state, goToIndex(log, pane, wanted.index)), notice: newWords(wanted.known)});
  }
  const isThere = findNew(log, pane, !isNext) !== undefined;
  const opposite = isNext ? 'previousNew' : 'nextNew';
  return next({...state, notice: noMoreWords('new warnings or errors', isNext, isThere ? opposite : undefined)});
};

/** Returns the nearest such line in one direction from the reader's place. */
const findNew = (
  log: LogState,
  pane: Pane,
  isNext: boolean,
): {readonly index: number; readonly known: KnownShape} | undefined => {
  const from = readerIndex(log, pane);
  const [here] = pane.view.slice(from, 1);
  const shapes = newShapesOf(log.sources.map(each => each.shapes));
  for (const known of isNext ? shapes : shapes.toReversed()) {
    const anchor = {source: known.source, id: known.firstId, at: known.firstAt};
    // The time tells most of them apart, and looking a line up costs more.
    const isOtherWay = here !== undefined && (isNext ? anchor.at < here.entry.at : anchor.at > here.entry.at);
    const index = isOtherWay ? undefined : placeOf(pane.view, anchor);
    if (index !== undefined && (isNext ? index > from : index < from)) {
      return {index, known};
    }
  }
  return undefined;
};

const newWords = ({count, lastAt}: KnownShape): string =>
  count === 1
    ? 'new: the only line like it'
    : `new: the first of ${countOf(count, 'line')}, the last at ${formatClock(lastAt)}`;
