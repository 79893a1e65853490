import type {LogState, State} from '#app/state/state.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import type {Work} from '#log/work.ts';
import {edgeLevel} from '../layout/edge-level.ts';
import {paneOf} from '../log-pane.ts';

/**
 * Lays out the lines of the page above the screen and of the page below, the nearest first, so that the key that shows
 * them finds them done.
 */
export function* layOutPages(state: State, log: LogState): Work<void> {
  const pane = paneOf(state, log);
  const shown = visibleEntries(log.viewport, pane.view, pane);
  const first = shown[0]?.index ?? 0;
  const end = first + shown.length;
  const from = Math.max(0, first - pane.rows);
  for (const page of [pane.view.slice(from, first - from).toReversed(), pane.view.slice(end, pane.rows)]) {
    for (const line of page) {
      pane.bodyOf(line);
      if (line.entry.kind === 'line') {
        edgeLevel(line.entry, log.sources[line.source]?.tail.log.buffer);
      }
      yield;
    }
  }
}
