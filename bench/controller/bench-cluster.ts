import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Input, type PlatformKind } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { connect, type KubeClient, type LiveObject, loadKubeConfig, resourceOf, type SentObject } from '../../lib/kube';
import { type AuditEvent, type AuditMark } from '../../test/control-plane/audit';
import { clusterPrograms, prepareBinaries } from '../../test/control-plane/binaries';
import { type Cluster } from '../../test/control-plane/cluster';
import { startCluster } from '../../test/control-plane/start-cluster';
import { waitFor } from '../../test/control-plane/wait-for';
import { realClock } from '../../test/kube/real-clock';
import { ControllerProcess } from '../../test/local/controller-process';
import { controllerAccount, installPinion } from '../../test/local/install-pinion';
import { inParallel, progress, sleep } from './progress';
import { projectOf } from './services';

/** User name by which the audit log knows the controller. */
export const controllerUser = `system:serviceaccount:${controllerAccount.namespace}:${controllerAccount.name}`;
/** What a controller's requests have in their user agent, to tell them from others of the same user. */
const controllerAgent = 'pinion-controller';

/** A control plane on which pinion is installed, with clients and controllers to measure. */
export class BenchCluster {
  /** As the administrator, without a limit of its own. */
  readonly admin: KubeClient;
  readonly #controllers: ControllerProcess[] = [];
  #started = 0;
  readonly #clients: KubeClient[] = [];

  private constructor(
    readonly cluster: Cluster,
    /** Kubeconfig with the rights of the controller. */
    readonly controllerKubeconfig: string,
  ) {
    this.admin = this.client(cluster.kubeconfig, 'pinion-bench');
  }

  /** Starts everything but a controller. Throws where the programs of a control plane cannot be had. */
  static async start(
    nodes: number,
    documents: readonly Input<PlatformKind>[] = [defaultPlatform, defaultProfile],
  ): Promise<BenchCluster> {
    progress('starting a control plane');
    const binaries = await prepareBinaries(clusterPrograms, { report: progress });
    if ('skipped' in binaries) throw new Error(`there is no control plane to measure on: ${binaries.skipped}`);
    const cluster = await startCluster({ paths: binaries.paths, nodes });
    try {
      mkdirSync(join(cluster.folder, 'logs'), { recursive: true });
      await installPinion(cluster, documents);
      const { namespace, name } = controllerAccount;
      const token = await cluster.serviceAccountToken(namespace, name, 6 * 3600);
      return new BenchCluster(cluster, cluster.kubeconfigFor({ token }));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** A client that nothing holds back. */
  client(kubeconfig: string, userAgent: string): KubeClient {
    const settings = loadKubeConfig({ environment: {}, file: kubeconfig });
    const rate = { qps: 1e6, burst: 1e6 };
    const client = connect(settings, { clock: realClock, userAgent, rate });
    this.#clients.push(client);
    return client;
  }

  /** Starts the controller as it ships; it leads or waits for the lead when the cluster is mirrored. */
  startController(): ControllerProcess {
    this.#started += 1;
    const controller = ControllerProcess.start({
      kubeconfig: this.controllerKubeconfig,
      folder: this.cluster.folder,
      name: `controller-${this.#started}`,
    });
    this.#controllers.push(controller);
    return controller;
  }

  /** Makes projects, with a controller that goes again. */
  async projects(names: readonly string[]): Promise<void> {
    const controller = this.startController();
    await controller.leads();
    for (const name of names) await this.admin.apply(projectOf(name) as object as SentObject);
    for (const name of names)
      await waitFor(
        `the namespace ${name}`,
        () => this.admin.get(resourceOf('ServiceAccount'), { namespace: name, name: 'default' }),
        { timeout: 120_000 },
      );
    await this.quiet(3);
    await controller.stop();
  }

  /** Stores many documents. */
  async store(documents: readonly Input[], parallel = 16): Promise<void> {
    await inParallel('storing custom resources', documents, parallel, (document) =>
      this.admin.create(document as object as SentObject),
    );
  }

  /** What controllers asked after a mark; watches and the lease left out. */
  controllerRequests(mark: AuditMark): readonly AuditEvent[] {
    return this.cluster.audit
      .since(mark, { user: controllerUser, userAgent: controllerAgent })
      .filter(({ verb, objectRef }) => verb !== 'watch' && objectRef?.resource !== 'leases');
  }

  /** Waits until controllers have asked nothing for some seconds. */
  async quiet(seconds: number, timeout = 1_800_000): Promise<void> {
    const until = Date.now() + timeout;
    for (;;) {
      const mark = this.cluster.audit.mark();
      await sleep(seconds * 1000);
      const requests = this.controllerRequests(mark).length;
      if (requests === 0) return;
      progress(`waiting for the controller to rest: ${Math.round(requests / seconds)} requests/s`);
      if (Date.now() > until) throw new Error('the controller does not come to rest');
    }
  }

  /** How many objects of a kind there are in a namespace, without reading them. */
  async count(kind: string, namespace: string): Promise<number> {
    const { apiVersion, plural } = resourceOf(kind);
    const prefix = apiVersion.includes('/') ? '/apis/' : '/api/';
    const path = `${prefix}${apiVersion}/namespaces/${namespace}/${plural}`;
    const list = (await this.admin.request('GET', path, undefined, { query: { limit: '1' } })) as {
      readonly metadata: { readonly remainingItemCount?: number };
      readonly items: readonly LiveObject[];
    };
    return list.items.length + (list.metadata.remainingItemCount ?? 0);
  }

  /** Stops all controllers. */
  async stopControllers(): Promise<void> {
    for (const controller of this.#controllers.splice(0)) await controller.stop();
  }

  /** Stops all that runs and removes it. */
  async stop(): Promise<void> {
    await this.stopControllers();
    for (const client of this.#clients) client.close();
    await this.cluster.stop();
    progress('');
  }
}

/** Milliseconds since 1970, with a fraction: the audit log knows microseconds. */
export function auditTime(timestamp: string): number {
  const [, whole = timestamp, fraction = '0'] = /^(.*?)(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  return Date.parse(`${whole}Z`) + Number(`0.${fraction}`) * 1000;
}
