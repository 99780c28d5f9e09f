import { type Deployment } from '../../contract';
import { type Browser } from '../browser';
import { applyEntries } from '../state/collection';
import { deploymentEntry } from '../state/inventory';
import { type Route } from '../state/route';
import { type Loadable } from '../state/state';
import { type StateStore } from '../state/state-store';
import { type Outcome, type PageTransport } from '../transport/page-transport';

/** Services of a loader; the results of an aborted load are dropped. */
export interface LoaderDeps {
  readonly browser: Browser;
  readonly transport: PageTransport;
  readonly store: StateStore;
  readonly replaceRoute: (route: Route) => void;
}

/** Converts the outcome of a request to state. */
export const toLoadable = <T>(outcome: Outcome<T>): Loadable<T> =>
  outcome.ok ? { status: 'loaded', value: outcome.value } : { status: 'failed', failed: outcome.failed };

/** Adds deployments to the inventory. */
export function addDeployments(store: StateStore, deployments: readonly Deployment[]): void {
  const { inventory } = store.get();
  const entries = deployments.map(deploymentEntry);
  store.set({ inventory: { ...inventory, deployments: applyEntries(inventory.deployments, entries) } });
}
