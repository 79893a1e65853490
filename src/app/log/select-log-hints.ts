import {countErrorsFrom, findError} from '../../log/traits/find-error.ts';
import {type Hint, selectHints, selectPickHints, selectSearchHints} from '../help/select-hints.ts';
import type {Command} from '../keys/keymap.ts';
import type {ViewRow} from '../rows/view-row.ts';
import type {LogState, State} from '../state/state.ts';
import {findPeakBeside} from './jumps/strip-keys.ts';
import {readerIndex} from './pane/cursor.ts';
import {paneOf} from './pane/log-pane.ts';
import {tagsOf} from './sources/tag-lines.ts';

/** Returns the key hints for the current activity: picking, searching or reading. */
export const selectLogHints = (state: State, log: LogState): ViewRow => {
  const {columns} = state;
  if (log.cursor?.kind === 'picking') {
    return selectPickHints(columns);
  }
  return log.use.search.kind === 'none'
    ? selectHints(
        'log',
        columns,
        hintsNow(state, log),
        hintFor(tagsOf(state, log).columns > 0 ? ['toggleSources'] : [], 'sources'),
      )
    : selectSearchHints(columns);
};

/** With this many errors, counting them by kind is quicker than reading them. */
const errorsToSumUp = 11;

/** Returns hints for what the log holds: errors and peaks before and after the reader, and many errors. */
const hintsNow = (state: State, log: LogState): readonly Hint[] => {
  const pane = paneOf(state, log);
  const {buffers} = pane.view;
  const errorCount = log.kept.errorCount.answer(buffers, () =>
    buffers.reduce((sum, buffer) => sum + countErrorsFrom(buffer, 0), 0),
  );
  const fromIndex = readerIndex(log, pane);
  const has = (direction: 'next' | 'previous'): boolean =>
    errorCount > 0 && findError(pane.view, {fromIndex, direction}) !== undefined;
  const errors = commandsFor(['previousError', 'nextError'], has('previous'), has('next'));
  const peaks = commandsFor(
    ['previousPeak', 'nextPeak'],
    findPeakBeside(state, log, -1) !== undefined,
    findPeakBeside(state, log, 1) !== undefined,
  );
  return [
    ...hintFor(errors, log.viewport.kind === 'following' ? 'last error' : 'error'),
    ...hintFor(peaks, 'peak'),
    ...hintFor(errorCount < errorsToSumUp ? [] : ['toggleSummary'], 'sum up'),
  ];
};

const commandsFor = (
  [previous, next]: readonly [Command, Command],
  hasPrevious: boolean,
  hasNext: boolean,
): readonly Command[] => [...(hasPrevious ? [previous] : []), ...(hasNext ? [next] : [])];

const hintFor = (commands: readonly Command[], words: string): readonly Hint[] =>
  commands.length === 0 ? [] : [[commands, words]];
