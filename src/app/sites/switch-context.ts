import {withoutFilterOpen} from '../state/front.ts';
import type {ContextChoice, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';

/**
 * Goes to the sites of the next context, in the order of the config file and round. What was asked of the service before is let go of, and the next
 * request goes to the other one. A context whose settings are wanting is passed over, and why is told.
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
  // What was opened by its id while the context was in use is still there when it's come back to.
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
      generation: state.generation + 1,
      tokenExpiresAtMs: undefined,
      tokenNotice: undefined,
      notice: fault,
    },
    {kind: 'cancel'},
    {kind: 'switchContext', name: next.label.name},
  );
};
