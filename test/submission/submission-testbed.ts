import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { ServiceClient } from '../../lib/contract';
import { submissionManifests, submissionName, submissionProject, type SubmissionInput } from '../../lib/programs';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';
import { LocalIssuer } from '../local/issuer/local-issuer';
import { SubmissionProcess } from '../local/submission-process';
import { Publishing } from './publishing';
import { type Cluster } from '../control-plane/cluster';
import { type CustomResources } from '../local/custom-resources';

const audience = 'pinion';
const group = 'developers';
const highRate = { qps: 1e6, burst: 1e6 };

/** A cluster with pinion, on which objects can be applied and awaited. */
export interface TestbedCluster extends Pick<CustomResources, 'project' | 'ready'> {
  readonly cluster: Cluster;
}

/**
 * The service installed on the cluster of a suite, with an issuer and an artifact store; its processes are started
 * one by one.
 */
export class SubmissionTestbed {
  private readonly processes: SubmissionProcess[] = [];

  private constructor(
    private readonly pinion: TestbedCluster,
    readonly folder: string,
    readonly issuer: LocalIssuer,
    readonly publishing: Publishing,
    private readonly kubeconfig: string,
  ) {}

  static async make(pinion: TestbedCluster): Promise<SubmissionTestbed> {
    const { cluster } = pinion;
    const folder = mkdtempSync(join(cluster.folder, 'submission-'));
    const settings = { artifactStore: '/artifacts', clusters: [{ name: 'main' }], identity: {} };
    for (const object of submissionManifests({ image: 'registry.example.com/pinion/submission:0.2.0', settings })) {
      expectStatus(await cluster.client.apply(object as SendableObject), [200, 201]);
      if (object.kind === 'Project') await pinion.ready('Project', '', object.metadata.name);
    }
    const token = await waitFor('the account of the service', () =>
      cluster.serviceAccountToken(submissionProject, submissionName).catch(() => undefined),
    );
    const publishing = new Publishing(join(folder, 'artifacts'));
    return new SubmissionTestbed(
      pinion,
      folder,
      await LocalIssuer.start(),
      publishing,
      cluster.kubeconfigFor({ token }),
    );
  }

  /** Creates a project whose developers may deploy. */
  async project(name: string, spec: Partial<ManifestInput<'Project'>['spec']> = {}): Promise<void> {
    await this.pinion.project(name, { members: [{ kind: 'Group', name: group, role: 'edit' }], ...spec });
  }

  /** Starts a process of the service without rate limits; resolves when it serves and its caches are synced. */
  async start(name: string, settings: Partial<SubmissionInput> = {}): Promise<SubmissionProcess> {
    const started = SubmissionProcess.start({
      kubeconfig: this.kubeconfig,
      folder: this.folder,
      namespace: submissionProject,
      name,
      settings: {
        artifactStore: this.publishing.folder,
        verificationStore: join(this.folder, 'verified'),
        clusters: [{ name: 'main' }],
        identity: { issuers: [{ issuer: this.issuer.url, audience, usernamePrefix: '-', groupsClaim: 'groups' }] },
        limits: { readRate: highRate, writeRate: highRate, unauthenticatedRate: highRate },
        ...settings,
      },
    });
    this.processes.push(started);
    await started.waitUntilLogged('caches synced');
    return started;
  }

  /** Token of a developer. */
  token(sub = 'ben'): Promise<string> {
    return this.issuer.createToken({ sub, groups: [group] }, { audience });
  }

  /** Returns a client of a developer with one token. */
  client(server: string, sub = 'ben', fetchFunction = fetch): ServiceClient {
    const token = this.token(sub);
    return new ServiceClient({ server, token: () => token, fetch: fetchFunction, clock: realClock });
  }

  async stop(): Promise<void> {
    for (const one of this.processes) await one.stop();
    await this.issuer.stop();
  }
}
