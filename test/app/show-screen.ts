import type {ViewRow} from '#app/rows/view-row.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';

const rowText = (row: ViewRow): string =>
  row
    .map(({text}) => text)
    .join('')
    .trimEnd();

/** The screen of a state as text, a row each, without its colours. */
export const showScreen = (state: State): readonly string[] => {
  const view = selectView(state);
  if ('tooSmall' in view) {
    return [view.tooSmall];
  }
  const pane =
    view.pane.kind === 'rows'
      ? view.pane.rows.map(rowText)
      : view.pane.pick.items.map(
          ({row}, index) =>
            `${index === (view.pane.kind === 'pick' ? view.pane.pick.selectedIndex : -1) ? ' ▸' : '  '}${rowText(row)}`,
        );
  return [rowText(view.header), rowText(view.second), ...pane, rowText(view.state), rowText(view.hints)];
};
