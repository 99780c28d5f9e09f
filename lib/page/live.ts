import { type Caller, type Change, type ProjectView, type WorkloadView } from '../contract';
import { type Browser } from './browser';
import { beginListing, endListing, takePage } from './collection';
import { type ConnectionState, keepOpen } from './connection';
import { type PageTransport, type Failed } from './page-transport';
import { applyChanges, projectEntry, workloadEntry } from './inventory';
import { listAll } from './list-all';
import { type StateStore } from './state-store';

/** Changes are taken together for so long, in milliseconds: a busy cluster does not make the page busy. */
const together = 100;
/** How long lists wait for the stream of changes, in milliseconds; the one after it has opened is the true one. */
const patience = 300;
/** How long the stream may be down, in milliseconds, before the user is notified. */
const silence = 3000;

/** What the rest of the page does with the news. */
export interface LiveDeps {
  readonly browser: Browser;
  readonly exchange: PageTransport;
  readonly store: StateStore;
  readonly onChanges: (changes: readonly Change[]) => void;
  /** The stream has opened again: what was shown may be out of date. */
  readonly onReopened: () => void;
}

/** Keeps the inventory true: lists it, then follows what changes, and lists it again after each gap. */
export function startLive({ browser, exchange, store, onChanges, onReopened }: LiveDeps): void {
  const list = createLister(exchange, store);
  let waiting: Change[] = [];
  let opened = 0;
  let isNotified = false;
  const flush = (): void => {
    const changes = waiting;
    waiting = [];
    store.set({ inventory: applyChanges(store.get().inventory, changes) });
    onChanges(changes);
  };
  const notifyIfStillDown = async (): Promise<void> => {
    await browser.wait(silence);
    if (store.get().connection !== 'reconnecting' || isNotified) return;
    isNotified = true;
    store.set({ announcement: 'The connection was lost. Reconnecting.' });
  };
  const onState = (connection: ConnectionState, failed?: Failed): void => {
    store.set({ connection, ...(failed && { failed }) });
    if (connection === 'live') {
      if (isNotified) store.set({ announcement: 'The page is live again.' });
      isNotified = false;
      opened += 1;
      void list();
      if (opened > 1) onReopened();
    } else if (connection === 'reconnecting') void notifyIfStillDown();
  };
  void keepOpen({
    open: (lastEventId) => browser.openStream('/v1/changes', lastEventId, never),
    onState,
    onEvent: (data) => {
      const change = read<Change>(data);
      if (!change) return;
      if (waiting.length === 0) void browser.wait(together).then(flush);
      waiting.push(change);
    },
    isOver: () => false,
    wait: browser.wait,
    chance: browser.chance,
    signal: never,
  });
  void browser.wait(patience).then(() => (opened === 0 ? list() : undefined));
  void exchange.get<Caller>('/v1/me').then((outcome) => {
    if (outcome.ok) store.set({ caller: outcome.value });
  });
}

const never = new AbortController().signal;

/** What an event says; undefined where it is not readable, which the next listing makes good. */
export function read<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T;
  } catch {
    return undefined;
  }
}

/** Lists projects and workloads; a listing that is under way gives way to the next. */
function createLister(exchange: PageTransport, store: StateStore): () => Promise<void> {
  let current = new AbortController();
  return async () => {
    current.abort();
    const own = new AbortController();
    current = own;
    const { inventory } = store.get();
    store.set({
      inventory: {
        ...inventory,
        projects: beginListing(inventory.projects),
        workloads: beginListing(inventory.workloads),
      },
    });
    const [projects, workloads] = await Promise.all([
      listAll<ProjectView>(
        exchange,
        '/v1/projects',
        (items) => {
          const now = store.get().inventory;
          if (own.signal.aborted) return;
          store.set({ inventory: { ...now, projects: takePage(now.projects, items.map(projectEntry)) } });
        },
        own.signal,
      ),
      listAll<WorkloadView>(
        exchange,
        '/v1/workloads',
        (items) => {
          const now = store.get().inventory;
          if (own.signal.aborted) return;
          store.set({ inventory: { ...now, workloads: takePage(now.workloads, items.map(workloadEntry)) } });
        },
        own.signal,
      ),
    ]);
    if (own.signal.aborted) return;
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
