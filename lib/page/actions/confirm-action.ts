import { type Approval, type Deployment } from '../../contract';
import { type Browser } from '../browser';
import { type RouteLoader } from '../loaders/route-loader';
import { formatRoute } from '../state/route';
import { type Confirmation } from '../state/state';
import { type StateStore } from '../state/state-store';
import { type ActionRequest, prepareAction, sendAction } from '../transport/action-request';
import { canRetry, type PageTransport } from '../transport/page-transport';

interface ConfirmActionDeps {
  readonly browser: Browser;
  readonly transport: PageTransport;
  readonly store: StateStore;
  readonly routeLoader: RouteLoader;
}

/** Creates the action of the confirm button. A request without a response keeps its idempotency key when it is retried. */
export function createConfirmAction({
  browser,
  transport,
  store,
  routeLoader,
}: ConfirmActionDeps): () => Promise<void> {
  let pendingRequest: ActionRequest | undefined;
  return async () => {
    const { confirmation } = store.get();
    if (!confirmation || confirmation.sending) return;
    const sent: Confirmation = { ...confirmation, sending: true, failed: undefined };
    store.set({ confirmation: sent });
    const request = prepareAction(
      pendingRequest,
      confirmation.path,
      confirmation.body,
      confirmation.withIdempotencyKey ? browser.newIdempotencyKey : undefined,
    );
    pendingRequest = request;
    const outcome = await sendAction<Deployment | Approval>(transport, request, browser.wait, browser.random);
    const isOpen = store.get().confirmation === sent;
    if (outcome.ok || !canRetry(outcome.failed)) pendingRequest = undefined;
    if (!outcome.ok) {
      const { failed } = outcome;
      if (failed.kind === 'signed-out') store.set({ connection: 'signed-out' });
      if (isOpen) store.set({ confirmation: { ...sent, sending: false, failed } });
      return;
    }
    store.set({ announcement: confirmation.doneMessage, ...(isOpen && { confirmation: undefined }) });
    if (!('id' in outcome.value)) {
      store.set({ draft: { ...store.get().draft, approved: confirmation.doneMessage } });
      return routeLoader.preview(confirmation.doneMessage);
    }
    routeLoader.addDeployment(outcome.value);
    if (isOpen) browser.go(formatRoute({ page: 'deployment', id: outcome.value.id }));
  };
}
