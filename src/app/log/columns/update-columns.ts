import {columnsMax} from '../../../base/view-bounds.ts';
import type {ChosenColumn} from '../../../log/layout/layout-context.ts';
import {countOf} from '../../../log/words/format-count.ts';
import {closePane, type ListHandler, withLog} from '../../state/handler.ts';
import type {ColumnsPane, LogState, State} from '../../state/state.ts';
import {stay} from '../../state/step.ts';
import {columnOf, countNewest, listColumnNames, withWidths} from './measure-columns.ts';

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
  const {columns} = log.look;
  const choose = (chosen: readonly ChosenColumn[]) =>
    // Only rows that are laid out have columns.
    stay(withLog(state, {...log, look: {...log.look, columns: chosen, rows: 'laid-out', cellsLeft: 0}}));
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
      const others = columns.filter(column => column.name !== name);
      return others.length < columns.length
        ? choose(others)
        : columns.length >= columnsMax
          ? stay({...state, notice: `no more than ${columnsMax} columns fit: unmark one first`})
          : choose([...columns, columnOf(pane.counts, name)]);
    }
    default:
      return undefined;
  }
};
