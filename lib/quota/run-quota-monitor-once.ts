import { type ResourceList, apiVersion, parseManifest, safeParseManifest, type PlatformManifest } from '../api';
import { type KubeClient, listAllPages, type LiveObject } from '../kube';
import { type Thresholds } from './level';
import { type Message, type Owner } from './message';
import { type Outlook } from './forecast-quota';
import { quotasInForce, type QuotaInForce } from './quotas-in-force';
import { Consumption, sampleOf } from './sample';
import { type Sender } from './senders';
import { type QuotaStore } from './store';
import { type DayUsage } from './usage';
import { dayAt, evaluateProject, type AlertStates, type ProjectEvaluation } from './evaluate-project';
import { errorText } from '../process';

/** Services of the quota monitor. */
export interface QuotaMonitorDeps {
  readonly client: KubeClient;
  readonly store: QuotaStore;
  /** Sends notices. @default - notices are only logged */
  readonly sender?: Sender;
  /** @default - the default thresholds */
  readonly thresholds?: Thresholds;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Result of a run over all projects, for logs and metrics. */
export interface QuotaMonitorReport {
  readonly projects: number;
  /** Sent notices, in order. */
  readonly notified: readonly Message[];
  /** Forecast of every resource with a quota, by project. */
  readonly outlooks: ReadonlyMap<string, ReadonlyMap<string, Outlook>>;
  /** Namespaces without any quota. */
  readonly unlimited: readonly string[];
  /** Failures, one sentence each; the other projects were evaluated. */
  readonly failures: readonly string[];
}

/**
 * Runs the quota monitor once: samples every namespace, stores the peaks of the day, compares them with the quota, and
 * notifies owners.
 *
 * A failing project does not stop the others. The state is stored before a notice is sent, and marked as notified
 * after it: a process that crashes in between sends the notice again, with the same ID.
 */
export async function runQuotaMonitorOnce(deps: QuotaMonitorDeps): Promise<QuotaMonitorReport> {
  const { client, store } = deps;
  const [owners, quotas, namespaces] = [
    await ownersOf(client),
    await listAllPages(client, 'ResourceQuota'),
    await listAllPages(client, 'Namespace'),
  ];
  const inForce = quotasInForce(quotas);
  const { unreadable } = await store.usage();
  const alertStates = await store.alertStates();
  const failures = unreadable.map((project) => `the history of ${project} cannot be read`);
  const names = namespaces
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
  const run = new MonitorRun(deps, inForce, owners, alertStates, failures);
  for (const name of names) await run.project(name);
  await run.end(names);
  const unlimited = names.filter((name) => !inForce.has(name));
  return { projects: names.length, notified: run.notified, outlooks: run.outlooks, unlimited, failures };
}

class MonitorRun {
  readonly notified: Message[] = [];
  readonly outlooks = new Map<string, ReadonlyMap<string, Outlook>>();
  private readonly changes = new Map<string, AlertStates>();
  private readonly consumption = new Consumption();

  constructor(
    private readonly deps: QuotaMonitorDeps,
    private readonly inForce: ReadonlyMap<string, QuotaInForce>,
    private readonly owners: ReadonlyMap<string, Owner>,
    private readonly alertStates: ReadonlyMap<string, AlertStates>,
    private readonly failures: string[],
  ) {}

  async project(name: string): Promise<void> {
    const { client, store, now, thresholds } = this.deps;
    const quota = this.inForce.get(name);
    try {
      const sample = await sampleOf(client, name, quota, dayAt(now()), this.consumption);
      const days: readonly DayUsage[] = await store.record(name, sample);
      const owner = this.owners.get(name) ?? unowned(name);
      const hard: ResourceList = quota?.hard ?? {};
      const before = this.alertStates.get(name) ?? {};
      const found = evaluateProject({ owner, quota: hard, days, alertStates: before }, now(), thresholds);
      this.outlooks.set(name, found.outlooks);
      await this.notify(name, found, before);
    } catch (error) {
      this.failures.push(`${name}: ${errorText(error)}`);
    }
  }

  private async notify(
    name: string,
    { messages, states, statesAfterNotices }: ProjectEvaluation,
    before: AlertStates,
  ): Promise<void> {
    const { sender, store } = this.deps;
    if (messages.length === 0 || !sender) {
      if (JSON.stringify(states) !== JSON.stringify(before)) this.changes.set(name, states);
      return;
    }
    await store.save(new Map([[name, states]]));
    await sender.send(messages);
    this.notified.push(...messages);
    await store.save(new Map([[name, statesAfterNotices]]));
  }

  /** Stores changes without a notice, and drops deleted namespaces. */
  async end(names: readonly string[]): Promise<void> {
    const present = new Set(names);
    for (const name of this.alertStates.keys()) if (!present.has(name)) this.changes.set(name, {});
    await this.deps.store.save(this.changes);
  }
}

async function ownersOf(client: KubeClient): Promise<ReadonlyMap<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const object of await listAllPages(client, 'Project')) {
    const project = projectOf(object);
    if (project) owners.set(object.metadata.name, ownerOf(project));
  }
  return owners;
}

/** Returns undefined for an invalid Project, so that notices go to the platform team. */
function projectOf({ metadata, spec }: LiveObject): PlatformManifest<'Project'> | undefined {
  const { manifest } = safeParseManifest({ apiVersion, kind: 'Project', metadata: { name: metadata.name }, spec });
  return manifest?.kind === 'Project' ? manifest : undefined;
}

const ownerOf = ({ metadata, spec }: PlatformManifest<'Project'>): Owner => ({
  project: metadata.name,
  team: spec.team,
  onCall: spec.onCall,
  businessHours: spec.businessHours,
});

/** Returns the platform team as owner of a namespace without a Project, such as those of Kubernetes, with default hours. */
function unowned(name: string): Owner {
  const platform = parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'platform' },
    spec: { team: 'platform' },
  });
  return { ...ownerOf(platform), project: name };
}
