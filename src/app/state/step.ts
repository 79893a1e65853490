import type {Effect} from './effect.ts';
import type {State} from './state.ts';

/** What an event comes to: the next state, and orders to the outside. */
export type Step = {readonly state: State; readonly effects: readonly Effect[]};

export const stay = (state: State, ...effects: readonly Effect[]): Step => ({state, effects});
