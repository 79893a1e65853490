import type {Hint} from '#app/help/select-hints.ts';
import {fitRow} from '#app/rows/fit-row.ts';
import {type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import {paneRows} from '#app/state/pane-size.ts';
import type {ListPlace, State} from '#app/state/state.ts';
import {listTop, selectedIndexOf} from '../list-pane/list-place.ts';

/** A row of a list; one with a key is drawn after the indicator. One without only says something, and is skipped. */
export type ListRow = {
  readonly key?: string | undefined;
  /** A cell to the right of the indicator: how bad it is. */
  readonly sign?: Span;
  readonly row: () => ViewRow;
};

/** What a pane over the log's lines shows, as data: a list to choose from, or rows to scroll if none has a key. */
export type ListPane = {
  readonly title?: ViewRow;
  readonly rows: readonly ListRow[];
  /** Rows that stay at the bottom. */
  readonly foot?: readonly ViewRow[];
  readonly hints: readonly Hint[];
};

/** Returns how many rows of the list the pane has room for. */
export const listRoom = (state: Pick<State, 'rows'>, {title, foot = []}: Pick<ListPane, 'title' | 'foot'>): number =>
  Math.max(1, paneRows(state) - (title === undefined ? 0 : 1) - foot.length);

/** Draws a list with its highlight in view. In a single row the list is worth more than its title. */
export const drawList = (
  state: Pick<State, 'rows' | 'columns'>,
  list: ListPane,
  place: ListPlace,
): readonly ViewRow[] => {
  const {title, rows, foot = []} = list;
  const room = listRoom(state, list);
  const selected = selectedIndexOf(rows, place);
  const top = listTop(rows, selected, place.top, room);
  const shown = rows.slice(top, top + room).map(({key, sign, row}, index): ViewRow => {
    const isSelected = top + index === selected;
    if (sign !== undefined) {
      return [span(isSelected ? '▸' : ' ', 'accent'), sign, span(' '), ...row()];
    }
    return key === undefined ? row() : [isSelected ? span(' ▸ ', 'accent') : span('   '), ...row()];
  });
  const blank = Array.from({length: foot.length === 0 ? 0 : room - shown.length}, (): ViewRow => []);
  const head = title !== undefined && (paneRows(state) > 1 || rows.length === 0) ? [title] : [];
  return [...head, ...shown, ...blank, ...foot].slice(0, paneRows(state)).map(row => fitRow(row, state.columns));
};
