import { type Change, type WorkloadView } from '../contract';
import { brokenView } from './broken-view';
import { type Browser } from './browser';
import { createConfirm } from './confirm';
import { createExchange } from './page-transport';
import { workloadKey } from './inventory';
import { startLive } from './live';
import { formatRoute, isSameView, parseRoute, type Route, type WorkloadFilter } from './route';
import { signOut } from './sign-out';
import { type Actions, firstState, type State } from './state';
import { createStore, type StateStore } from './state-store';
import { pageView, windowTitle } from './view';
import { createVisits, type Visits } from './visits';
import { scrollToShow } from './window-rows';
import { listWorkloads } from './workload-list';

/** Refresh interval of relative times ("ago") in milliseconds. */
const tick = 30_000;

/** Starts the page. */
export function startApp(browser: Browser): void {
  const exchange = createExchange(browser.send);
  const afterPaint: (() => void)[] = [];
  const rowsOf = rememberRows();
  let isPlanned = false;
  const paint = (): void => {
    isPlanned = false;
    const state = store.get();
    try {
      browser.show(pageView(state, rowsOf(state), actions));
      browser.title(windowTitle(state));
    } catch (error) {
      browser.show(brokenView(browser.reload));
      browser.report(error);
    }
    for (const then of afterPaint.splice(0)) then();
  };
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    browser.beforePaint(paint);
  };
  const store = createStore(firstState(parseRoute(browser.hash()), browser.now()), plan);
  const later = (then: () => void): void => void afterPaint.push(then);
  const follow = (): void => followAddress(browser, store, visits, later);
  const revise = (route: Route): void => {
    browser.replace(formatRoute(route));
    follow();
  };
  const visits = createVisits({ browser, exchange, store, revise });
  const confirm = createConfirm({ browser, exchange, store, visits });
  const actions = createActions({ browser, store, visits, revise, later, confirm });
  browser.onHash(follow);
  browser.onKey((press) => {
    if (press.key !== '/' || press.modified || store.get().route.page !== 'workloads') return;
    press.prevent();
    browser.focus('search');
  });
  startLive({
    browser,
    exchange,
    store,
    onChanges: (changes) => changes.some((change) => isOpened(change, store.get())) && visits.reloadWorkload(),
    onReopened: () => {
      const { route } = store.get();
      if (route.page !== 'deployment' && route.page !== 'deploy' && route.page !== 'rollback')
        visits.enter(route, undefined);
    },
  });
  visits.enter(store.get().route, undefined);
  const goOn = (): void => {
    store.set({ now: browser.now() });
    void browser.wait(tick).then(goOn);
  };
  goOn();
}

/** The workloads that are listed, computed again only when they or the filter have changed. */
function rememberRows(): (state: State) => readonly WorkloadView[] {
  let of: readonly [unknown, string] | undefined;
  let rows: readonly WorkloadView[] = [];
  return ({ route, inventory }) => {
    const filter: WorkloadFilter = route.page === 'workloads' ? route.filter : {};
    const written = JSON.stringify(filter);
    const { items } = inventory.workloads;
    if (of?.[0] !== items || of[1] !== written) {
      rows = listWorkloads(items.values(), filter);
      of = [items, written];
    }
    return rows;
  };
}

function isOpened(change: Change, { route }: State): boolean {
  if (route.page !== 'workload' || (change.type !== 'workload' && change.type !== 'workloadGone')) return false;
  return workloadKey(change.workload) === `${route.target}/${route.project}/${route.kind}/${route.name}`;
}

/** Shows what the address says now, and leads the focus there where it is another view. */
function followAddress(browser: Browser, store: StateStore, visits: Visits, later: (then: () => void) => void): void {
  const { route: former, viewport } = store.get();
  const route = parseRoute(browser.hash());
  store.set({ route, ...(!isSameView(former, route) && { question: undefined, announcement: '' }) });
  visits.enter(route, former);
  if (isSameView(former, route)) return;
  later(() => {
    const comesBack = former.page === 'workload' && route.page === 'workloads' && store.get().active !== undefined;
    if (!comesBack) browser.toTop();
    browser.focus(comesBack ? 'rows' : 'title');
    if (comesBack && viewport) browser.scroll('rows', viewport.top);
  });
}

interface ActionParts {
  readonly browser: Browser;
  readonly store: StateStore;
  readonly visits: Visits;
  readonly revise: (route: Route) => void;
  readonly later: (then: () => void) => void;
  readonly confirm: () => Promise<void>;
}

function createActions({ browser, store, visits, revise, later, confirm }: ActionParts): Actions {
  return {
    seeRows: (viewport) => store.set({ viewport }),
    activate: (active, place) => {
      const { viewport } = store.get();
      store.set({ active });
      if (viewport) later(() => browser.scroll('rows', scrollToShow(place, viewport)));
    },
    open: (route) => browser.go(formatRoute(route)),
    revise,
    listMore: visits.listMore,
    breakGlass: (reason) => store.set({ draft: { ...store.get().draft, breakGlass: reason, preview: undefined } }),
    preview: () => visits.preview(),
    ask: (question) => store.set({ question: { ...question, sending: false } }),
    confirm: () => void confirm(),
    dismiss: () => store.set({ question: undefined }),
    signOut: () => void signOut({ browser, store }),
    focus: browser.focus,
  };
}
