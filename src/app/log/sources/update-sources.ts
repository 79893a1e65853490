import type {SourceName} from '../../../log/line/source-name.ts';
import {pickOf, type SourcePick, settlePick, toggleSource} from '../../../log/sources/source-pick.ts';
import type {Command} from '../../keys/keymap.ts';
import {movement} from '../../keys/movement.ts';
import {withLog} from '../../state/handler.ts';
import {type LogState, paneRows, type SourcesPane, type State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {listSources, selectedSource} from './list-sources.ts';

/** Opens the list of sources; says so if there are none to choose from. */
export const openSources = (state: State, log: LogState): State =>
  log.sourceNames.length === 0
    ? {...state, notice: 'the service does not say who wrote which line'}
    : withLog(state, {...log, overlay: {kind: 'sources', selectedKey: undefined}});

/** Shows only the lines of these sources, or hides them; the current place stays in view. */
export const pickSources = (log: LogState, kind: SourcePick['kind'], names: readonly SourceName[]): LogState => ({
  ...log,
  sourcePick: settlePick(
    pickOf(log.sourcePick, {kind, names}),
    listSources(log).map(({name}) => name),
  ),
});

/** Handles all commands while the sources are open, so that the log underneath stays where it is. */
export const updateSources = (state: State, log: LogState, pane: SourcesPane, command: Command): Step => {
  const listed = listSources(log);
  const selected = selectedSource(listed, pane);
  switch (command) {
    case 'toggleSources':
    case 'openLine':
    case 'back':
      return stay(withLog(state, {...log, overlay: undefined}));
    case 'removeFilter':
    case 'removeFilters':
      return stay(withLog(state, {...log, sourcePick: undefined}));
    default:
      break;
  }
  if (selected === undefined) {
    return stay(state);
  }
  const known = listed.map(({name}) => name);
  switch (command) {
    case 'togglePause':
      return stay(withLog(state, {...log, sourcePick: toggleSource(log.sourcePick, selected.name, known)}));
    case 'filterIn':
      return stay(withLog(state, pickSources(log, 'only', [selected.name])));
    default: {
      const distance = movement(command, Math.max(1, paneRows(state) - 2));
      const index = Math.max(0, Math.min(listed.length - 1, listed.indexOf(selected) + (distance ?? 0)));
      return distance === undefined
        ? stay(state)
        : stay(withLog(state, {...log, overlay: {...pane, selectedKey: listed[index]?.key}}));
    }
  }
};
