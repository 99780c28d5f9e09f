import { metadataKeys, type WorkloadKind } from '../../lib/api';
import { listAllPages, connect, type KubeClient, loadKubeConfig } from '../../lib/kube';
import {
  type CanaryRunOptions,
  type CanaryReport,
  loadReport,
  type CanaryRun,
  type CanaryDeps,
  runCanary,
  defaultStepLimits,
} from '../../lib/operations';
import { canaryName, canaryManifests, type CanaryOptions, canarySandbox, canaryProject } from '../../lib/programs';
import { expectStatus } from '../control-plane/answer';
import { type Cluster } from '../control-plane/cluster';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';
import { type PinionDocuments } from '../local/pinion-documents';

/** A cluster with pinion on which a canary is installed. */
interface StandCluster extends Pick<PinionDocuments, 'ready'> {
  readonly cluster: Cluster;
}

const image = 'registry.example.com/pinion/canary:1.0.0';

/** The ways in that the built-in Platform names: here no ingress controller brings them. */
const ingressClass = (name: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name },
  spec: { controller: 'example.com/ingress' },
});

/** The canary installed on the cluster of a suite, with a client of its own rights. */
export class CanaryStand {
  private constructor(
    private readonly cluster: Cluster,
    readonly client: KubeClient,
    /** File by which its process logs in. */
    readonly kubeconfig: string,
  ) {}

  static async make(pinion: StandCluster, options: Partial<CanaryOptions> = {}): Promise<CanaryStand> {
    const { cluster } = pinion;
    for (const name of ['internal', 'external'])
      expectStatus(await cluster.client.applyForReal(ingressClass(name)), [200, 201]);
    for (const object of canaryManifests({ image, ...options })) {
      expectStatus(await cluster.client.applyForReal(object as SendableObject), [200, 201]);
      if (object.kind === 'Project') await pinion.ready('Project', '', object.metadata.name);
    }
    const token = await waitFor('the account of the canary', () =>
      cluster.serviceAccountToken(canaryProject, canaryName).catch(() => undefined),
    );
    const kubeconfig = cluster.kubeconfigFor({ token });
    const client = connect(loadKubeConfig({ environment: {}, file: kubeconfig }), {
      clock: realClock,
      userAgent: 'pinion-canary',
    });
    return new CanaryStand(cluster, client, kubeconfig);
  }

  /** What a run sees, with the rights of the canary's account. */
  world(more: Partial<CanaryDeps> = {}): CanaryDeps {
    const signal = new AbortController().signal;
    const { client } = this;
    const clusterDomain = 'cluster.local';
    return {
      client,
      clock: realClock,
      project: canarySandbox,
      image,
      clusterDomain,
      limits: defaultStepLimits,
      signal,
      ...more,
    };
  }

  /** A run in this process. */
  run(asked: CanaryRunOptions = {}, more: Partial<CanaryDeps> = {}): Promise<CanaryRun> {
    return runCanary(this.world(more), asked);
  }

  /** A token of its account for somebody else than the API server. */
  async tokenFor(audience: string): Promise<string> {
    const path = `/api/v1/namespaces/${canaryProject}/serviceaccounts/${canaryName}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [audience] } };
    const answer = expectStatus(await this.cluster.client.request('POST', path, body), [201]);
    return (answer.body as { status: { token: string } }).status.token;
  }

  /** Names of its pods that a selector means. */
  async podNames(labelSelector: string): Promise<string[]> {
    const pods = await listAllPages(this.client, 'Pod', { namespace: canarySandbox, labelSelector });
    return pods.map(({ metadata }) => metadata.name);
  }

  /** What is kept of runs. */
  report(): Promise<CanaryReport> {
    return loadReport(this.client, canaryProject);
  }

  /** All that is labelled as made by a run, by kind and name. */
  async leftovers(): Promise<string[]> {
    const kinds: readonly (WorkloadKind | string)[] = [
      'PinterestService',
      'PinterestStatefulSet',
      'PinterestDaemon',
      'PinterestCronJob',
      'PinterestJobSet',
      'PinterestTrainingJob',
      'Deployment',
      'StatefulSet',
      'DaemonSet',
      'CronJob',
      'Job',
      'Service',
      'Ingress',
      'PodDisruptionBudget',
      'ConfigMap',
      'ServiceAccount',
      'Pod',
    ];
    const selection = { namespace: canarySandbox, labelSelector: metadataKeys.canary };
    const found = await Promise.all(kinds.map((kind) => listAllPages(this.client, kind, selection)));
    return found.flat().map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  }

  close(): void {
    this.client.close();
  }
}

/** What became of each kind and door of a run, a line each. */
export const ways = (run: Pick<CanaryRun, 'cases'>): string[] =>
  run.cases.map(({ kind, deploymentPath, state, reason, steps }) => {
    const of = (wanted: string): string =>
      steps
        .filter((step) => step.state === wanted)
        .map(({ step }) => step)
        .join(' ');
    const failed = steps.find((step) => step.state === 'failed');
    const head = `${kind} ${deploymentPath} ${state}`;
    if (reason !== undefined) return `${head}: ${reason}`;
    if (failed) return `${head}: ${failed.step}: ${failed.cause?.part ?? ''}: ${failed.cause?.message ?? ''}`;
    const unchecked = of('not-checked');
    return `${head}: ${of('passed')}${unchecked === '' ? '' : `; not checked: ${unchecked}`}`;
  });
