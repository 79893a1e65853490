import {selectedIndex} from '#app/choices/picker.ts';
import {listSites} from '#app/choices/site-choices.ts';
import type {State} from '#app/state/state.ts';

/**
 * Replaces the sites by those that there are now; undefined: they are the same. The site that is open stays until it is
 * left, so that nothing of it is lost. The highlight stays on its site, or goes to the next that is left.
 */
export const takeSites = (state: State, ids: readonly string[]): State | undefined => {
  const {sitePicker, branches} = state;
  const kept = branches === undefined || ids.includes(branches.siteId) ? ids : [...ids, branches.siteId];
  const sites = kept.map(
    id => state.sites.find(site => site.id === id) ?? {id, name: undefined, openedAtMs: undefined},
  );
  if (sites.length === state.sites.length && sites.every((site, index) => site === state.sites[index])) {
    return undefined;
  }
  const keysOf = (listed: State['sites']) => listSites(listed, sitePicker.filter).map(({key}) => key);
  const before = keysOf(state.sites);
  const selected = selectedIndex(before, sitePicker);
  const left = new Set(keysOf(sites));
  const nearest = [...before.slice(selected), ...before.slice(0, selected).reverse()];
  return {...state, sites, sitePicker: {...sitePicker, selectedId: nearest.find(key => left.has(key))}};
};
