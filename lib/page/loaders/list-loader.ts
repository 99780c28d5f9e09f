import { type ClusterRolloutsView, type ProjectClientsView } from '../../contract';
import { type State } from '../state/state';
import { listAllItems } from '../transport/page-transport';
import { type LoaderDeps } from './loader-deps';

/** Lists of a view, which are loaded as a whole. */
interface ViewLists {
  readonly clients: ProjectClientsView;
  readonly rollouts: ClusterRolloutsView;
}

/** Loads the list of a view into the state; the one that is shown stays until then, and with `isRefresh` also after a failure. */
export async function loadList<Name extends keyof ViewLists>(
  { transport, store }: LoaderDeps,
  name: Name,
  signal: AbortSignal,
  isRefresh = false,
): Promise<void> {
  const set = (list: State[Name]): void => store.set({ [name]: list });
  if (store.get()[name]?.status !== 'loaded') set({ status: 'loading' });
  const value: ViewLists[Name][] = [];
  const failed = await listAllItems<ViewLists[Name]>(transport, `/v1/${name}`, (items) => value.push(...items), signal);
  if (signal.aborted || (failed && isRefresh && store.get()[name]?.status === 'loaded')) return;
  set((failed ? { status: 'failed', failed } : { status: 'loaded', value }) as State[Name]);
}
