import { type Deployment, type Page, type WorkloadDetail } from '../../contract';
import { type Route } from '../state/route';
import { pathWithQuery } from '../transport/page-transport';
import { loadDeployment } from './deployment-loader';
import { loadDraft, previewDraft } from './draft-loader';
import { addDeployments, type LoaderDeps, toLoadable } from './loader-deps';
import { loadList } from './list-loader';

/** Deployments per page. */
const pageLength = 50;

/** Loader of the data that a route needs in addition to the inventory. */
export interface RouteLoader {
  /** @param previous - Route shown before; undefined to load everything again. */
  readonly load: (route: Route, previous: Route | undefined) => void;
  readonly listMore: () => void;
  /** @param announcement - Announcement after success. @default - that the selection was checked */
  readonly preview: (announcement?: string) => void;
  readonly reloadWorkload: () => void;
  /** Loads rollouts again if the view shows them: the service streams no changes of them. */
  readonly refreshRollouts: () => void;
  readonly addDeployment: (deployment: Deployment) => void;
}

/** Creates the route loader of a page. */
export function createRouteLoader(deps: LoaderDeps): RouteLoader {
  const { transport, store } = deps;
  let current = new AbortController();
  const abortPrevious = (): AbortSignal => {
    current.abort();
    current = new AbortController();
    return current.signal;
  };
  const reloadWorkload = async (signal = current.signal): Promise<void> => {
    const { route } = store.get();
    if (route.page !== 'workload') return;
    const path = [route.project, 'workloads', route.target, route.kind, route.name].map(encodeURIComponent).join('/');
    const outcome = await transport.get<WorkloadDetail>(`/v1/projects/${path}`, signal);
    if (!signal.aborted) store.set({ workload: toLoadable(outcome) });
  };
  return {
    load: (route, previous) => {
      const isSamePage = previous !== undefined && previous.page === route.page;
      if (route.page === 'deploy' || route.page === 'rollback')
        return loadDraft(deps, route, isSamePage ? previous : undefined, isSamePage ? current.signal : abortPrevious());
      if (route.page === 'workloads' && isSamePage) return;
      const signal = abortPrevious();
      if (route.page === 'workload') {
        store.set({ workload: { status: 'loading' } });
        void reloadWorkload(signal);
      } else if (route.page === 'deployment') void loadDeployment(deps, route.id, signal);
      else if (route.page === 'clients') void loadList(deps, 'clients', signal);
      else if (route.page === 'deployments' || route.page === 'overview')
        void listDeploymentsOf(deps, undefined, signal);
      if (showsRollouts(route)) void loadList(deps, 'rollouts', signal);
    },
    listMore: () => void listDeploymentsOf(deps, store.get().listing.next, current.signal),
    preview: (announcement) => void previewDraft(deps, announcement),
    reloadWorkload: () => void reloadWorkload(),
    refreshRollouts: () => void (showsRollouts(store.get().route) && loadList(deps, 'rollouts', current.signal, true)),
    addDeployment: (deployment) => addDeployments(store, [deployment]),
  };
}

const showsRollouts = ({ page }: Route): boolean => page === 'overview' || page === 'rollouts';

async function listDeploymentsOf(
  { transport, store }: LoaderDeps,
  after: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { route, listing } = store.get();
  const filter = route.page === 'deployments' ? route.filter : {};
  store.set({ listing: { ...(after !== undefined && listing), loading: true } });
  const outcome = await transport.get<Page<Deployment>>(
    pathWithQuery('/v1/deployments', { ...filter, limit: pageLength, after }),
    signal,
  );
  if (signal.aborted) return;
  if (!outcome.ok) return store.set({ listing: { ...store.get().listing, loading: false, failed: outcome.failed } });
  const { items, next } = outcome.value;
  addDeployments(store, items);
  store.set({
    listing: { loading: false, ...(next !== undefined && { next, horizon: items.at(-1)?.requestedAt }) },
  });
}
