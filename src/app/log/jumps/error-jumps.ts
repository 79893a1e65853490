import {findError} from '../../../log/traits/find-error.ts';
import {keyFor} from '../../keys/keymap.ts';
import {type LogHandler, withLog} from '../../state/handler.ts';
import {stay} from '../../state/step.ts';
import {goToIndex, readerIndex} from '../pane/cursor.ts';
import {type Pane, paneOf} from '../pane/log-pane.ts';

/** Goes to the next or previous error line; filters apply. */
export const jumpToError: LogHandler = (state, log, command) => {
  if (command !== 'nextError' && command !== 'previousError') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const fromIndex = readerIndex(log, pane);
  const index = findError(pane.view, {fromIndex, direction: command === 'nextError' ? 'next' : 'previous'});
  return index === undefined
    ? stay({...state, notice: `no more errors ${otherWay(pane, fromIndex, command)}`})
    : stay(withLog(state, goToIndex(log, pane, index)));
};

/**
 * Returns the direction, and the key for the other way if there are errors there. While following, all errors are
 * above, but the key in the hints looks down.
 */
const otherWay = ({view}: Pane, fromIndex: number, command: 'nextError' | 'previousError'): string => {
  const isNext = command === 'nextError';
  const isThere = findError(view, {fromIndex, direction: isNext ? 'previous' : 'next'}) !== undefined;
  const key = keyFor(isNext ? 'previousError' : 'nextError', 'log');
  return `${isNext ? 'below' : 'above'}${isThere ? `; ${key} goes ${isNext ? 'up' : 'down'}` : ''}`;
};
