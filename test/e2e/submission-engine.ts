import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Caller, type Deployment } from '../../lib/contract';
import { connect, isApiError, loadKubeConfig, type KubeClient } from '../../lib/kube';
import { ArtifactCache, KubernetesTarget, SubmissionEngine, ConfigMapState } from '../../lib/submission';
import {
  ArtifactStore,
  createVerificationStore,
  FolderBlobStore,
  issuerKeysByDiscovery,
  publicKeyText,
} from '../../lib/artifact';
import { realClock as clock } from '../kube/real-clock';
import { Killed, CrashableProcess } from '../submission/crashable-process';
import { Publishing } from '../submission/publishing';
import { type PinionCluster } from './pinion-suite';

/** Key of the service, and its public key for `spec.deploymentKeys` of the Platform. */
const deploymentKey = generateKeyPairSync('ed25519').privateKey;
export const deploymentPublicKey = publicKeyText(deploymentKey);

/** Namespace of the objects of the service. */
export const home = 'pinion-submission';

/** Returns a user with groups. */
export const userOf = (subject: string, ...groups: readonly string[]): Caller => ({
  subject,
  issuer: 'https://login.example.com',
  kind: 'User',
  groups: [...groups],
});

/** Submission engine in the test process, on a real cluster. */
export class EngineInProcess {
  readonly publishing: Publishing;
  readonly engine: SubmissionEngine;
  readonly errors: unknown[] = [];
  private readonly client: KubeClient;
  private readonly state: ConfigMapState;
  private readonly target: KubernetesTarget;
  private readonly stopping = new AbortController();
  private leading: Promise<void> | undefined;

  constructor(
    pinion: PinionCluster,
    folder = mkdtempSync(join(pinion.cluster.folder, 'artifacts-')),
    crashable = new CrashableProcess(undefined),
    publishing = new Publishing(folder),
  ) {
    this.publishing = publishing;
    const settings = loadKubeConfig({ environment: {}, file: pinion.cluster.kubeconfig });
    const rate = { qps: 2000, burst: 4000 };
    this.client = crashable.client(connect(settings, { clock, userAgent: 'pinion-submission-test', rate }));
    // A watch that fails because the API server stops is expected.
    const onError = (error: unknown): void =>
      void (isApiError(error, 0) || error instanceof Killed || this.errors.push(error));
    this.state = new ConfigMapState({ client: this.client, clock, namespace: home, onError });
    const clients = { reader: this.client, writer: this.client };
    this.target = new KubernetesTarget({ name: 'main', ...clients, clock, instance: 'test', onError });
    const artifacts = new ArtifactCache({
      store: new ArtifactStore(crashable.objects(new FolderBlobStore(folder))),
      issuerKeys: () => issuerKeysByDiscovery(),
      verifications: createVerificationStore(new FolderBlobStore(join(folder, 'verified'))),
    });
    const targets = new Map([[this.target.name, this.target]]);
    const callbacks = { onEnd: () => undefined, onBreakGlass: () => undefined };
    this.engine = new SubmissionEngine({
      state: this.state,
      artifacts,
      deploymentKey,
      targets,
      clock,
      onError,
      ...callbacks,
    });
  }

  /** Starts the engine; one that does not lead accepts deployments and leaves them to the leader. */
  async start({ leads = true } = {}): Promise<void> {
    await Promise.all([this.state.start(), this.target.start()]);
    if (leads) this.leading = this.engine.lead(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.leading;
    await Promise.all([this.state.stop(), this.target.stop()]);
    this.client.close();
  }

  /** Deploys as a user and waits for the end; returns the deployment and the messages of its events. */
  async deploy(
    caller: Caller,
    artifact: string,
    stage: string,
    key = `${artifact}:${stage}:${Math.random()}`,
  ): Promise<{ readonly deployment: Deployment; readonly messages: readonly string[] }> {
    const accepted = await this.engine.deploy({ caller, idempotencyKey: key }, { artifact, stage });
    return this.whenEnded(caller, accepted.id);
  }

  async whenEnded(
    caller: Caller,
    id: string,
  ): Promise<{ readonly deployment: Deployment; readonly messages: readonly string[] }> {
    const messages: string[] = [];
    const signal = AbortSignal.timeout(120_000);
    for await (const event of await this.engine.follow(caller, id, 0, { signal })) messages.push(event.message);
    return { deployment: await this.engine.deployment(caller, id), messages };
  }
}
