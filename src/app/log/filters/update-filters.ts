import {selectedRow} from '#app/list-pane/list-place.ts';
import {type ListHandler, withLog} from '#app/state/handler.ts';
import type {FiltersPane} from '#app/state/state.ts';
import {stay} from '#app/state/step.ts';
import {filterKeys, removeFilter, toggleFilter} from '../filters.ts';
import {listFilterItems} from './filter-items.ts';
import {askFilterName, forgetNamed, toggleNamed} from './keep-filters.ts';

/** Handles the commands of the list of filters: its own, and those of filters as in the log. */
export const updateFilters: ListHandler<FiltersPane> = (state, log, pane, command) => {
  const item = selectedRow(listFilterItems(state, log), pane);
  const isToggle = command === 'togglePause' || command === 'openLine';
  if (item === undefined || (!isToggle && command !== 'removeFilter')) {
    return filterKeys(state, log, command) ?? askFilterName(state, log, command);
  }
  switch (item.kind) {
    case 'pattern':
      return stay(withLog(state, (isToggle ? toggleFilter : removeFilter)(log, item.index)));
    case 'named':
      return isToggle ? toggleNamed(state, log, item.named) : forgetNamed(state, item.named);
    default:
      return stay(withLog(state, {...log, [item.kind]: item.kind === 'minimumLevel' ? 'none' : undefined}));
  }
};
