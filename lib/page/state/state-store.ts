import { type State } from './state';

/** State of the page; `set` merges a change into it. */
export interface StateStore {
  readonly get: () => State;
  readonly set: (change: Partial<State>) => void;
}

/** Creates a store that calls `onChange` after each change. */
export function createStateStore(first: State, onChange: () => void): StateStore {
  let state = first;
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      onChange();
    },
  };
}
