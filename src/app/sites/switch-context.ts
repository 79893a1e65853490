import {withoutFilterOpen} from '../state/front.ts';
import type {ContextChoice, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';

/**
 * Switches to the sites of the next context, in the order of the config file, wrapping round. Cancels all requests to
 * the old service; the next request goes to the new one. Skips contexts with invalid settings and says why.
 */
export const switchContext = (state: State): Step => {
  const {contexts, context, sites} = state;
  const index = contexts.findIndex(({label}) => label.name === context.name);
  const others = [...contexts.slice(index + 1), ...contexts.slice(0, Math.max(0, index))];
  const next = others.find(({fault}) => fault === undefined);
  const passed = others.slice(0, next === undefined ? others.length : others.indexOf(next));
  const fault = passed[0]?.fault;
  if (next === undefined) {
    return stay({...state, notice: fault ?? 'there is no other context in the config file'});
  }
  // Sites opened by id in this context are still listed when the user comes back to it.
  const kept = contexts.map((each): ContextChoice => (each === contexts[index] ? {...each, sites} : each));
  return stay(
    {
      ...state,
      screen: 'sites',
      context: next.label,
      contexts: kept,
      sites: next.sites,
      sitePicker: {selectedId: undefined, filter: ''},
      front: withoutFilterOpen(state.front),
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
    {kind: 'switchContext', name: next.label.name},
  );
};
