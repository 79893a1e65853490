import {findError} from '../../../log/traits/find-error.ts';
import {type Command, keyFor} from '../../keys/keymap.ts';
import {type LogHandler, withLog} from '../../state/handler.ts';
import {stay} from '../../state/step.ts';
import {goToIndex, readerIndex} from '../pane/cursor.ts';
import {type Pane, paneOf} from '../pane/log-pane.ts';

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
  const {direction, levelMin, words} = jumps[command];
  const pane = paneOf(state, log);
  const fromIndex = readerIndex(log, pane);
  const index = findError(pane.view, {fromIndex, direction, levelMin});
  return index === undefined
    ? stay({...state, notice: `no more ${words} ${otherWay(pane, fromIndex, command)}`})
    : stay(withLog(state, goToIndex(log, pane, index)));
};

/**
 * Returns the direction, and the key for the other way if there are such lines there. While following, all errors are
 * above, but the key in the hints looks down.
 */
const otherWay = ({view}: Pane, fromIndex: number, command: keyof typeof jumps): string => {
  const {levelMin, opposite} = jumps[command];
  const {direction} = jumps[opposite];
  const isThere = findError(view, {fromIndex, direction, levelMin}) !== undefined;
  const isUp = direction === 'previous';
  return `${isUp ? 'below' : 'above'}${isThere ? `; ${keyFor(opposite, 'log')} goes ${isUp ? 'up' : 'down'}` : ''}`;
};
