import {findError} from '../../log/find-error.ts';
import {stay} from '../step.ts';
import {goToIndex, readerIndex} from './cursor.ts';
import {type LogHandler, withLog} from './handler.ts';
import {paneOf} from './log-pane.ts';

/** Goes from one line that says error or worse to the next, up or down; filters apply. */
export const jumpToError: LogHandler = (state, log, command) => {
  if (command !== 'nextError' && command !== 'previousError') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const direction = command === 'nextError' ? 'next' : 'previous';
  const index = findError(pane.view, {fromIndex: readerIndex(log, pane), direction});
  return index === undefined
    ? stay({...state, notice: `no error further ${direction === 'next' ? 'down' : 'up'}`})
    : stay(withLog(state, goToIndex(log, pane, index)));
};
