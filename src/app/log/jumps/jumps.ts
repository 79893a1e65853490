import {type Command, keyFor} from '#app/keys/keymap.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import {stay} from '#app/state/step.ts';
import {findError} from '#log/overview/find-in-log.ts';
import {paneOf} from '../log-pane.ts';
import {goToIndex, readerIndex} from '../pane/cursor.ts';

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
    return stay(withLog(state, goToIndex(log, pane, index)));
  }
  // While following, all errors are above, but the key in the hints looks down.
  const isThere = findError(pane.view, {fromIndex, direction: jumps[opposite].direction, levelMin}) !== undefined;
  return stay({...state, notice: noMoreWords(words, direction === 'next', isThere ? opposite : undefined)});
};

/** Says that there are no more such lines one way; `opposite`: the command for the other way, if there are some. */
export const noMoreWords = (words: string, isDown: boolean, opposite: Command | undefined): string => {
  const otherWay = opposite === undefined ? '' : `; ${keyFor(opposite, 'log')} goes ${isDown ? 'up' : 'down'}`;
  return `no more ${words} ${isDown ? 'below' : 'above'}${otherWay}`;
};
