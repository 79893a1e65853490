import {visibleEntries} from '../log/viewport.ts';
import {labelBranches} from './branch-labels.ts';
import {fitRow} from './fit-row.ts';
import {formatEntry} from './log-rows.ts';
import {viewLog} from './log-sources.ts';
import {selectHints} from './select-hints.ts';
import {selectInspector, selectInspectorHints} from './select-inspector.ts';
import {selectLogHeader} from './select-log-header.ts';
import {selectLogState} from './select-log-state.ts';
import {selectLogStrip} from './select-log-strip.ts';
import {type LogState, paneRows, type State} from './state.ts';
import type {ScreenView} from './view.ts';
import {span, type ViewRow} from './view-row.ts';
import {worstSource} from './worst-source.ts';
import {wrapProse} from './wrap-prose.ts';

/** The log screen. */
export const selectLogView = (state: State, log: LogState): ScreenView => {
  const {columns} = state;
  const rows = paneRows(state);
  return {
    header: selectLogHeader(state, log),
    second: fitRow(selectLogStrip(log, columns), columns),
    pane: {
      kind: 'rows',
      rows: log.inspector === undefined ? selectLines(log, columns, rows) : selectInspector(state, log, log.inspector),
    },
    paneRows: rows,
    state: selectLogState(state, log),
    hints: log.inspector === undefined ? selectHints('log', columns) : selectInspectorHints(columns),
  };
};

const selectLines = (log: LogState, columns: number, rows: number): readonly ViewRow[] => {
  const view = viewLog(log);
  if (view.entryCount === 0) {
    return [[], ...selectEmpty(log).flatMap(row => wrapProse(row, columns))];
  }
  // Where there is one branch, every line is its.
  const labels = log.sources.length === 1 ? [] : labelBranches(log.sources.map(({branch}) => branch));
  return visibleEntries(log.viewport, view, rows).map(({source, entry}) => formatEntry(entry, columns, labels[source]));
};

const selectEmpty = (log: LogState): readonly ViewRow[] => {
  const {branch, tail} = worstSource(log);
  if (branch.status === null) {
    return [
      [span('This branch is not built out: it has no log yet.')],
      [span('Press '), span('Esc', 'strong'), span(' to go back to the branches.')],
    ];
  }
  switch (tail.connection.kind) {
    case 'connecting':
      return [[span('Asking the service for the log…', 'dim')]];
    case 'live':
      return [[span('The log has no lines yet. They appear here as they come.')]];
    case 'failing':
      return [[span('No lines to show: the service has not answered with any yet. The reason stands below.')]];
    case 'ended':
      return [[span('The recording holds no lines of this log.')]];
    default:
      return tail.connection satisfies never;
  }
};
