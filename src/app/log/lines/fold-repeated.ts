import {type LogHandler, withLog} from '#app/state/handler.ts';
import {filteredOf, openedRepeats} from '#app/state/log-sources.ts';
import {stay} from '#app/state/step.ts';
import {anchorOf} from '#log/view/log-view.ts';
import {paneOf} from '../log-pane.ts';
import {cursorIndex} from '../pane/cursor.ts';

/** Runs that stay open at once: more than anybody reads. */
const openedMax = 100;

/** Folds repeated lines, and opens the run under the cursor before its line is opened. */
export const foldRepeated: LogHandler = (state, log, command) => {
  if (command === 'toggleRepeats') {
    return stay(withLog(state, {...log, repeats: log.repeats === undefined ? [] : undefined}));
  }
  const opened = openedRepeats(log);
  if (command !== 'openLine' || opened === undefined) {
    return undefined;
  }
  const pane = paneOf(state, log);
  const [found] = pane.view.slice(cursorIndex(log, pane) ?? pane.view.entryCount, 1);
  return found === undefined || !filteredOf(log, found.source)?.repeatsOf(found.entry)
    ? undefined
    : stay(withLog(state, {...log, repeats: [...opened, anchorOf(found)].slice(-openedMax)}));
};
