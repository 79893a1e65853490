import {rowWidth} from '#app/rows/fit-row.ts';
import {selectView} from '#app/select-view.ts';
import {viewLog} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {oneRowPane, visibleEntries} from '#log/view/viewport.ts';
import {assert} from './soak-branch.ts';

/** The screen can be drawn: no row is wider than the terminal, and there are no more of them than it has. */
export const checkScreen = (state: State): void => {
  const view = selectView(state);
  if ('tooSmall' in view) {
    return;
  }
  const {pane} = view;
  const rows = pane.kind === 'rows' ? pane.rows : pane.pick.items.map(({row}) => row);

  for (const row of [view.header, view.second, ...rows, view.state, view.hints]) {
    const width = rowWidth(row);
    assert(
      width <= state.columns,
      () => `a row of ${width} cells for ${state.columns}: ${row.map(({text}) => text).join('')}`,
    );
  }
};

/** No merge moves what is being read: the entry on top is the same for as long as it is held. */
export const checkTopRow = (state: State, before: LogState, after: LogState): void => {
  const {viewport} = before;
  assert(viewport.kind === after.viewport.kind, () => `a window made ${after.viewport.kind} of ${viewport.kind}`);
  if (viewport.kind === 'following') {
    return;
  }
  const rows = paneRows(state);
  const [top] = visibleEntries(viewport, viewLog(before), oneRowPane(rows));
  const view = viewLog(after);
  const [topAfter] = visibleEntries(after.viewport, view, oneRowPane(rows));
  const isStandIn = top !== undefined && (top.source !== viewport.top.source || top.entry.id !== viewport.top.id);
  // While a filter still works, nobody knows yet what stands in the place of a line that it hides.
  if (isStandIn && before.filtering?.some(({filtered}) => filtered.pendingCount > 0) === true) {
    return;
  }
  if (top === undefined || (top.source === topAfter?.source && top.entry.id === topAfter.entry.id)) {
    return;
  }
  const isHeld = view
    .slice(0, view.entryCount)
    .some(({source, entry}) => source === top.source && entry.id === top.entry.id);
  assert(!isHeld, () => `the top row moved from entry ${top.entry.id} to ${topAfter?.entry.id}`);
};
