import {listRoom, placeOn, selectedIndexOf} from '#app/choices/list-pane.ts';
import type {SummaryPane} from '#app/panes/panes.ts';
import type {CountedSummary} from '#app/parts/summariser.ts';
import type {LogState, State} from '#app/state/state.ts';
import {closePane, type ListHandler, next, type Step, withLog} from '#app/state/step.ts';
import {filterFor} from '#log/summary/filter-for.ts';
import {countEntries, partsOf} from '#log/summary/summary.ts';
import {newShapesOf, type SourcedShape} from '#log/traits/shape-table.ts';
import {sourceKey, unsaidSource} from '#log/words/source-words.ts';
import {filterFromPane} from './filters.ts';
import {isFiltered, paneOf} from './log-pane.ts';
import {pickSources} from './log-sources-pane.ts';
import {placeOf} from './mark-rows.ts';
import {goToIndex, pickedRange} from './picking.ts';
import {listSummary} from './select-summary.ts';
import {listSummaryItems, type SummaryItem} from './summary-items.ts';

/** Summarises what is in view, or the picked range of lines. */
export const openSummary = (state: State, log: LogState): Step => {
  const pane = paneOf(state, log);
  const range =
    log.cursor?.kind === 'picking' && log.cursor.rangeFrom !== undefined ? pickedRange(log, pane) : undefined;
  const parts = partsOf(pane.view, range);
  if (parts.length === 0) {
    return next({
      ...state,
      notice: isFiltered(log) ? 'nothing to sum up: the filters hide all lines' : 'the log has no lines yet',
    });
  }
  const isPart = range !== undefined || isFiltered(log);
  const order = {parts, entryCount: parts.reduce((sum, part) => sum + countEntries(part), 0)};
  const overlay: SummaryPane = {
    kind: 'summary',
    order,
    scope: range !== undefined ? 'picked' : isFiltered(log) ? 'filtered' : 'all',
    newShapes: isPart ? [] : newShapesOf(log.sources.map(({shapes}) => shapes)).toSorted((a, b) => b.count - a.count),
    hasSources: log.sourceNames.length > 1,
    readCount: 0,
    result: undefined,
    selectedKey: undefined,
    top: 0,
  };
  return next(withLog(state, {...log, overlay}), {kind: 'summarise', order});
};

/** Handles the commands that only the summary has, for the item that is highlighted. */
export const updateSummary: ListHandler<SummaryPane> = (state, log, pane, command) => {
  const items = listSummaryItems(pane);
  const selected = selectedIndexOf(items, pane);
  const item = items[selected];
  if (item?.key === undefined) {
    return undefined;
  }
  switch (command) {
    case 'openLine':
      return item.kind === 'new' ? goToFirst(state, {...log, cameFrom: pane}, item.shape) : filterBy(state, log, item);
    case 'nextSection': {
      const nextState = placeOn(
        items,
        nextSection(items, selected),
        pane.top,
        listRoom(state, listSummary(state, log, pane)),
      );
      return next(withLog(state, {...log, overlay: {...pane, ...nextState}}));
    }
    default:
      return undefined;
  }
};

/** Returns the first row of the next section; wraps from the last section to the first. */
const nextSection = (items: readonly SummaryItem[], selected: number): number => {
  const head = items.findIndex(({kind}, index) => kind === 'head' && index > selected);
  return head === -1 ? items.findIndex(({key}) => key !== undefined) : head + 1;
};

const goToFirst = (state: State, log: LogState, {source, firstId, firstAt}: SourcedShape): Step => {
  const pane = paneOf(state, log);
  const index = placeOf(pane.view, {source, id: firstId, at: firstAt});
  return index === undefined
    ? next({...state, notice: 'its first line has left the buffer'})
    : closePane(state, goToIndex(log, pane, index));
};

/** Filters the log by the lines that the row counts; for a level, lines of higher levels stay too. */
const filterBy = (state: State, log: LogState, item: SummaryItem): Step => {
  if (item.kind === 'level') {
    return item.level === 'none'
      ? next({...state, notice: 'no filter matches lines without a level'})
      : closePane(state, {...log, minimumLevel: item.level});
  }
  if (item.kind === 'value' && item.row.table === 'sources') {
    const {key} = item.row;
    const name = [...log.sourceNames, unsaidSource].find(each => sourceKey(each) === key);
    return closePane(state, pickSources(log, 'only', name === undefined ? [] : [name]));
  }
  return filterFromPane(state, log, item.kind === 'value' ? filterFor(item.row) : undefined);
};

/** Takes the counts so far; returns undefined if they belong to a summary that was closed. */
export const takeSummary = (state: State, counted: CountedSummary): State | undefined => {
  const overlay = state.log?.overlay;
  if (state.log === undefined || overlay?.kind !== 'summary' || overlay.order !== counted.order) {
    return undefined;
  }
  const {readCount, result} = counted;
  return withLog(state, {...state.log, overlay: {...overlay, readCount, result}});
};
