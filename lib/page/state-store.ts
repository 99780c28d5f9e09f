import { type State } from './state';

/** The one place of the page's state: `set` merges a change into it. */
export interface StateStore {
  readonly get: () => State;
  readonly set: (change: Partial<State>) => void;
}

/** Creates a store that notifies of each change after it. */
export function createStore(first: State, changed: () => void): StateStore {
  let state = first;
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      changed();
    },
  };
}
