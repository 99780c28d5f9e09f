import { type Caller, type Change, type ProjectView, type WorkloadView } from '../../contract';
import { type Browser } from '../browser';
import { addPage, beginListing, endListing } from '../state/collection';
import { applyChanges, projectEntry, workloadEntry } from '../state/inventory';
import { type StateStore } from '../state/state-store';
import { type ConnectionState, keepConnected } from '../transport/connection';
import { parseEventData } from '../transport/event-stream';
import { listAllItems, type PageTransport, type RequestFailure } from '../transport/page-transport';

/** Changes are applied in batches of this length, in milliseconds, so that a busy cluster does not slow the page down. */
const batchDelay = 100;
/** Milliseconds to wait for the change stream before listing anyway; the listing after it opens is authoritative. */
const streamOpenTimeout = 300;
/** Milliseconds for which the stream may be down before the user is notified. */
const notificationDelay = 3000;

/** Services and callbacks of the synchronization. */
export interface InventorySyncDeps {
  readonly browser: Browser;
  readonly transport: PageTransport;
  readonly store: StateStore;
  readonly onChanges: (changes: readonly Change[]) => void;
  /** Called when the stream has opened again: displayed data may be out of date. */
  readonly onReopened: () => void;
}

/** Keeps the inventory in sync: lists it, applies changes from the stream, and lists it again after each gap. */
export function startInventorySync({ browser, transport, store, onChanges, onReopened }: InventorySyncDeps): void {
  const list = createLister(transport, store);
  let pendingChanges: Change[] = [];
  let opened = 0;
  let isNotified = false;
  const flush = (): void => {
    const changes = pendingChanges;
    pendingChanges = [];
    store.set({ inventory: applyChanges(store.get().inventory, changes) });
    onChanges(changes);
  };
  const notifyIfStillDown = async (): Promise<void> => {
    await browser.wait(notificationDelay);
    if (store.get().connection !== 'reconnecting' || isNotified) return;
    isNotified = true;
    store.set({ announcement: 'Connection lost. Reconnecting.' });
  };
  const onState = (connection: ConnectionState, failed?: RequestFailure): void => {
    store.set({ connection, ...(failed && { failed }) });
    if (connection === 'live') {
      if (isNotified) store.set({ announcement: 'Reconnected.' });
      isNotified = false;
      opened += 1;
      void list();
      if (opened > 1) onReopened();
    } else if (connection === 'reconnecting') void notifyIfStillDown();
  };
  void keepConnected({
    open: (lastEventId) => browser.openStream('/v1/changes', lastEventId, neverAborted),
    onState,
    onEvent: (data) => {
      const change = parseEventData<Change>(data);
      if (!change) return;
      if (pendingChanges.length === 0) void browser.wait(batchDelay).then(flush);
      pendingChanges.push(change);
    },
    isFinished: () => false,
    wait: browser.wait,
    random: browser.random,
    signal: neverAborted,
  });
  void browser.wait(streamOpenTimeout).then(() => (opened === 0 ? list() : undefined));
  void transport.get<Caller>('/v1/me').then((outcome) => {
    if (outcome.ok) store.set({ caller: outcome.value });
  });
}

const neverAborted = new AbortController().signal;

/** Creates a function that lists projects and workloads; a new listing aborts the one in progress. */
function createLister(transport: PageTransport, store: StateStore): () => Promise<void> {
  let current = new AbortController();
  return async () => {
    current.abort();
    const controller = new AbortController();
    current = controller;
    const { inventory } = store.get();
    store.set({
      inventory: {
        ...inventory,
        projects: beginListing(inventory.projects),
        workloads: beginListing(inventory.workloads),
      },
    });
    const [projects, workloads] = await Promise.all([
      listAllItems<ProjectView>(
        transport,
        '/v1/projects',
        (items) => {
          const now = store.get().inventory;
          if (controller.signal.aborted) return;
          store.set({ inventory: { ...now, projects: addPage(now.projects, items.map(projectEntry)) } });
        },
        controller.signal,
      ),
      listAllItems<WorkloadView>(
        transport,
        '/v1/workloads',
        (items) => {
          const now = store.get().inventory;
          if (controller.signal.aborted) return;
          store.set({ inventory: { ...now, workloads: addPage(now.workloads, items.map(workloadEntry)) } });
        },
        controller.signal,
      ),
    ]);
    if (controller.signal.aborted) return;
    const now = store.get().inventory;
    const failed = projects ?? workloads;
    store.set({
      failed,
      ...(failed?.kind === 'signed-out' && { connection: 'signed-out' }),
      inventory: {
        ...now,
        projects: projects ? now.projects : endListing(now.projects),
        workloads: workloads ? now.workloads : endListing(now.workloads),
      },
    });
  };
}
