import { type KeyObject } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManifestInput } from '../../../lib/api';
import { FolderBlobStore, issuerKeysByDiscovery, createVerificationStore } from '../../../lib/artifact';
import { finalPhases, type Caller, type Deployment, type DeploymentEvent } from '../../../lib/contract';
import { ConfigMapState, ArtifactCache, SubmissionEngine, type DeploymentTarget } from '../../../lib/submission';
import { ManualClock } from '../../kube/manual-clock';
import { Publishing, type StageText } from '../publishing';
import { pods } from '../preview/preview-fixture';
import { InMemoryCluster, type InMemoryClient } from './in-memory-cluster';
import { deploymentKey, InMemoryTarget } from './in-memory-target';

/** Namespace of the service's own objects. */
export const serviceNamespace = 'pinion-submission';
export const project = 'shop';

/** Returns a user in a team. */
export const makeCaller = (subject: string, ...groups: readonly string[]): Caller => ({
  subject,
  issuer: 'https://login.example.com',
  kind: 'User',
  groups: [...groups],
});
export const dev = makeCaller('mia@example.com', 'shop-developers');
export const members = [{ kind: 'Group', name: 'shop-developers', role: 'edit' }] as const;

/** Returns a service of the project with this request in one pod, without a surge. */
export const service = (name: string, cpu = '1', replicas = 1): ManifestInput<'PinterestService'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name, namespace: project },
  spec: { replicas, ...pods(cpu), rollout: { maxSurge: 0, maxUnavailable: 1 } } as never,
});

/** Returns such a service whose image has a digest, as protected stages require. */
export function pinnedService(...input: Parameters<typeof service>): ManifestInput<'PinterestService'> {
  const pinned = structuredClone(service(...input));
  const image = `registry.example.com/app:1.0.0@sha256:${'a'.repeat(64)}`;
  for (const container of pinned.spec.template.spec.containers) Object.assign(container, { image });
  return pinned;
}

export const stage = (overrides: Partial<StageText> = {}): StageText => ({
  name: 'prod',
  stop: { timeout: '60s', onFailure: 'Rollback' },
  ...overrides,
});

/** One process of the service. */
export class Replica {
  readonly client: InMemoryClient;
  readonly state: ConfigMapState;
  readonly engine: SubmissionEngine;
  readonly errors: string[] = [];
  readonly ended: Deployment[] = [];
  private readonly stopping = new AbortController();
  private leading: Promise<void> | undefined;

  constructor(fixture: EngineFixture) {
    const { server, clock, targets, publishing } = fixture;
    this.client = server.client();
    const onError = (error: unknown): void => void this.errors.push(String(error));
    this.state = new ConfigMapState({ client: this.client, clock, namespace: serviceNamespace, onError });
    const artifacts = new ArtifactCache({
      store: publishing.store,
      issuerKeys: () => issuerKeysByDiscovery(),
      verifications: createVerificationStore(new FolderBlobStore(join(publishing.folder, 'verified'))),
    });
    this.engine = new SubmissionEngine({
      ...{ state: this.state, artifacts, targets, clock, onError, deploymentKey: fixture.deploymentKey },
      onEnd: (deployment) => this.ended.push(deployment),
      onBreakGlass: () => undefined,
    });
  }

  async start({ leads = true } = {}): Promise<this> {
    await this.state.start();
    if (leads) this.lead();
    return this;
  }

  lead(): void {
    this.leading = this.engine.lead(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.leading;
    await this.state.stop();
  }
}

/** The service with clusters in memory, a real artifact folder, and a simulated clock. */
export class EngineFixture {
  readonly clock = new ManualClock();
  readonly server = new InMemoryCluster();
  readonly publishing = new Publishing(mkdtempSync(join(tmpdir(), 'pinion-artifacts-')));
  readonly targets: Map<string, DeploymentTarget>;
  /** Private key of replicas that are created afterwards. */
  deploymentKey: KeyObject | undefined = deploymentKey;
  private readonly replicas: Replica[] = [];
  private keys = 0;

  constructor(readonly clusters: readonly InMemoryTarget[] = [new InMemoryTarget('main')]) {
    this.targets = new Map(clusters.map((one) => [one.name, one]));
    for (const cluster of clusters) cluster.put(project, { members: [...members] });
  }

  get main(): InMemoryTarget {
    return this.clusters[0] as InMemoryTarget;
  }

  async replica(options?: { readonly leads?: boolean }): Promise<Replica> {
    const replica = new Replica(this);
    this.replicas.push(replica);
    return replica.start(options);
  }

  /** Publishes a workflow and deploys it; returns the accepted deployment. */
  async deploy(
    replica: Replica,
    artifact: string,
    key = `key-number-${(this.keys += 1)}`,
    stageName = 'prod',
  ): Promise<Deployment> {
    return replica.engine.deploy({ caller: dev, idempotencyKey: key }, { artifact, stage: stageName });
  }

  /** Advances the clock until a condition holds; fails after some minutes of simulated time. */
  async until(condition: () => boolean, seconds = 400): Promise<void> {
    const end = this.clock.now() + seconds * 1000;
    while (!condition()) {
      if (this.clock.now() > end) throw new Error(`the condition did not hold within ${seconds} s`);
      await this.turn(250);
    }
  }

  /** Advances the clock, and leaves time for file reads. */
  async turn(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await this.clock.advance(milliseconds);
  }

  /** Returns the deployment after its end. */
  async ended(replica: Replica, { id }: Pick<Deployment, 'id'>): Promise<Deployment> {
    const now = () => replica.state.record(id)?.deployment;
    await this.until(() => finalPhases.includes(now()?.phase ?? 'pending'));
    return now() as Deployment;
  }

  /** Returns the events of a deployment. */
  messagesOf = (replica: Replica, { id }: Pick<Deployment, 'id'>): string[] =>
    (replica.state.record(id)?.events ?? ([] as DeploymentEvent[])).map(({ message }) => message);

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((one) => one.stop()));
  }
}
