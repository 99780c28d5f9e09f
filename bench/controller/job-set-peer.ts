import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SentObject } from '../../lib/kube';
import { readDocuments } from '../../lib/yaml';
import { prepareBinaries } from '../../test/control-plane/binaries';
import { type SendableObject } from '../../test/control-plane/client';
import { type Cluster } from '../../test/control-plane/cluster';
import { freePorts } from '../../test/control-plane/ports';
import { Guard, ServerProcess } from '../../test/control-plane/server-process';
import { waitFor } from '../../test/control-plane/wait-for';
import { type BenchCluster } from './bench-cluster';
import { progress } from './progress';

const account = { namespace: 'jobset-system', name: 'jobset-controller' } as const;
const moduleName = 'sigs.k8s.io/jobset';
const moduleFolder = join(__dirname, '..', '..', 'test', 'control-plane', 'jobset');

/** User name of the JobSet controller in the audit log. */
export const peerUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** The released JobSet controller without webhooks: the objects contain their defaults. */
export class JobSetPeer {
  private constructor(
    private readonly cluster: Cluster,
    private readonly program: string,
    private readonly kubeconfig: string,
  ) {}

  /** Builds the controller if necessary, and installs its CRD and its RBAC. */
  static async install({ cluster, admin }: BenchCluster): Promise<JobSetPeer> {
    const binaries = await prepareBinaries(['jobset'], { report: progress });
    if ('skipped' in binaries) throw new Error(`no JobSet controller to compare with: ${binaries.skipped}`);
    const source = sourceFolder();
    const [definition] = documentsOf(join(source, 'config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml'));
    const [role] = documentsOf(join(source, 'config/components/rbac/role.yaml'));
    await cluster.client.createCrd(definition as unknown as SendableObject);
    const { namespace, name } = account;
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role?.metadata.name };
    const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name } };
    for (const object of [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
      role,
      { ...binding, roleRef, subjects: [{ kind: 'ServiceAccount', name, namespace }] },
    ])
      await admin.apply(object as SentObject);
    const token = await cluster.serviceAccountToken(namespace, name, 6 * 3600);
    return new JobSetPeer(cluster, binaries.paths.jobset, cluster.kubeconfigFor({ token }));
  }

  /** Starts it and waits until it is ready; the returned function stops it. */
  async start(): Promise<() => Promise<void>> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-jobset-'));
    const guard = new Guard(folder);
    const log = join(folder, 'log');
    const jobset = ServerProcess.start('jobset', this.program, await this.#arguments(folder), log, guard);
    const stop = async () => {
      await jobset.stop();
      await guard.dismiss();
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      await waitFor(
        'the JobSet controller to be ready',
        () => {
          if (jobset.ending !== undefined) throw new Error(`the JobSet controller ${jobset.ending}\n${jobset.tail()}`);
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

  async #arguments(folder: string): Promise<readonly string[]> {
    const certDir = join(folder, 'certificates');
    mkdirSync(certDir, { mode: 0o700 });
    // Its webhook server needs a certificate to start but is never called; the API server's certificate suffices.
    for (const [from, to] of [
      ['apiserver.crt', 'tls.crt'],
      ['apiserver.key', 'tls.key'],
    ] as const)
      copyFileSync(join(this.cluster.folder, 'pki', from), join(certDir, to));
    const [port] = await freePorts(1);
    const config = join(folder, 'config.yaml');
    writeFileSync(
      config,
      JSON.stringify({
        apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
        kind: 'Configuration',
        webhook: { host: '127.0.0.1', port, certDir },
        internalCertManagement: { enable: false },
      }),
    );
    return [
      `--config=${config}`,
      `--kubeconfig=${this.kubeconfig}`,
      '--leader-elect=false',
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      // The request rate of the other controller.
      '--kube-api-qps=2000',
      '--kube-api-burst=4000',
    ];
  }
}

/** Returns the folder in which Go keeps the source of the release. */
function sourceFolder(): string {
  const output = execFileSync('go', ['mod', 'download', '-json', moduleName], { cwd: moduleFolder, encoding: 'utf8' });
  return (JSON.parse(output) as { readonly Dir: string }).Dir;
}

function documentsOf(file: string): readonly SentObject[] {
  const { documents, problems } = readDocuments(readFileSync(file, 'utf8'), file);
  if (problems.length > 0) throw new Error(`${file}: ${problems.map(({ reason }) => reason).join('; ')}`);
  return documents.map(({ value }) => value as SentObject);
}
