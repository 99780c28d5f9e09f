import { type Browser } from '../browser';
import { scrollTopToShow } from '../elements/virtual-list';
import { type RouteLoader } from '../loaders/route-loader';
import { formatRoute, type Route } from '../state/route';
import { type Actions } from '../state/state';
import { type StateStore } from '../state/state-store';

interface ActionDeps {
  readonly browser: Browser;
  readonly store: StateStore;
  readonly routeLoader: RouteLoader;
  readonly replaceRoute: (route: Route) => void;
  readonly runAfterPaint: (callback: () => void) => void;
  readonly confirm: () => Promise<void>;
}

/** Creates the actions of the user. */
export function createActions({
  browser,
  store,
  routeLoader,
  replaceRoute,
  runAfterPaint,
  confirm,
}: ActionDeps): Actions {
  return {
    setViewport: (viewport) => store.set({ viewport }),
    setActiveRow: (active, index) => {
      const { viewport } = store.get();
      store.set({ active });
      if (viewport) runAfterPaint(() => browser.scroll('rows', scrollTopToShow(index, viewport)));
    },
    navigate: (route) => browser.go(formatRoute(route)),
    replaceRoute,
    listMore: routeLoader.listMore,
    breakGlass: (reason) => store.set({ draft: { ...store.get().draft, breakGlass: reason, preview: undefined } }),
    preview: () => routeLoader.preview(),
    requestConfirmation: (confirmation) => store.set({ confirmation: { ...confirmation, sending: false } }),
    confirm: () => void confirm(),
    dismiss: () => store.set({ confirmation: undefined }),
    signOut: () => void signOut({ browser, store }),
    focus: browser.focus,
  };
}

/** Signs out and reloads the page, so that nothing of its content remains. */
async function signOut({ browser, store }: { readonly browser: Browser; readonly store: StateStore }): Promise<void> {
  if (store.get().signingOut === 'sending') return;
  store.set({ signingOut: 'sending' });
  try {
    // The service redirects to the page itself; the body is not needed.
    const response = await browser.send('/logout', { method: 'POST', headers: {} });
    if (response.ok) return browser.reload();
  } catch {
    // No response; the failure is shown below.
  }
  store.set({ signingOut: 'failed' });
}
