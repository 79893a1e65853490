import type {Instant} from '../../log/line/instant.ts';
import {filterPicker, movedIndex, selectedIndex} from '../choices/picker.ts';
import {listSites, type SiteChoice} from '../choices/site-choices.ts';
import type {Command} from '../keys/keymap.ts';
import {withoutFilterOpen} from '../state/front.ts';
import {paneRows, type State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';
import {newBranches} from './new-branches.ts';
import {switchContext} from './switch-context.ts';

/** Handles commands on the sites screen. */
export const updateSites = (state: State, command: Command): Step => {
  const choices = listSites(state.sites, state.sitePicker.filter);
  const ids = choices.map(choice => choice.key);
  const selected = selectedIndex(ids, state.sitePicker);
  const moved = movedIndex(selected, ids.length, command, paneRows(state));
  if (moved !== undefined) {
    return stay({...state, sitePicker: {...state.sitePicker, selectedId: ids[moved]}});
  }
  switch (command) {
    case 'open': {
      const choice = choices[selected];
      return choice === undefined ? stay(state) : open(state, choice);
    }
    case 'nextContext':
      return switchContext(state);
    case 'back':
      return stay({...state, sitePicker: filterPicker(state.sitePicker, '')});
    default:
      return stay(state);
  }
};

const open = (state: State, choice: SiteChoice): Step => {
  const isKnown = state.sites.some(site => site.id === choice.id);
  const sites = isKnown ? state.sites : [...state.sites, {id: choice.id, name: undefined, openedAtMs: undefined}];
  const sitePicker = {selectedId: choice.id, filter: ''};
  return openSite({...state, sites, sitePicker}, choice.id, undefined);
};

/** Opens a site's branches screen and requests the branches. */
export const openSite = (
  state: State,
  siteId: string,
  openWhenKnown: string | undefined,
  openAt?: Instant | undefined,
): Step => {
  const generation = state.generation + 1;
  return stay(
    {
      ...state,
      screen: 'branches',
      generation,
      front: withoutFilterOpen(state.front),
      log: undefined,
      branches: newBranches(siteId, openWhenKnown, openAt),
    },
    {kind: 'cancel'},
    {kind: 'fetchBranches', siteId, generation},
  );
};
