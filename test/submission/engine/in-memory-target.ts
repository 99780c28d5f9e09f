import { generateKeyPairSync } from 'node:crypto';
import {
  amountsOf,
  apiVersion,
  parseManifest,
  type ResourceList,
  type PlatformManifest,
  type SpecInput,
  type Status,
} from '../../../lib/api';
import { metadataKeys } from '../../../lib/api';
import { publicKeyText } from '../../../lib/artifact';
import { defaultPlatform, type StoredRollout } from '../../../lib/expand';
import { ApiError, type LiveObject, type SentObject } from '../../../lib/kube';
import {
  type ObjectVersion,
  TargetRejection,
  type DeploymentTarget,
  type TargetChange,
  type WorkloadKey,
} from '../../../lib/submission';
import { TargetSnapshot } from '../../../lib/submission/preview/target-snapshot';
import { apiBudgetOf } from '../../../lib/quota';
import { type RecordedClients } from '../../../lib/submission/targets/client-histories';
import { type MoveEffect } from '../../../lib/submission/targets/move-effects';
import { profile } from '../preview/preview-fixture';

/** Private key of submission services, and the public keys that Platforms list. */
export const deploymentKey = generateKeyPairSync('ed25519').privateKey;
export const trustedKeys: readonly string[] = [publicKeyText(deploymentKey)];

type Members = SpecInput<'Project'>['members'];

/** Contents of a project on a target. */
export interface ProjectText {
  readonly members?: Members;
  readonly quota?: Readonly<Record<string, string>>;
  readonly onQuotaExceeded?: 'Queue' | 'Reject';
  readonly stages?: SpecInput<'Project'>['stages'];
}

/** A cluster in which every workload is Ready at once, except those that a test blocks. */
export class InMemoryTarget implements DeploymentTarget {
  readonly kind = 'kubernetes';
  /** Workloads by `project/Kind/name`. */
  readonly liveObjects = new Map<string, LiveObject>();
  /** Every apply and removal in order, as `apply cart 2`, without dry runs. */
  readonly seen: string[] = [];
  /** Called for every apply or removal; an error thrown here is the response. */
  beforeRequest: (verb: 'apply' | 'dryRun' | 'remove', name: string, object?: SentObject) => void = () => undefined;
  /** Returns whether a workload becomes Ready. */
  becomesReady: (object: LiveObject) => boolean = () => true;
  unreadyReason: string | undefined;
  /** Public keys in its Platform. */
  deploymentKeys: readonly string[] = trustedKeys;
  private readonly documents = new Map<string, PlatformManifest<'Project'>>();
  private readonly listeners = new Set<(change: TargetChange) => void>();
  private uids = 0;

  constructor(
    readonly name: string,
    /** Name in its Platform. */
    private readonly cluster = name,
  ) {}

  put(name: string, { members, quota = {}, onQuotaExceeded = 'Reject', stages }: ProjectText = {}): void {
    const spec = { team: 'commerce', quota, onQuotaExceeded, ...(members && { members }), ...(stages && { stages }) };
    const document = parseManifest({ apiVersion, kind: 'Project', metadata: { name }, spec });
    this.documents.set(name, document as PlatformManifest<'Project'>);
    this.notify({ type: 'project', project: name, gone: false });
  }

  drop(name: string): void {
    this.documents.delete(name);
    this.notify({ type: 'project', project: name, gone: true });
  }

  unready(): string | undefined {
    return this.unreadyReason;
  }

  projects(): readonly PlatformManifest<'Project'>[] {
    return [...this.documents.values()];
  }

  project(name: string): PlatformManifest<'Project'> | undefined {
    return this.documents.get(name);
  }

  snapshotOf(): ReturnType<DeploymentTarget['snapshotOf']> {
    const { cluster, deploymentKeys } = this;
    const spec = { ...defaultPlatform.spec, cluster, deploymentKeys, runtime: { profile: 'bare-1' }, defaultQuota: {} };
    const documents = [
      parseManifest({ ...defaultPlatform, spec }),
      parseManifest(profile('bare-1')),
      ...this.documents.values(),
    ];
    return { snapshot: new TargetSnapshot({ name: this.name, documents, nodes: 5 }) };
  }

  workloads(project: string): readonly LiveObject[] {
    return [...this.liveObjects.values()].filter(({ metadata }) => metadata.namespace === project);
  }

  workload(project: string, { kind, name }: { readonly kind: string; readonly name: string }): LiveObject | undefined {
    return this.liveObjects.get(`${project}/${kind}/${name}`);
  }

  quota(): { readonly used: ResourceList; readonly hard: ResourceList } {
    return { used: amountsOf({}), hard: amountsOf({}) };
  }

  history(): readonly never[] {
    return [];
  }

  /** Recorded clients by project. */
  readonly recordedClients = new Map<string, RecordedClients>();

  clientProjects(): readonly string[] {
    return [...this.recordedClients.keys()];
  }

  clients(project: string): RecordedClients {
    return this.recordedClients.get(project) ?? { days: [], usage: [] };
  }

  apiBudget(project: string): ResourceList {
    const found = this.project(project);
    const platform = parseManifest(defaultPlatform) as PlatformManifest<'Platform'>;
    return found ? apiBudgetOf(found, platform) : {};
  }

  platformTeam(): readonly string[] {
    return ['platform-oncall'];
  }

  /** Rollouts of its Platform. */
  storedRollouts: readonly StoredRollout[] = [];
  /** Revisions of its Platform. */
  platformRevisions: Status<'Platform'>['revisions'];
  /** Effect of each move to another revision. */
  effect: MoveEffect = { effect: 'changed' };

  platform(): PlatformManifest<'Platform'> {
    const rollouts = this.platformRevisions && { rollouts: {} };
    const spec = { ...defaultPlatform.spec, ...rollouts };
    return parseManifest({ ...defaultPlatform, spec }) as PlatformManifest<'Platform'>;
  }

  rollouts(): readonly StoredRollout[] {
    return this.storedRollouts;
  }

  revisions(): Status<'Platform'>['revisions'] {
    return this.platformRevisions;
  }

  moveEffect(): MoveEffect {
    return this.effect;
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
    await Promise.resolve();
    const { name } = object.metadata;
    this.beforeRequest(dryRun ? 'dryRun' : 'apply', name, object);
    const { annotations } = (object as LiveObject).metadata;
    const sequence = annotations?.[metadataKeys.deploymentSequence] ?? '';
    if (!dryRun) this.seen.push(`apply ${name} ${sequence}`);
    const key = `${project}/${object.kind}/${name}`;
    const before = this.liveObjects.get(key);
    const isSame = JSON.stringify(before?.['spec']) === JSON.stringify((object as LiveObject)['spec']);
    const generation = (before?.metadata.generation ?? 0) + (isSame ? 0 : 1);
    const uid = before?.metadata.uid ?? `uid-${(this.uids += 1)}`;
    const sent = JSON.parse(JSON.stringify(object)) as LiveObject;
    const metadata = { ...sent.metadata, uid, generation, resourceVersion: `${generation}` };
    const live = { ...sent, metadata };
    const status = this.becomesReady(live) ? 'True' : 'False';
    const observed = { ...live, status: { observedGeneration: generation, conditions: [{ type: 'Ready', status }] } };
    if (!dryRun) {
      this.liveObjects.set(key, observed);
      this.notify({ type: 'workload', project, workload: observed, gone: false });
    }
    return observed;
  }

  async remove(project: string, { kind, name }: WorkloadKey, { uid, resourceVersion }: ObjectVersion): Promise<void> {
    await Promise.resolve();
    this.beforeRequest('remove', name);
    const key = `${project}/${kind}/${name}`;
    const live = this.liveObjects.get(key);
    if (live?.metadata.uid !== uid) return;
    if (live.metadata.resourceVersion !== resourceVersion) throw new ApiError(409, 'Conflict', `${name} was changed`);
    this.seen.push(`remove ${name}`);
    this.liveObjects.delete(key);
    this.notify({ type: 'workload', project, workload: live, gone: true });
  }

  warn(_: string, reason: string, message: string): void {
    this.seen.push(`warn ${reason} ${message}`);
  }

  async start(): Promise<void> {
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    await Promise.resolve();
  }

  private notify(change: TargetChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

/** Returns the permanent rejection of a cluster. */
export const rejection = (name: string): TargetRejection =>
  new TargetRejection('PolicyDenied', 'application', `rejects ${name}`);

/** Returns the error of an unreachable cluster. */
export const unreachable = (): ApiError => new ApiError(0, 'Unreachable', 'connection refused');
