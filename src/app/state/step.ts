import type {Effect} from './effect.ts';
import type {State} from './state.ts';

/** The result of an event: the next state and its effects. */
export type Step = {readonly state: State; readonly effects: readonly Effect[]};

export const stay = (state: State, ...effects: readonly Effect[]): Step => ({state, effects});
