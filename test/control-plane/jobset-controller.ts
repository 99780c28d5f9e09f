import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SentObject } from '../../lib/kube';
import { readDocuments } from '../../lib/yaml';
import { expectStatus } from './api-response';
import { prepareBinaries } from './binaries';
import { type SendableObject } from './client';
import { type Cluster } from './cluster';
import { findModule, moduleFolder } from './go-modules';
import { freePorts } from './ports';
import { Guard, ServerProcess } from './server-process';
import { waitFor } from './wait-for';

const account = { namespace: 'jobset-system', name: 'jobset-controller' } as const;
const program = 'jobset';

/** User name of the JobSet controller in the audit log. */
export const jobSetControllerUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** Webhooks of JobSets in the released manifests; those of pods serve exclusive placement only. */
const webhookKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Settings of the installation. */
export interface JobSetControllerOptions {
  /** Whether the API server calls its webhooks, which default and validate JobSets. @default true */
  readonly webhooks?: boolean;
  /** Receives progress of the build, one line at a time. @default - silent */
  readonly report?: (line: string) => void;
}

/** The released JobSet controller, built from its Go module. */
export class JobSetController {
  private constructor(
    private readonly cluster: Cluster,
    private readonly path: string,
    private readonly kubeconfig: string,
    private readonly webhookPort: number,
  ) {}

  /** Builds the controller if necessary, and installs its CRD, RBAC and webhooks. Throws without a suitable Go. */
  static async install(
    cluster: Cluster,
    { webhooks = true, report = () => undefined }: JobSetControllerOptions = {},
  ): Promise<JobSetController> {
    const binaries = await prepareBinaries([program], { report });
    if ('skipped' in binaries) throw new Error(`no JobSet controller to compare with: ${binaries.skipped}`);
    const components = join(sourceFolder(), 'config/components');
    const [definition] = documentsOf(join(components, 'crd/bases/jobset.x-k8s.io_jobsets.yaml'));
    const [role] = documentsOf(join(components, 'rbac/role.yaml'));
    await cluster.client.createCrd(definition as unknown as SendableObject);
    const { namespace, name } = account;
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role?.metadata.name };
    const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name } };
    const [port = 0] = await freePorts(1);
    const hooks = webhooks ? documentsOf(join(components, 'webhook/manifests.yaml')) : [];
    for (const object of [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
      role,
      { ...binding, roleRef, subjects: [{ kind: 'ServiceAccount', name, namespace }] },
      ...hooks.filter(({ kind }) => webhookKinds.includes(kind)).map((hook) => onLoopback(hook, cluster, port)),
    ])
      expectStatus(await cluster.client.apply(object as SendableObject), [200, 201]);
    const token = await cluster.serviceAccountToken(namespace, name, 6 * 3600);
    return new JobSetController(cluster, binaries.paths[program], cluster.kubeconfigFor({ token }), port);
  }

  /** Starts it and waits until it is ready; the returned function stops it. */
  async start(): Promise<() => Promise<void>> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-jobset-'));
    const guard = new Guard(folder);
    const log = join(folder, 'log');
    const server = ServerProcess.start(program, this.path, this.#arguments(folder), log, guard);
    const stop = async () => {
      await server.stop();
      await guard.dismiss();
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      await waitFor(
        'the JobSet controller to be ready',
        () => {
          if (server.ending !== undefined) throw new Error(`the JobSet controller ${server.ending}\n${server.tail()}`);
          return Promise.resolve(/Starting workers.*"controller": "jobset"/.test(readFileSync(log, 'utf8')));
        },
        { timeout: 120_000 },
      );
      return stop;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  #arguments(folder: string): readonly string[] {
    const certDir = join(folder, 'certificates');
    mkdirSync(certDir, { mode: 0o700 });
    // The certificate of the API server is for loopback too.
    for (const [from, to] of [
      ['apiserver.crt', 'tls.crt'],
      ['apiserver.key', 'tls.key'],
    ] as const)
      copyFileSync(join(this.cluster.folder, 'pki', from), join(certDir, to));
    const config = join(folder, 'config.yaml');
    writeFileSync(
      config,
      JSON.stringify({
        apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
        kind: 'Configuration',
        webhook: { host: '127.0.0.1', port: this.webhookPort, certDir },
        internalCertManagement: { enable: false },
      }),
    );
    return [
      `--config=${config}`,
      `--kubeconfig=${this.kubeconfig}`,
      '--leader-elect=false',
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      // The request rate of pinion's controller.
      '--kube-api-qps=2000',
      '--kube-api-burst=4000',
    ];
  }
}

interface Webhook {
  readonly name: string;
  readonly clientConfig: { readonly service: { readonly path: string } };
}

/** Returns the webhooks of JobSets with the address of the local process. */
function onLoopback(configuration: SentObject, cluster: Cluster, port: number): object {
  const { webhooks } = configuration as unknown as { readonly webhooks: readonly Webhook[] };
  const caBundle = readFileSync(join(cluster.folder, 'pki', 'apiserver.crt')).toString('base64');
  return {
    ...configuration,
    metadata: { name: `jobset-${configuration.metadata.name}` },
    webhooks: webhooks
      .filter(({ name }) => name.includes('jobset'))
      .map(({ clientConfig, ...webhook }) => ({
        ...webhook,
        clientConfig: { url: `https://127.0.0.1:${port}${clientConfig.service.path}`, caBundle },
      })),
  };
}

/** Returns the folder in which Go keeps the source of the release. */
function sourceFolder(): string {
  const module = findModule(program);
  const arguments_ = ['mod', 'download', '-json', module.pins];
  const output = execFileSync('go', arguments_, { cwd: moduleFolder(module), encoding: 'utf8' });
  return (JSON.parse(output) as { readonly Dir: string }).Dir;
}

function documentsOf(file: string): readonly SentObject[] {
  const { documents, problems } = readDocuments(readFileSync(file, 'utf8'), file);
  if (problems.length > 0) throw new Error(`${file}: ${problems.map(({ reason }) => reason).join('; ')}`);
  return documents.map(({ value }) => value as SentObject);
}
