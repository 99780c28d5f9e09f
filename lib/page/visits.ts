import {
  type DeploymentPreview,
  type Deployment,
  type DeploymentEvent,
  type DeploymentDiff,
  type Page,
  type VersionView,
  type WorkloadDetail,
} from '../contract';
import { type Browser } from './browser';
import { deployRequest, withOnlyOptions } from './choices';
import { takeChanges } from './collection';
import { keepOpen } from './connection';
import { draftChoices } from './deploy-view';
import { address, type PageTransport, type Outcome } from './page-transport';
import { deploymentEntry } from './inventory';
import { read } from './live';
import { formatRoute, type Route } from './route';
import { type Loaded } from './state';
import { type StateStore } from './state-store';
import { isLastPhase, phaseWords } from './words';

/** Deployments that are listed at once. */
const listed = 50;
/** Deployments of a project among which those to go back to are looked for. */
const lookedBack = 1000;

/** Asks for what a route needs beside the inventory. */
export interface Visits {
  /** @param former - The route that was shown before; undefined if everything is loaded again. */
  readonly enter: (route: Route, former: Route | undefined) => void;
  readonly listMore: () => void;
  /** @param announcement - Announcement when it is done. @default - that it was checked */
  readonly preview: (announcement?: string) => void;
  readonly reloadWorkload: () => void;
  readonly takeDeployment: (deployment: Deployment) => void;
}

/** Parts that a visit works with; a visit that has ended changes nothing any more. */
interface Parts {
  readonly browser: Browser;
  readonly exchange: PageTransport;
  readonly store: StateStore;
  readonly revise: (route: Route) => void;
}

const loadedOf = <T>(outcome: Outcome<T>): Loaded<T> =>
  outcome.ok ? { status: 'loaded', value: outcome.value } : { status: 'failed', failed: outcome.failed };

/** Makes the visits of a page. */
export function createVisits(parts: Parts): Visits {
  const { exchange, store } = parts;
  let visit = new AbortController();
  const renew = (): AbortSignal => {
    visit.abort();
    visit = new AbortController();
    return visit.signal;
  };
  const reloadWorkload = async (signal = visit.signal): Promise<void> => {
    const { route } = store.get();
    if (route.page !== 'workload') return;
    const path = [route.project, 'workloads', route.target, route.kind, route.name].map(encodeURIComponent).join('/');
    const outcome = await exchange.get<WorkloadDetail>(`/v1/projects/${path}`, signal);
    if (!signal.aborted) store.set({ workload: loadedOf(outcome) });
  };
  return {
    enter: (route, former) => {
      const again = former !== undefined && former.page === route.page;
      if (route.page === 'deploy' || route.page === 'rollback')
        return enterDraft(parts, route, again ? former : undefined, again ? visit.signal : renew());
      if (route.page === 'workloads' && again) return;
      const signal = renew();
      if (route.page === 'workload') {
        store.set({ workload: { status: 'loading' } });
        void reloadWorkload(signal);
      } else if (route.page === 'deployment') void visitDeployment(parts, route.id, signal);
      else if (route.page === 'deployments' || route.page === 'overview')
        void listDeploymentsOf(parts, undefined, signal);
    },
    listMore: () => void listDeploymentsOf(parts, store.get().listing.next, visit.signal),
    preview: (announcement) => void checkDraft(parts, announcement),
    reloadWorkload: () => void reloadWorkload(),
    takeDeployment: (deployment) => takeDeployments(store, [deployment]),
  };
}

function takeDeployments(store: StateStore, deployments: readonly Deployment[]): void {
  const { inventory } = store.get();
  const entries = deployments.map(deploymentEntry);
  store.set({ inventory: { ...inventory, deployments: takeChanges(inventory.deployments, entries) } });
}

async function listDeploymentsOf(
  { exchange, store }: Parts,
  after: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { route, listing } = store.get();
  const filter = route.page === 'deployments' ? route.filter : {};
  store.set({ listing: { ...(after !== undefined && listing), loading: true } });
  const outcome = await exchange.get<Page<Deployment>>(
    address('/v1/deployments', { ...filter, limit: listed, after }),
    signal,
  );
  if (signal.aborted) return;
  if (!outcome.ok) return store.set({ listing: { ...store.get().listing, loading: false, failed: outcome.failed } });
  const { items, next } = outcome.value;
  takeDeployments(store, items);
  store.set({
    listing: { loading: false, ...(next !== undefined && { next, horizon: items.at(-1)?.requestedAt }) },
  });
}

async function visitDeployment(parts: Parts, id: string, signal: AbortSignal): Promise<void> {
  const { browser, exchange, store } = parts;
  const path = `/v1/deployments/${encodeURIComponent(id)}`;
  const load = async (): Promise<void> => {
    const outcome = await exchange.get<Deployment>(path, signal);
    if (signal.aborted) return;
    if (outcome.ok) takeDeployments(store, [outcome.value]);
    store.set({ deploymentFailed: outcome.ok ? undefined : outcome.failed });
    await compare();
  };
  /** What was Ready before is known once it has begun, and never changes. */
  const compare = async (): Promise<void> => {
    const { inventory, diff } = store.get();
    if ((diff && diff.status !== 'failed') || inventory.deployments.items.get(id)?.startedAt === undefined) return;
    store.set({ diff: { status: 'loading' } });
    const outcome = await exchange.get<DeploymentDiff>(`${path}/diff`, signal);
    if (!signal.aborted) store.set({ diff: loadedOf(outcome) });
  };
  store.set({ following: undefined, deploymentFailed: undefined, diff: undefined });
  await load();
  if (signal.aborted || store.get().deploymentFailed) return;
  const following = (): NonNullable<ReturnType<StateStore['get']>['following']> =>
    store.get().following ?? { id, state: 'connecting', events: [] };
  await keepOpen({
    open: (lastEventId) => browser.openStream(`${path}/events`, lastEventId, signal),
    onState: (state, failed) => {
      store.set({ following: { ...following(), state, failed } });
      if (state === 'ended') void load();
    },
    onEvent: (data) => {
      const event = read<DeploymentEvent>(data);
      const { events } = following();
      const last = events.at(-1);
      if (!event || event.number <= (last?.number ?? 0)) return;
      store.set({ following: { ...following(), events: [...events, event] } });
      if (last && last.phase !== event.phase)
        store.set({ announcement: `${phaseWords[event.phase].text}. ${event.message}` });
      if (store.get().connection !== 'live') void load();
      else void compare();
    },
    isOver: () => {
      const phase = following().events.at(-1)?.phase;
      return phase !== undefined && isLastPhase(phase);
    },
    wait: browser.wait,
    chance: browser.chance,
    signal,
  });
}

type DraftRoute = Extract<Route, { page: 'deploy' | 'rollback' }>;

function enterDraft(parts: Parts, route: DraftRoute, former: Route | undefined, signal: AbortSignal): void {
  const { store } = parts;
  const { project } = route.choice;
  const before = former && 'choice' in former ? former.choice : undefined;
  if (former && formatRoute(former) === formatRoute(route)) return;
  const { draft } = store.get();
  if (project === undefined) return store.set({ draft: {} });
  if (before?.project === project) {
    // The reason for passing over a publisher was one for what was chosen then.
    store.set({ draft: { versions: draft.versions, past: draft.past } });
    fillAndCheck(parts, route);
    return;
  }
  const { page } = route;
  store.set({ draft: page === 'deploy' ? { versions: { status: 'loading' } } : { past: { status: 'loading' } } });
  void loadDraft(parts, page, project, signal);
}

async function loadDraft(parts: Parts, page: DraftRoute['page'], project: string, signal: AbortSignal): Promise<void> {
  const { exchange, store } = parts;
  const isStill = (): boolean => {
    const { route } = store.get();
    return !signal.aborted && route.page === page && route.choice.project === project;
  };
  if (page === 'deploy') {
    const path = address(`/v1/projects/${encodeURIComponent(project)}/versions`, { limit: lookedBack });
    const versions = loadedOf(await exchange.get<Page<VersionView>>(path, signal));
    if (!isStill()) return;
    store.set({ draft: { ...store.get().draft, versions: withItems(versions, (items) => items) } });
  } else {
    const past = loadedOf(
      await exchange.get<Page<Deployment>>(address('/v1/deployments', { project, limit: lookedBack }), signal),
    );
    if (!isStill()) return;
    const ready = withItems(past, (items) => items.filter(({ phase }) => phase === 'ready'));
    store.set({ draft: { ...store.get().draft, past: ready } });
  }
  const { route } = store.get();
  if (route.page === page) fillAndCheck(parts, route);
}

const withItems = <T>(loaded: Loaded<Page<T>>, pick: (items: readonly T[]) => readonly T[]): Loaded<readonly T[]> =>
  loaded.status === 'loaded' ? { status: 'loaded', value: pick(loaded.value.items) } : loaded;

/** Chooses what leaves no choice; when all is chosen, says what it would do. */
function fillAndCheck(parts: Parts, route: DraftRoute): void {
  const { store, revise } = parts;
  const choice = withOnlyOptions(route.choice, (given) => draftChoices(route.page, store.get().draft, given));
  const filled = { ...route, choice };
  if (formatRoute(filled) !== formatRoute(route)) return revise(filled);
  if (deployRequest(choice)) void checkDraft(parts);
}

/** Whether a preview was refused, or said that it would be, because of who published the artifact. */
function isUntrusted(outcome: Outcome<DeploymentPreview>): boolean {
  const problems = outcome.ok
    ? outcome.value.problems
    : outcome.failed.kind === 'refused'
      ? outcome.failed.failure.problems
      : undefined;
  return problems?.some(({ code }) => code === 'untrusted-artifact') ?? false;
}

async function checkDraft(
  { exchange, store }: Parts,
  announcement = 'Checked. What it would do is shown below.',
): Promise<void> {
  const { route, draft } = store.get();
  if (route.page !== 'deploy' && route.page !== 'rollback') return;
  const request = deployRequest(route.choice, draft.breakGlass);
  if (!request) return;
  const asked: Loaded<DeploymentPreview> = { status: 'loading' };
  store.set({ draft: { ...draft, preview: asked } });
  const outcome = await exchange.post<DeploymentPreview>('/v1/previews', request);
  const now = store.get();
  if (now.draft.preview !== asked) return;
  store.set({
    draft: { ...now.draft, preview: loadedOf(outcome), ...(isUntrusted(outcome) && { untrusted: true }) },
    announcement: outcome.ok ? announcement : 'The request was refused; the reason is shown below.',
  });
}
