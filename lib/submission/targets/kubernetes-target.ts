import {
  amountsOf,
  metadataKeys,
  platformKinds,
  type ResourceList,
  valueAt,
  workloadKinds,
  type PlatformManifest,
  type PlatformKind,
  type Status,
} from '../../api';
import { breakGlassPolicyName, deployerName, nodeOf, type SchedulableNode, type StoredRollout } from '../../expand';
import {
  EventRecorder,
  SharedInformerFactory,
  isApiError,
  keyOf,
  resourceOf,
  serviceAccountUser,
  trimForCache,
  type Clock,
  type Impersonation,
  type KubeClient,
  type LiveObject,
  type SentObject,
  type SharedInformer,
} from '../../kube';
import { apiBudgetOf, type DayUsage } from '../../quota';
import { ClientHistories, type RecordedClients } from './client-histories';
import { KnownDocuments, type FoundTarget } from './known-documents';
import { MoveEffects, type MoveEffect } from './move-effects';
import { QuotaHistories } from './quota-histories';
import { RejectionTracker } from './refusals';
import { type ObjectVersion, type DeploymentTarget, type TargetChange, type WorkloadKey } from './deployment-target';

/** Dependencies of a target. */
export interface KubernetesTargetOptions {
  readonly name: string;
  /** Client without restrictions; `writer` writes workloads only while this process leads. */
  readonly reader: KubeClient;
  readonly writer: KubeClient;
  readonly clock: Clock;
  readonly instance: string;
  /** Namespace in which the quota monitor and the client monitor store histories. @default - none */
  readonly quotaNamespace?: string;
  readonly onError: (error: unknown) => void;
}

const indexers = { namespace: (object: LiveObject) => [object.metadata.namespace ?? ''] };

/** Field manager of deployed workloads. */
export const fieldManager = 'pinion-submission';

const nodeText = (node: SchedulableNode): string =>
  JSON.stringify(node, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));

/** Kubernetes cluster as a deployment target. */
export class KubernetesTarget implements DeploymentTarget {
  readonly kind = 'kubernetes';
  readonly name: string;
  private readonly factory: SharedInformerFactory;
  private readonly kinds: ReadonlyMap<string, SharedInformer<LiveObject>>;
  private readonly platformInformers: ReadonlyMap<PlatformKind, SharedInformer<LiveObject>>;
  private readonly quotas: SharedInformer<LiveObject>;
  private readonly nodes: SharedInformer<SchedulableNode>;
  private readonly documents: KnownDocuments;
  private readonly moveEffects: MoveEffects;
  private readonly events: EventRecorder;
  private readonly listeners = new Set<(change: TargetChange) => void>();
  private readonly refusals: RejectionTracker;
  private nodesVersion = 0;
  private readonly histories: QuotaHistories | undefined;
  private readonly clientHistories: ClientHistories | undefined;

  constructor(private readonly options: KubernetesTargetOptions) {
    const { name, reader, clock, instance, onError } = options;
    this.name = name;
    this.refusals = new RejectionTracker(name, clock);
    this.factory = new SharedInformerFactory({ client: reader, clock, onError });
    const informer = (kind: string): SharedInformer<LiveObject> =>
      this.factory.informer({ resource: resourceOf(kind), transform: trimForCache, indexers });
    this.kinds = new Map(Object.keys(workloadKinds).map((kind) => [kind, informer(kind)]));
    this.platformInformers = new Map(
      (Object.keys(platformKinds) as PlatformKind[]).map((kind) => [kind, informer(kind)]),
    );
    this.quotas = this.factory.informer({
      resource: resourceOf('ResourceQuota'),
      selection: { fieldSelector: 'metadata.name=project' },
      transform: trimForCache,
    });
    const { quotaNamespace } = options;
    this.histories = quotaNamespace === undefined ? undefined : new QuotaHistories(this.factory, quotaNamespace);
    this.clientHistories = quotaNamespace === undefined ? undefined : new ClientHistories(this.factory, quotaNamespace);
    this.nodes = this.factory.informer({ resource: resourceOf('Node'), transform: nodeOf });
    this.documents = new KnownDocuments(name, {
      all: (kind) => this.platformInformers.get(kind)?.store.list() ?? [],
      one: (kind, name) => this.platformInformers.get(kind)?.store.get(name),
      nodes: () => this.nodes.store.list(),
      nodesVersion: () => this.nodesVersion,
    });
    this.moveEffects = new MoveEffects(this.documents);
    this.events = new EventRecorder({ client: reader, clock, component: fieldManager, instance, onError });
    this.listen();
  }

  async start(signal?: AbortSignal): Promise<void> {
    this.factory.start();
    await this.factory.waitForCacheSync(signal);
  }

  async stop(): Promise<void> {
    await this.factory.stop();
  }

  unready(): string | undefined {
    const missing = this.factory.unsynced();
    return missing.length === 0 ? undefined : `${this.name}: ${missing.join(', ')} not read yet`;
  }

  projects(): readonly PlatformManifest<'Project'>[] {
    return this.documents.projects();
  }

  project(name: string): PlatformManifest<'Project'> | undefined {
    return this.documents.project(name);
  }

  snapshotOf(project: string): FoundTarget {
    return this.documents.of(project);
  }

  workloads(project: string): readonly LiveObject[] {
    return [...this.kinds.values()].flatMap((informer) => informer.store.byIndex('namespace', project));
  }

  workload(project: string, { kind, name }: { readonly kind: string; readonly name: string }): LiveObject | undefined {
    return this.kinds.get(kind)?.store.get(`${project}/${name}`);
  }

  quota(project: string): ReturnType<DeploymentTarget['quota']> {
    const live = this.quotas.store.get(`${project}/project`);
    return { used: amountsOf(valueAt(live, ['status', 'used'])), hard: amountsOf(valueAt(live, ['spec', 'hard'])) };
  }

  history(project: string): readonly DayUsage[] {
    return this.histories?.of(project) ?? [];
  }

  clientProjects(): readonly string[] {
    return this.clientHistories?.projects() ?? [];
  }

  clients(project: string): RecordedClients {
    return this.clientHistories?.of(project) ?? { days: [], usage: [] };
  }

  apiBudget(project: string): ResourceList {
    const [found, platform] = [this.documents.project(project), this.documents.platform()];
    return found && platform ? apiBudgetOf(found, platform) : {};
  }

  platformTeam(): readonly string[] {
    const { administrators = [], breakGlass = [] } = this.documents.platform()?.spec ?? {};
    return [...administrators, ...breakGlass];
  }

  platform(): PlatformManifest<'Platform'> | undefined {
    return this.documents.platform();
  }

  rollouts(): readonly StoredRollout[] {
    return (this.platformInformers.get('PlatformRollout')?.store.list() ?? []) as unknown as readonly StoredRollout[];
  }

  revisions(): Status<'Platform'>['revisions'] {
    const [live] = this.platformInformers.get('Platform')?.store.list() ?? [];
    return (live?.['status'] as Status<'Platform'> | undefined)?.revisions;
  }

  moveEffect(live: LiveObject, from: string, to: string): MoveEffect {
    return this.moveEffects.of(live, from, to);
  }

  onChange(listener: (change: TargetChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async apply(
    project: string,
    object: SentObject,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<LiveObject> {
    try {
      const as = deployerOf(project);
      const send = (sent: SentObject): Promise<LiveObject> =>
        this.options.writer.apply(sent, { as, dryRun, force: true, fieldManager, retries: 3 });
      const live = await send(object).catch((error: unknown) => {
        if (!isApiError(error, 403) || !error.message.includes(`'${breakGlassPolicyName}'`)) throw error;
        return send(endingBreakGlass(object));
      });
      if (dryRun) return live;
      this.kinds.get(object.kind)?.offer(live);
      this.refusals.recordAccepted(project, object);
      return live;
    } catch (error) {
      if (isApiError(error, 400, 403, 404, 409, 413, 422)) throw this.refusals.of(error, project, object);
      throw error;
    }
  }

  async remove(project: string, { kind, name }: WorkloadKey, { uid, resourceVersion }: ObjectVersion): Promise<void> {
    const key = { name, namespace: project };
    try {
      await this.options.writer.delete(resourceOf(kind), key, { as: deployerOf(project), uid, resourceVersion });
      this.kinds.get(kind)?.offerDeleted(keyOf({ metadata: key }), uid);
    } catch (error) {
      // Another object has this name now and must not be deleted.
      if (isApiError(error, 409) && this.workload(project, { kind, name })?.metadata.uid !== uid) return;
      if (isApiError(error, 403, 422)) throw this.refusals.of(error, project, { kind, metadata: { name } });
      throw error;
    }
  }

  warn(project: string, reason: string, message: string): void {
    const live = this.platformInformers.get('Project')?.store.get(project);
    if (live) this.events.event(live, { type: 'Warning', reason, message });
  }

  private listen(): void {
    const emit = (change: TargetChange): void => {
      for (const listener of this.listeners) listener(change);
    };
    for (const informer of this.kinds.values()) {
      const notify = (workload: LiveObject, gone: boolean): void =>
        emit({ type: 'workload', project: workload.metadata.namespace ?? '', workload, gone });
      informer.addEventHandler({
        onAdd: (after) => notify(after, false),
        onUpdate: (_, after) => notify(after, false),
        onDelete: (last) => {
          notify(last, true);
          this.moveEffects.forget(last.metadata.uid);
          const found = this.documents.of(last.metadata.namespace ?? '');
          if ('snapshot' in found) found.snapshot.forget(last.metadata.uid);
        },
      });
    }
    const invalidate = (): void => void this.nodesVersion++;
    this.nodes.addEventHandler({
      onAdd: invalidate,
      onUpdate: (before, after) => nodeText(before) !== nodeText(after) && invalidate(),
      onDelete: invalidate,
    });
    const emitProject = (project: string, gone = false): void => emit({ type: 'project', project, gone });
    this.platformInformers.get('Project')?.addEventHandler({
      onAdd: ({ metadata }) => emitProject(metadata.name),
      onUpdate: (_, { metadata }) => emitProject(metadata.name),
      onDelete: ({ metadata }) => emitProject(metadata.name, true),
    });
    this.quotas.addEventHandler({
      onAdd: ({ metadata }) => emitProject(metadata.namespace ?? ''),
      onUpdate: (_, { metadata }) => emitProject(metadata.namespace ?? ''),
    });
  }
}

/**
 * Returns a workload that also ends a break-glass change, after which admission accepts deployments again: server-side apply
 * removes only annotations that it has set itself.
 */
const endingBreakGlass = (object: SentObject): SentObject => {
  const { annotations = {} } = object.metadata as { readonly annotations?: object };
  const metadata = { ...object.metadata, annotations: { ...annotations, [metadataKeys.breakGlass]: '' } };
  return { ...object, metadata };
};

const deployerOf = (project: string): Impersonation => ({
  user: serviceAccountUser({ namespace: project, name: deployerName }),
});
