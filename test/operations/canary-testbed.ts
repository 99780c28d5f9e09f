import { apiVersion, metadataKeys, type WorkloadKind } from '../../lib/api';
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
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';
import { type CustomResources } from '../local/custom-resources';

/** A cluster with pinion on which a canary is installed. */
interface CanaryCluster extends Pick<CustomResources, 'ready'> {
  readonly cluster: Cluster;
}

const image = 'registry.example.com/pinion/canary:1.0.0';

/** The ingress classes of the built-in Platform, which no ingress controller creates here. */
const ingressClass = (name: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name },
  spec: { controller: 'example.com/ingress' },
});

const sandboxProject = { apiVersion, kind: 'Project', metadata: { name: canarySandbox } };

/** The canary installed on the cluster of a suite, with a client that has the permissions of its account. */
export class CanaryTestbed {
  private constructor(
    private readonly cluster: Cluster,
    readonly client: KubeClient,
    /** Credentials file of its process. */
    readonly kubeconfig: string,
  ) {}

  static async create(pinion: CanaryCluster, options: Partial<CanaryOptions> = {}): Promise<CanaryTestbed> {
    const { cluster } = pinion;
    for (const name of ['internal', 'external'])
      expectStatus(await cluster.client.apply(ingressClass(name)), [200, 201]);
    for (const object of canaryManifests({ image, ...options })) {
      expectStatus(await cluster.client.apply(object as SendableObject), [200, 201]);
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
    return new CanaryTestbed(cluster, client, kubeconfig);
  }

  /** Dependencies of a run, with the permissions of the canary's account. */
  deps(overrides: Partial<CanaryDeps> = {}): CanaryDeps {
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
      ...overrides,
    };
  }

  /** Runs the canary in this process. */
  run(options: CanaryRunOptions = {}, overrides: Partial<CanaryDeps> = {}): Promise<CanaryRun> {
    return runCanary(this.deps(overrides), options);
  }

  /** Creates a token of its account for another audience than the API server. */
  async tokenFor(audience: string): Promise<string> {
    const path = `/api/v1/namespaces/${canaryProject}/serviceaccounts/${canaryName}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [audience] } };
    const response = expectStatus(await this.cluster.client.request('POST', path, body), [201]);
    return (response.body as { status: { token: string } }).status.token;
  }

  /** Lists the names of its pods that match a selector. */
  async podNames(labelSelector: string): Promise<string[]> {
    const pods = await listAllPages(this.client, 'Pod', { namespace: canarySandbox, labelSelector });
    return pods.map(({ metadata }) => metadata.name);
  }

  /** Reads the stored report of runs. */
  report(): Promise<CanaryReport> {
    return loadReport(this.client, canaryProject);
  }

  /** Returns the stages of the sandbox. */
  async stagesOfSandbox(): Promise<{ readonly stages: readonly object[] }> {
    const { body } = expectStatus(await this.cluster.client.get(sandboxProject), [200]);
    return (body as { readonly spec: { readonly stages: readonly object[] } }).spec;
  }

  /** Replaces the stages of the sandbox, as an administrator does. */
  async changeStages(stages: readonly object[]): Promise<void> {
    const path = await this.cluster.client.discovery.objectPath(sandboxProject);
    const options = { contentType: 'application/merge-patch+json' } as const;
    expectStatus(await this.cluster.client.request('PATCH', path, { spec: { stages } }, options), [200]);
  }

  /** Lists all objects with the label of a run, by kind and name. */
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

/** Returns one summary line for each kind and deployment path of a run. */
export const caseSummaries = (run: Pick<CanaryRun, 'cases'>): string[] =>
  run.cases.map(({ kind, deploymentPath, state, reason, steps }) => {
    const stepsIn = (wantedState: string): string =>
      steps
        .filter((step) => step.state === wantedState)
        .map(({ step }) => step)
        .join(' ');
    const failed = steps.find((step) => step.state === 'failed');
    const head = `${kind} ${deploymentPath} ${state}`;
    if (reason !== undefined) return `${head}: ${reason}`;
    if (failed) return `${head}: ${failed.step}: ${failed.cause?.part ?? ''}: ${failed.cause?.message ?? ''}`;
    const unchecked = stepsIn('not-checked');
    return `${head}: ${stepsIn('passed')}${unchecked === '' ? '' : `; not checked: ${unchecked}`}`;
  });
