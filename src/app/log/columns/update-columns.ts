import {closePane, type ListHandler, withLog} from '#app/state/handler.ts';
import type {ColumnsPane, LogState, State} from '#app/state/state.ts';
import {stay} from '#app/state/step.ts';
import {columnsMax} from '#base/bounds.ts';
import {countOf} from '#log/words/format-count.ts';
import {columnNames, countNewest, listColumnNames, withColumns, withWidths} from './measure-columns.ts';

/** Opens the list of fields; says so if there are none to choose from. */
export const openColumns = (state: State, log: LogState): State => {
  const counts = countNewest(log);
  return counts.fields.length === 0 && log.look.columns.length === 0
    ? {...state, notice: `no fields in the newest ${countOf(counts.lineCount, 'line')}: neither JSON nor logfmt`}
    : withLog(state, {
        ...withWidths(log, counts),
        overlay: {kind: 'columns', counts, selectedKey: undefined, top: 0},
      });
};

/** Handles the commands that only the list of fields has. */
export const updateColumns: ListHandler<ColumnsPane> = (state, log, pane, command) => {
  const names = listColumnNames(log, pane);
  const name = names.find(each => each === pane.selectedKey) ?? names[0];
  const chosen = columnNames(log);
  const choose = (columns: readonly string[]) => {
    const next = withColumns(log, columns, pane.counts);
    // Only rows that are laid out have columns.
    return stay(withLog(state, {...next, look: {...next.look, rows: 'laid-out', cellsLeft: 0}}));
  };
  switch (command) {
    case 'openLine':
      return closePane(state, log);
    case 'removeFilter':
    case 'removeFilters':
      return choose([]);
    case 'togglePause': {
      if (name === undefined) {
        return undefined;
      }
      const others = chosen.filter(each => each !== name);
      return others.length < chosen.length
        ? choose(others)
        : chosen.length >= columnsMax
          ? stay({...state, notice: `no more than ${columnsMax} columns fit: unmark one first`})
          : choose([...chosen, name]);
    }
    default:
      return undefined;
  }
};
