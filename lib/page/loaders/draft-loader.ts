import { type Deployment, type DeploymentPreview, type Page, type VersionView } from '../../contract';
import { deployRequest, draftOptions, selectOnlyOptions } from '../state/deploy-options';
import { formatRoute, type Route } from '../state/route';
import { type Loadable } from '../state/state';
import { type Outcome, pathWithQuery } from '../transport/page-transport';
import { type LoaderDeps, toLoadable } from './loader-deps';

/** Maximum number of versions or past deployments loaded for the form. */
const maxHistory = 1000;

type DraftRoute = Extract<Route, { page: 'deploy' | 'rollback' }>;

/** Loads the options of the deploy form, and previews the selection once it is complete. */
export function loadDraft(deps: LoaderDeps, route: DraftRoute, previous: Route | undefined, signal: AbortSignal): void {
  const { store } = deps;
  const { project } = route.selection;
  const before = previous && 'selection' in previous ? previous.selection : undefined;
  if (previous && formatRoute(previous) === formatRoute(route)) return;
  const { draft } = store.get();
  if (project === undefined) return store.set({ draft: {} });
  if (before?.project === project) {
    // The break-glass reason applied to the previous selection.
    store.set({ draft: { versions: draft.versions, past: draft.past } });
    completeAndPreview(deps, route);
    return;
  }
  const { page } = route;
  store.set({ draft: page === 'deploy' ? { versions: { status: 'loading' } } : { past: { status: 'loading' } } });
  void loadDraftOptions(deps, page, project, signal);
}

async function loadDraftOptions(
  deps: LoaderDeps,
  page: DraftRoute['page'],
  project: string,
  signal: AbortSignal,
): Promise<void> {
  const { transport, store } = deps;
  const isCurrent = (): boolean => {
    const { route } = store.get();
    return !signal.aborted && route.page === page && route.selection.project === project;
  };
  if (page === 'deploy') {
    const path = pathWithQuery(`/v1/projects/${encodeURIComponent(project)}/versions`, { limit: maxHistory });
    const versions = toLoadable(await transport.get<Page<VersionView>>(path, signal));
    if (!isCurrent()) return;
    store.set({ draft: { ...store.get().draft, versions: withItems(versions, (items) => items) } });
  } else {
    const past = toLoadable(
      await transport.get<Page<Deployment>>(pathWithQuery('/v1/deployments', { project, limit: maxHistory }), signal),
    );
    if (!isCurrent()) return;
    const ready = withItems(past, (items) => items.filter(({ phase }) => phase === 'ready'));
    store.set({ draft: { ...store.get().draft, past: ready } });
  }
  const { route } = store.get();
  if (route.page === page) completeAndPreview(deps, route);
}

const withItems = <T>(
  loaded: Loadable<Page<T>>,
  pick: (items: readonly T[]) => readonly T[],
): Loadable<readonly T[]> =>
  loaded.status === 'loaded' ? { status: 'loaded', value: pick(loaded.value.items) } : loaded;

/** Fills in parts with a single option, and previews the selection once it is complete. */
function completeAndPreview(deps: LoaderDeps, route: DraftRoute): void {
  const { store, replaceRoute } = deps;
  const selection = selectOnlyOptions(route.selection, (given) => draftOptions(route.page, store.get().draft, given));
  const filled = { ...route, selection };
  if (formatRoute(filled) !== formatRoute(route)) return replaceRoute(filled);
  if (deployRequest(selection)) void previewDraft(deps);
}

/** Returns whether a preview failed because the stage does not trust the artifact's publisher. */
function isUntrusted(outcome: Outcome<DeploymentPreview>): boolean {
  const problems = outcome.ok
    ? outcome.value.problems
    : outcome.failed.kind === 'rejected'
      ? outcome.failed.failure.problems
      : undefined;
  return problems?.some(({ code }) => code === 'untrusted-artifact') ?? false;
}

/** Previews the selection of the deploy form. */
export async function previewDraft(
  { transport, store }: LoaderDeps,
  announcement = 'Preview loaded. The changes are shown below.',
): Promise<void> {
  const { route, draft } = store.get();
  if (route.page !== 'deploy' && route.page !== 'rollback') return;
  const request = deployRequest(route.selection, draft.breakGlass);
  if (!request) return;
  const loadingPreview: Loadable<DeploymentPreview> = { status: 'loading' };
  store.set({ draft: { ...draft, preview: loadingPreview } });
  const outcome = await transport.post<DeploymentPreview>('/v1/previews', request);
  const current = store.get();
  if (current.draft.preview !== loadingPreview) return;
  store.set({
    draft: { ...current.draft, preview: toLoadable(outcome), ...(isUntrusted(outcome) && { untrusted: true }) },
    announcement: outcome.ok ? announcement : 'The preview failed. The reason is shown below.',
  });
}
