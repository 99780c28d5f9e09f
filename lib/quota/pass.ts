import { type ResourceList, apiVersion, parseManifest, safeParseManifest, type PlatformManifest } from '../api';
import { type KubeClient, type LiveObject } from '../kube';
import { type Thresholds } from './level';
import { listAllObjects } from './list-all';
import { type Message, type Owner } from './message';
import { type Outlook } from './forecast-quota';
import { quotasInForce, type QuotaInForce } from './quotas-in-force';
import { Consumption, sampleOf } from './sample';
import { type Sender } from './senders';
import { type QuotaStore } from './store';
import { type DayUsage } from './usage';
import { dayAt, evaluateProject, type Episodes, type Found } from './evaluate-project';
import { errorText } from '../process';

/** What a pass works with. */
export interface PassDeps {
  readonly client: KubeClient;
  readonly store: QuotaStore;
  /** Who tells owners. @default - nobody: what would be said is logged only */
  readonly sender?: Sender;
  /** @default - the usual ones */
  readonly thresholds?: Thresholds;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The outcome of a pass over all projects, for logs and metrics. */
export interface PassReport {
  readonly projects: number;
  /** What was said, in order. */
  readonly told: readonly Message[];
  /** How every resource with a quota stands, by project. */
  readonly outlooks: ReadonlyMap<string, ReadonlyMap<string, Outlook>>;
  /** Namespaces without any quota. */
  readonly unlimited: readonly string[];
  /** What went wrong, one sentence each; everything else was done. */
  readonly failures: readonly string[];
}

/**
 * One pass: samples every namespace, keeps the peaks of the day, compares them with the quota, and tells owners.
 *
 * A project that fails stops no other. What is about to be said is remembered as seen before it is sent and as said after: a
 * process that dies in between says it again, under the same id.
 */
export async function passOver(parts: PassDeps): Promise<PassReport> {
  const { client, store } = parts;
  const [owners, quotas, namespaces] = [
    await ownersOf(client),
    await listAllObjects(client, 'ResourceQuota'),
    await listAllObjects(client, 'Namespace'),
  ];
  const inForce = quotasInForce(quotas);
  const { unreadable } = await store.usage();
  const episodes = await store.episodes();
  const failures = unreadable.map((project) => `the history of ${project} cannot be read`);
  const names = namespaces
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
  const run = new Pass(parts, inForce, owners, episodes, failures);
  for (const name of names) await run.project(name);
  await run.end(names);
  const unlimited = names.filter((name) => !inForce.has(name));
  return { projects: names.length, told: run.told, outlooks: run.outlooks, unlimited, failures };
}

class Pass {
  readonly told: Message[] = [];
  readonly outlooks = new Map<string, ReadonlyMap<string, Outlook>>();
  private readonly changes = new Map<string, Episodes>();
  private readonly consumption = new Consumption();

  constructor(
    private readonly parts: PassDeps,
    private readonly inForce: ReadonlyMap<string, QuotaInForce>,
    private readonly owners: ReadonlyMap<string, Owner>,
    private readonly episodes: ReadonlyMap<string, Episodes>,
    private readonly failures: string[],
  ) {}

  async project(name: string): Promise<void> {
    const { client, store, now, thresholds } = this.parts;
    const quota = this.inForce.get(name);
    try {
      const sample = await sampleOf(client, name, quota, dayAt(now()), this.consumption);
      const days: readonly DayUsage[] = await store.record(name, sample);
      const owner = this.owners.get(name) ?? unowned(name);
      const hard: ResourceList = quota?.hard ?? {};
      const before = this.episodes.get(name) ?? {};
      const found = evaluateProject({ owner, quota: hard, days, episodes: before }, now(), thresholds);
      this.outlooks.set(name, found.outlooks);
      await this.tell(name, found, before);
    } catch (error) {
      this.failures.push(`${name}: ${errorText(error)}`);
    }
  }

  private async tell(name: string, { messages, seen, said }: Found, before: Episodes): Promise<void> {
    const { sender, store } = this.parts;
    if (messages.length === 0 || !sender) {
      if (JSON.stringify(seen) !== JSON.stringify(before)) this.changes.set(name, seen);
      return;
    }
    await store.remember(new Map([[name, seen]]));
    await sender.send(messages);
    this.told.push(...messages);
    await store.remember(new Map([[name, said]]));
  }

  /** Keeps what changed without being said, and forgets namespaces that are gone. */
  async end(names: readonly string[]): Promise<void> {
    const present = new Set(names);
    for (const name of this.episodes.keys()) if (!present.has(name)) this.changes.set(name, {});
    await this.parts.store.remember(this.changes);
  }
}

async function ownersOf(client: KubeClient): Promise<ReadonlyMap<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const object of await listAllObjects(client, 'Project')) {
    const project = projectOf(object);
    if (project) owners.set(object.metadata.name, ownerOf(project));
  }
  return owners;
}

/** A Project that is wrong has no owner who could be told: the platform's own people are. */
function projectOf({ metadata, spec }: LiveObject): PlatformManifest<'Project'> | undefined {
  const { completed } = safeParseManifest({ apiVersion, kind: 'Project', metadata: { name: metadata.name }, spec });
  return completed?.kind === 'Project' ? completed : undefined;
}

const ownerOf = ({ metadata, spec }: PlatformManifest<'Project'>): Owner => ({
  project: metadata.name,
  team: spec.team,
  onCall: spec.onCall,
  businessHours: spec.businessHours,
});

/** A namespace that no Project owns, as those of Kubernetes itself, belongs to the platform; its hours are the usual ones. */
function unowned(name: string): Owner {
  const platform = parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'platform' },
    spec: { team: 'platform' },
  });
  return { ...ownerOf(platform), project: name };
}
