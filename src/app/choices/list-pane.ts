import type {Hint} from '#app/help/select-hints.ts';
import {type Command, movement} from '#app/keys/keymap.ts';
import type {ListPlace} from '#app/panes/panes.ts';
import {fitRow, rowWidth} from '#app/rows/fit-row.ts';
import {lightRow, type RowsPane, type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {formatCount} from '#log/words/format-count.ts';

/** The rows of a list as far as the highlight is concerned. */
type Keyed = readonly {readonly key?: string | undefined}[];

/** Returns the index of the highlighted row, else of the first that can be chosen, or -1 if there is none. */
export const selectedIndexOf = (rows: Keyed, {selectedKey}: Pick<ListPlace, 'selectedKey'>): number => {
  const index = selectedKey === undefined ? -1 : rows.findIndex(({key}) => key === selectedKey);
  return index === -1 ? rows.findIndex(({key}) => key !== undefined) : index;
};

/** Returns the highlighted row, or the first one; undefined if there are none. */
export const selectedRow = <Row extends {readonly key: string}>(
  rows: readonly Row[],
  {selectedKey}: Pick<ListPlace, 'selectedKey'>,
): Row | undefined => rows.find(({key}) => key === selectedKey) ?? rows[0];

/**
 * Returns the index of the top row: the one before, as long as the highlight and what belongs to it fit below it. Above
 * the first row that can be chosen that is all rows, above another one its head; below the last one, the rest.
 */
export const listTop = (rows: Keyed, selected: number, topBefore: number, room: number): number => {
  const last = Math.max(0, rows.length - room);
  if (selected === -1) {
    return Math.max(0, Math.min(last, topBefore));
  }
  const isFirst = rows.findIndex(({key}) => key !== undefined) === selected;
  const isLast = rows.findLastIndex(({key}) => key !== undefined) === selected;
  const hasHead = selected > 0 && rows[selected - 1]?.key === undefined;
  const from = isFirst ? 0 : hasHead ? selected - 1 : selected;
  const end = isLast ? rows.length : selected + 1;
  const wanted = Math.max(end - room, Math.min(from, topBefore));
  // The highlight itself must fit; its details may be cut.
  return topInView(wanted, {place: selected, length: rows.length, room});
};

type InView = {readonly place: number; readonly length: number; readonly room: number};

/** Returns the top row closest to `top` that leaves the highlight in view and no row empty without need. */
export const topInView = (top: number, {place, length, room}: InView): number =>
  Math.max(0, Math.min(length - room, Math.max(place - room + 1, Math.min(place, top))));

/** Returns the place that a command moves to, at most to either end; undefined if the command is no movement. */
export const movePlace = (rows: Keyed, place: ListPlace, command: Command, room: number): ListPlace | undefined => {
  // One row of the page before stays visible.
  const distance = movement(command, Math.max(1, room - 1));
  if (distance === undefined) {
    return undefined;
  }
  const selected = selectedIndexOf(rows, place);
  const top = listTop(rows, selected, place.top, room);
  if (selected === -1) {
    return {selectedKey: undefined, top: listTop(rows, -1, top + distance, room)};
  }
  const choosable = rows.flatMap(({key}, index) => (key === undefined ? [] : [index]));
  const index = Math.max(0, Math.min(choosable.length - 1, choosable.indexOf(selected) + distance));
  return placeOn(rows, choosable[index] ?? 0, top, room);
};

/** Returns the place with the highlight on a row. */
export const placeOn = (rows: Keyed, selected: number, topBefore: number, room: number): ListPlace => ({
  selectedKey: rows[selected]?.key,
  top: listTop(rows, selected, topBefore, room),
});

/** A row of a list; one with a key is drawn after the indicator. One without only says something, and is skipped. */
export type ListRow = {
  readonly key?: string | undefined;
  /** A cell to the right of the indicator: how bad it is. */
  readonly sign?: Span;
  readonly row: () => ViewRow;
};

/** The content of a pane over the log's lines: a list to choose from, or rows to scroll if none has a key. */
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

/** Returns a row without the blanks at its end. */
const trimRow = (row: ViewRow): ViewRow => {
  const last = row.at(-1);
  const text = last?.text.trimEnd() ?? '';
  return last === undefined ? row : text === '' ? trimRow(row.slice(0, -1)) : [...row.slice(0, -1), {...last, text}];
};

/** Returns what adds to a row, at its right end and if there is room, how many rows are below those that are shown. */
const tellMore = (below: number, columns: number): ((row: ViewRow) => ViewRow) => {
  const words = `↓ ${formatCount(below)} more `;
  const room = columns - words.length;
  return row => {
    const trimmed = trimRow(row);
    return below <= 0 || rowWidth(trimmed) + 2 > room ? row : [...fitRow(trimmed, room), span(words, 'dim')];
  };
};

/** Draws a list with its highlight in view. In a single row the list is worth more than its title. */
export const drawList = (state: Pick<State, 'rows' | 'columns'>, list: ListPane, place: ListPlace): RowsPane => {
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
  const more = tellMore(rows.length - top - shown.length, state.columns);
  const told = title && more(title);
  const last = foot.length - 1;
  const ending = told === title ? foot.map((row, index) => (index === last ? more(row) : row)) : foot;
  const head = told !== undefined && (paneRows(state) > 1 || rows.length === 0) ? [told] : [];
  const lit = selected === -1 ? -1 : head.length + selected - top;
  const all = [...head, ...shown, ...blank, ...ending].slice(0, paneRows(state));
  return {
    kind: 'rows',
    rows: all.map((row, index) => {
      const fitted = fitRow(row, state.columns);
      return index === lit ? lightRow(fitted) : fitted;
    }),
    list: selected === -1 ? undefined : {from: head.length, to: head.length + shown.length, selected: lit},
  };
};
