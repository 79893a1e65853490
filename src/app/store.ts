/**
 * Holds the state and runs events through `update` one at a time. docs/design.md walks a line's way through it, from
 * socket to cell. State changes only here; side effects are data.
 */
import type {Effect} from '#app/state/effect.ts';
import type {Event, Moment, StampedEvent} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
import {update} from './update.ts';

export type Store = {
  readonly state: () => State;
  readonly dispatch: (event: Event) => void;
  /** Calls the listener after every change; returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
};

export type StoreOptions = {
  readonly initial: State;
  /** Reads the clocks and a random number once per event. */
  readonly readMoment: () => Moment;
  readonly runEffect: (effect: Effect, dispatch: (event: Event) => void) => void;
};

/** Creates the store. An event that arrives while another is being handled waits for its turn. */
export const createStore = ({initial, readMoment, runEffect}: StoreOptions): Store => {
  let state = initial;
  const listeners = new Set<() => void>();
  const queue: StampedEvent[] = [];
  let isBusy = false;

  const dispatch = (event: Event): void => {
    queue.push({...event, moment: readMoment()});
    if (isBusy) {
      return;
    }
    isBusy = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const step = update(state, next);
        const hasChanged = step.state !== state;
        state = step.state;
        for (const effect of step.effects) {
          runEffect(effect, dispatch);
        }
        if (hasChanged) {
          for (const listener of listeners) {
            listener();
          }
        }
      }
    } finally {
      isBusy = false;
    }
  };

  return {
    state: () => state,
    dispatch,
    subscribe: listener => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
