import { type Deployment, type DeploymentDiff, type DeploymentEvent } from '../../contract';
import { isFinalPhase, phaseLabels } from '../format/labels';
import { type StateStore } from '../state/state-store';
import { keepConnected } from '../transport/connection';
import { parseEventData } from '../transport/event-stream';
import { addDeployments, type LoaderDeps, toLoadable } from './loader-deps';

/** Loads a deployment and follows its events until it has ended. */
export async function loadDeployment(deps: LoaderDeps, id: string, signal: AbortSignal): Promise<void> {
  const { browser, transport, store } = deps;
  const path = `/v1/deployments/${encodeURIComponent(id)}`;
  const load = async (): Promise<void> => {
    const outcome = await transport.get<Deployment>(path, signal);
    if (signal.aborted) return;
    if (outcome.ok) addDeployments(store, [outcome.value]);
    store.set({ deploymentFailed: outcome.ok ? undefined : outcome.failed });
    await loadDiff();
  };
  /** The previous version is known once the deployment has started, and never changes. */
  const loadDiff = async (): Promise<void> => {
    const { inventory, diff } = store.get();
    if ((diff && diff.status !== 'failed') || inventory.deployments.items.get(id)?.startedAt === undefined) return;
    store.set({ diff: { status: 'loading' } });
    const outcome = await transport.get<DeploymentDiff>(`${path}/diff`, signal);
    if (!signal.aborted) store.set({ diff: toLoadable(outcome) });
  };
  store.set({ eventFeed: undefined, deploymentFailed: undefined, diff: undefined });
  await load();
  if (signal.aborted || store.get().deploymentFailed) return;
  const eventFeed = (): NonNullable<ReturnType<StateStore['get']>['eventFeed']> =>
    store.get().eventFeed ?? { id, state: 'connecting', events: [] };
  await keepConnected({
    open: (lastEventId) => browser.openStream(`${path}/events`, lastEventId, signal),
    onState: (state, failed) => {
      store.set({ eventFeed: { ...eventFeed(), state, failed } });
      if (state === 'ended') void load();
    },
    onEvent: (data) => {
      const event = parseEventData<DeploymentEvent>(data);
      const { events } = eventFeed();
      const last = events.at(-1);
      if (!event || event.number <= (last?.number ?? 0)) return;
      store.set({ eventFeed: { ...eventFeed(), events: [...events, event] } });
      if (last && last.phase !== event.phase)
        store.set({ announcement: `${phaseLabels[event.phase].text}. ${event.message}` });
      if (store.get().connection !== 'live') void load();
      else void loadDiff();
    },
    isFinished: () => {
      const phase = eventFeed().events.at(-1)?.phase;
      return phase !== undefined && isFinalPhase(phase);
    },
    wait: browser.wait,
    random: browser.random,
    signal,
  });
}
