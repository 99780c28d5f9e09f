import { type Change, type WorkloadView } from '../contract';
import { createConfirmAction } from './actions/confirm-action';
import { createActions } from './actions/create-actions';
import { type Browser } from './browser';
import { startInventorySync } from './loaders/inventory-sync';
import { createRouteLoader, type RouteLoader } from './loaders/route-loader';
import { workloadKey } from './state/inventory';
import { listWorkloads } from './state/inventory-lists';
import { formatRoute, isSameView, parseRoute, type Route, type WorkloadFilter } from './state/route';
import { initialState, type State } from './state/state';
import { createStateStore, type StateStore } from './state/state-store';
import { createPageTransport } from './transport/page-transport';
import { errorView } from './views/error-view';
import { pageView, windowTitle } from './views/page-view';

/** Refresh interval of relative times ("ago") and of rollouts in milliseconds. */
const refreshInterval = 30_000;

/** Starts the page. */
export function startApp(browser: Browser): void {
  const transport = createPageTransport(browser.send);
  const afterPaint: (() => void)[] = [];
  const rowsOf = memoizeRows();
  let isScheduled = false;
  const paint = (): void => {
    isScheduled = false;
    const state = store.get();
    try {
      browser.show(pageView(state, rowsOf(state), actions));
      browser.setTitle(windowTitle(state));
    } catch (error) {
      browser.show(errorView(browser.reload));
      browser.report(error);
    }
    for (const callback of afterPaint.splice(0)) callback();
  };
  const schedulePaint = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    browser.beforePaint(paint);
  };
  const store = createStateStore(initialState(parseRoute(browser.hash()), browser.now()), schedulePaint);
  const runAfterPaint = (callback: () => void): void => void afterPaint.push(callback);
  const showCurrentRoute = (): void => showRoute(browser, store, routeLoader, runAfterPaint);
  const replaceRoute = (route: Route): void => {
    browser.replace(formatRoute(route));
    showCurrentRoute();
  };
  const routeLoader = createRouteLoader({ browser, transport, store, replaceRoute });
  const confirm = createConfirmAction({ browser, transport, store, routeLoader });
  const actions = createActions({ browser, store, routeLoader, replaceRoute, runAfterPaint, confirm });
  browser.onHash(showCurrentRoute);
  browser.onKey((press) => {
    if (press.key !== '/' || press.modified || store.get().route.page !== 'workloads') return;
    press.prevent();
    browser.focus('search');
  });
  startInventorySync({
    browser,
    transport,
    store,
    onChanges: (changes) =>
      changes.some((change) => isShownWorkload(change, store.get())) && routeLoader.reloadWorkload(),
    onReopened: () => {
      const { route } = store.get();
      if (route.page !== 'deployment' && route.page !== 'deploy' && route.page !== 'rollback')
        routeLoader.load(route, undefined);
    },
  });
  routeLoader.load(store.get().route, undefined);
  const refreshTimes = (): void => {
    store.set({ now: browser.now() });
    void browser.wait(refreshInterval).then(() => {
      refreshTimes();
      routeLoader.refreshRollouts();
    });
  };
  refreshTimes();
}

/** Returns a function that lists the filtered workloads and recomputes only after they or the filter have changed. */
function memoizeRows(): (state: State) => readonly WorkloadView[] {
  let cacheKey: readonly [unknown, string] | undefined;
  let rows: readonly WorkloadView[] = [];
  return ({ route, inventory }) => {
    const filter: WorkloadFilter = route.page === 'workloads' ? route.filter : {};
    const key = JSON.stringify(filter);
    const { items } = inventory.workloads;
    if (cacheKey?.[0] !== items || cacheKey[1] !== key) {
      rows = listWorkloads(items.values(), filter);
      cacheKey = [items, key];
    }
    return rows;
  };
}

function isShownWorkload(change: Change, { route }: State): boolean {
  if (route.page !== 'workload' || (change.type !== 'workload' && change.type !== 'workloadGone')) return false;
  return workloadKey(change.workload) === `${route.target}/${route.project}/${route.kind}/${route.name}`;
}

/** Shows the route of the URL, and moves the focus if the view changed. */
function showRoute(
  browser: Browser,
  store: StateStore,
  routeLoader: RouteLoader,
  runAfterPaint: (callback: () => void) => void,
): void {
  const { route: previous, viewport } = store.get();
  const route = parseRoute(browser.hash());
  store.set({ route, ...(!isSameView(previous, route) && { confirmation: undefined, announcement: '' }) });
  routeLoader.load(route, previous);
  if (isSameView(previous, route)) return;
  runAfterPaint(() => {
    const returnsToList =
      previous.page === 'workload' && route.page === 'workloads' && store.get().active !== undefined;
    if (!returnsToList) browser.scrollToTop();
    browser.focus(returnsToList ? 'rows' : 'title');
    if (returnsToList && viewport) browser.scroll('rows', viewport.top);
  });
}
