import {type Hint, selectHints, selectPickHints, selectSearchHints} from '#app/help/select-hints.ts';
import {type Command, keyFor} from '#app/keys/keymap.ts';
import {fitRow} from '#app/rows/fit-row.ts';
import type {ScreenView} from '#app/rows/view.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import {wrapProse} from '#app/rows/wrap-prose.ts';
import {viewAll} from '#app/state/log-sources.ts';
import {paneRows} from '#app/state/pane-size.ts';
import type {LogState, State} from '#app/state/state.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {worstSource} from '#app/words/worst-source.ts';
import {countErrorsFrom, findError} from '#log/overview/find-in-log.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {countOf} from '#log/words/format-count.ts';
import {selectLogStrip} from './jumps/select-log-strip.ts';
import {findPeakBeside} from './jumps/strip-keys.ts';
import {paneOf} from './log-pane.ts';
import {selectOverlay} from './overlay.ts';
import {readerIndex} from './pane/cursor.ts';
import {isFiltered} from './pane/is-filtered.ts';
import {partWord} from './pods/part-word.ts';
import {troubleRows} from './pods/trouble-rows.ts';
import {countShown, isAllHidden} from './search/count-shown.ts';
import {selectChips} from './select-chips.ts';
import {selectPickedLines} from './select-lines.ts';
import {selectLogHeader} from './select-log-header.ts';
import {selectLogState} from './select-log-state.ts';
import {tagsOf} from './sources/tag-lines.ts';

/** Returns the view of the log screen. */
export const selectLogView = (state: State, log: LogState): ScreenView => {
  const {columns} = state;
  const over = log.overlay === undefined ? undefined : selectOverlay(state, log, log.overlay);
  return {
    header: selectLogHeader(state, log),
    second: fitRow(selectLogStrip(state, log), columns),
    pane: {kind: 'rows', rows: over?.rows ?? selectPane(state, log)},
    paneRows: paneRows(state),
    state: selectLogState(state, log),
    hints: over?.hints ?? selectLogHints(state, log),
  };
};

const selectPane = (state: State, log: LogState): readonly ViewRow[] =>
  viewAll(log).entryCount === 0
    ? [[], ...selectEmpty(state, log).flatMap(row => wrapProse(row, state.columns))]
    : withChips(state, log, selectPickedLines(state, log));

/** Adds the row of filters as the last row of the pane while filters are active. */
const withChips = (state: State, log: LogState, lines: readonly ViewRow[]): readonly ViewRow[] => {
  if (!isFiltered(log)) {
    return lines;
  }
  const rows = Math.max(1, paneRows(state) - 1);
  const blank = Array.from({length: Math.max(0, rows - lines.length)}, (): ViewRow => []);
  const hidden = isAllHidden(log) ? selectAllHidden(log, state.columns).slice(0, rows) : [];
  const above = hidden.length === 0 ? lines : lines.slice(0, rows - hidden.length);
  return [...above, ...hidden, ...blank].slice(0, rows).concat([selectChips(state, log)]);
};

/** Says that the filters hide every line, below the markers: remembered filters are easily forgotten. */
const selectAllHidden = (log: LogState, columns: number): readonly ViewRow[] => {
  const {held} = countShown(log);
  const what = hidingWords(log);
  return [
    [],
    ...wrapProse([span(held === 1 ? `${what} the only line.` : `${what} all ${countOf(held, 'line')}.`)], columns),
    ...wrapProse(
      [span('Press '), span(keyFor('removeFilters', 'log'), 'strong'), span(' to show all lines.')],
      columns,
    ),
  ];
};

const hidingWords = ({use, minimumLevel, sourcePick, range}: LogState): string => {
  const hiding = [
    ...use.filters.map(() => 'The filter hides'),
    ...(minimumLevel === 'none' ? [] : [`The minimum level ${minimumLevel} hides`]),
    ...(sourcePick === undefined ? [] : ['The choice of sources hides']),
    ...(range === undefined ? [] : ['The range of time hides']),
  ];
  return (hiding.length === 1 ? hiding[0] : undefined) ?? 'The filters hide';
};

const selectEmpty = (state: State, log: LogState): readonly ViewRow[] => {
  const {branch, tail} = worstSource(state, log);
  const look = describeStatus(branch.status);
  if (branch.status === null) {
    return [
      [span('This branch is not built out: it has no log yet.')],
      [span('Press '), span(keyFor('back', 'log'), 'strong'), span(' to go back to the branches.')],
    ];
  }
  switch (tail.connection.kind) {
    case 'connecting':
      return [[span(state.context.parts === 'none' ? 'Reading the log…' : 'Asking the service for the log…', 'dim')]];
    case 'live':
      if (state.context.parts === 'none') {
        return [[span('The log has no lines yet. New lines appear here.')]];
      }
      return branch.troubles.length === 0
        ? [
            [span('The log has no lines yet. New lines appear here.')],
            [
              span('The branch is: '),
              span(sanitiseWord(look.words, nameCharsMax), look.tone),
              span(tail.log.pods.length === 0 ? `. No ${partWord(state.context)}s are live.` : '.'),
            ],
          ]
        : [[span('The log has no lines yet. What keeps its pods from working:')], ...troubleRows(branch)];
    case 'failing':
      return [[span('No lines yet. The reason is shown below.')]];
    case 'ended':
      return [[span('The recording has no lines for this log.')]];
    default:
      return tail.connection satisfies never;
  }
};

/** Returns the key hints for the current activity: picking, searching or reading. */
const selectLogHints = (state: State, log: LogState): ViewRow => {
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
        log.cameFrom !== undefined || (state.context.parts === 'none' && log.newest === undefined) ? 'none' : 'back',
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
    ...hintFor(log.cameFrom === undefined ? [] : ['back'], `to the ${log.cameFrom?.kind}`),
    ...hintFor(pane.view.entryCount === 0 ? [] : ['toggleIncident'], 'what happened'),
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
