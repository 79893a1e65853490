import {filterPicker, movedIndex, selectedIndex} from '#app/choices/palette.ts';
import {listSites, type SiteChoice} from '#app/choices/site-choices.ts';
import {withoutFilterOpen} from '#app/keys/input-focus.ts';
import {type Command, keyFor} from '#app/keys/keymap.ts';
import {createMemo} from '#app/rows/memo.ts';
import type {BranchesState, ContextChoice, State} from '#app/state/state.ts';
import {next, paneRows, type Step} from '#app/state/step.ts';
import type {Instant} from '#log/line/instant.ts';

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

/**
 * Returns the branches screen of a site before the service has answered. `openWhenKnown` is the id or name of a branch
 * to open once the answer arrives, at a time if one is given.
 */
export const createBranchesScreen = (
  siteId: string,
  openWhenKnown: string | undefined,
  openAt?: Instant | undefined,
): BranchesState => ({
  siteId,
  branches: [],
  ordered: [],
  orderedAtMs: Number.NEGATIVE_INFINITY,
  skippedCount: 0,
  withoutIdCount: 0,
  listing: {kind: 'loading'},
  pulses: new Map(),
  orderedPulses: new Map(),
  picker: {selectedId: undefined, filter: ''},
  top: 0,
  marked: [],
  shows: 'all',
  order: 'status',
  news: new Map(),
  guarded: new Map(),
  openWhenKnown,
  openAt,
  listed: createMemo(),
});

/** Handles commands on the sites screen. */
export const updateSites = (state: State, command: Command): Step => {
  const choices = listSites(state.sites, state.sitePicker.filter);
  const ids = choices.map(choice => choice.key);
  const selected = selectedIndex(ids, state.sitePicker);
  const moved = movedIndex(selected, ids.length, command, paneRows(state));
  if (moved !== undefined) {
    return next({...state, sitePicker: {...state.sitePicker, selectedId: ids[moved]}});
  }
  switch (command) {
    case 'open': {
      const choice = choices[selected];
      return choice === undefined
        ? next({...state, focus: withoutFilterOpen(state.focus)})
        : isUnsure(state, choice)
          ? next(askBack(state, choice))
          : open(state, choice);
    }
    case 'nextContext':
      return switchContext(state);
    case 'back':
      return next({...state, sitePicker: filterPicker(state.sitePicker, '')});
    default:
      return next(state);
  }
};

/** An id has digits, and is longer than what somebody types to find a name. */
const idForm = /^(?=.*\d)[\w.:-]{6,}$/;

/** Text typed to find a site may be no id: then the first Enter, in the input line, only closes that. */
const isUnsure = ({focus}: State, {id, isTyped}: SiteChoice): boolean =>
  isTyped && focus.kind === 'filter' && !idForm.test(id);

const askBack = (state: State, {id}: SiteChoice): State => ({
  ...state,
  focus: withoutFilterOpen(state.focus),
  notice: `no site here is called “${id}”: ${keyFor('open', 'sites')} asks the service for one with this id`,
});

const open = (state: State, {id}: SiteChoice): Step =>
  openSite({...state, sitePicker: {selectedId: id, filter: ''}}, id, undefined);

/** Opens a site's branches screen and requests the branches. */
export const openSite = (
  state: State,
  siteId: string,
  openWhenKnown: string | undefined,
  openAt?: Instant | undefined,
): Step => {
  const generation = state.generation + 1;
  return next(
    {
      ...state,
      screen: 'branches',
      generation,
      focus: withoutFilterOpen(state.focus),
      log: undefined,
      branches: {
        ...createBranchesScreen(siteId, openWhenKnown, openAt),
        ...(state.logSettings.probeIntervalMs !== undefined && {
          probes: {nextAtMs: state.nowMs, allAtMs: state.nowMs, slowDown: 1},
        }),
      },
    },
    {kind: 'cancel'},
    {kind: 'fetchBranches', siteId, generation},
  );
};

/**
 * Switches to the sites of the next context, in the order of the config file, wrapping round. Cancels all requests to
 * the old service; the next request goes to the new one. Skips contexts with invalid settings and says why.
 */
const switchContext = (state: State): Step => {
  const {contexts, context, sites} = state;
  const index = contexts.findIndex(({label}) => label.name === context.name);
  const others = [...contexts.slice(index + 1), ...contexts.slice(0, Math.max(0, index))];
  const nextState = others.find(({fault}) => fault === undefined);
  const passed = others.slice(0, nextState === undefined ? others.length : others.indexOf(nextState));
  const fault = passed[0]?.fault;
  if (nextState === undefined) {
    return next({...state, notice: fault ?? 'there is no other context in the config file'});
  }
  // Sites opened by id in this context are still listed when the user comes back to it.
  const kept = contexts.map((each): ContextChoice => (each === contexts[index] ? {...each, sites} : each));
  return next(
    {
      ...state,
      screen: 'sites',
      context: nextState.label,
      contexts: kept,
      sites: nextState.sites,
      sitePicker: {selectedId: undefined, filter: ''},
      focus: withoutFilterOpen(state.focus),
      branches: undefined,
      log: undefined,
      // The lines of another service: who switches is done with them, and its token may be gone.
      held: [],
      generation: state.generation + 1,
      tokenExpiresAtMs: undefined,
      tokenNotice: undefined,
      notice: fault,
    },
    {kind: 'cancel'},
    {kind: 'switchContext', name: nextState.label.name},
  );
};
