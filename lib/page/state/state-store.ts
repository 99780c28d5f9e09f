import { type State } from './state';

/** Holder of the page's state; `set` merges a change into it. */
export interface StateStore {
  readonly get: () => State;
  readonly set: (change: Partial<State>) => void;
}

/** Creates a store that calls back after each change. */
export function createStateStore(first: State, changed: () => void): StateStore {
  let state = first;
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      changed();
    },
  };
}
