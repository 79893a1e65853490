import {selectedRow} from '#app/list-pane/list-place.ts';
import {closePane, type ListHandler, withLog} from '#app/state/handler.ts';
import type {LogState, SourcesPane, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import type {SourceName} from '#log/line/entry.ts';
import {pickOf, type SourcePick, settlePick, toggleSource} from '#log/view/sources.ts';
import {listSources} from '../log-sources-pane.ts';

/** Opens the list of sources; says so if there are none to choose from. */
export const openSources = (state: State, log: LogState): State =>
  log.sourceNames.length === 0
    ? {...state, notice: 'nothing says who wrote which line'}
    : withLog(state, {...log, overlay: {kind: 'sources', selectedKey: undefined, top: 0}});

/** Shows only the lines of these sources, or hides them; the current place stays in view. */
export const pickSources = (log: LogState, kind: SourcePick['kind'], names: readonly SourceName[]): LogState => ({
  ...log,
  sourcePick: settlePick(
    pickOf(log.sourcePick, {kind, names}),
    listSources(log).map(({name}) => name),
  ),
});

/** Handles the commands that only the sources have. */
export const updateSources: ListHandler<SourcesPane> = (state, log, pane, command) => {
  const listed = listSources(log);
  const selected = selectedRow(listed, pane);
  const withPick = (sourcePick: SourcePick | undefined): Step => stay(withLog(state, {...log, sourcePick}));
  switch (command) {
    case 'openLine':
      return closePane(state, log);
    case 'removeFilter':
    case 'removeFilters':
      return withPick(undefined);
    case 'togglePause': {
      const known = listed.map(({name}) => name);
      return selected && withPick(toggleSource(log.sourcePick, selected.name, known));
    }
    case 'filterIn':
      return selected && stay(withLog(state, pickSources(log, 'only', [selected.name])));
    default:
      return undefined;
  }
};
