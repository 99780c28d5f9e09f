import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput, type PlatformKind } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import {
  collectionPath,
  connect,
  type KubeClient,
  type LiveObject,
  loadKubeConfig,
  resourceOf,
  type SentObject,
} from '../../lib/kube';
import { type AuditEvent, type AuditMark } from '../../test/control-plane/audit';
import { clusterPrograms, prepareBinaries } from '../../test/control-plane/binaries';
import { type Cluster } from '../../test/control-plane/cluster';
import { startCluster } from '../../test/control-plane/start-cluster';
import { waitFor } from '../../test/control-plane/wait-for';
import { realClock } from '../../test/kube/real-clock';
import { ControllerProcess } from '../../test/local/controller-process';
import { controllerAccount, installPinion } from '../../test/local/install-pinion';
import { inParallel } from './in-parallel';
import { progress } from './progress';
import { projectOf } from './services';
import { sleep } from './sleep';

/** User name of the controller in the audit log. */
export const controllerUser = `system:serviceaccount:${controllerAccount.namespace}:${controllerAccount.name}`;

/** Filter of requests. */
export interface RequestFilter {
  readonly user: string;
  /** Substring of the user agent. @default - any */
  readonly userAgent?: string;
}

/** Filter of the pinion controllers, whose user other clients share. */
const controllerRequestFilter: RequestFilter = { user: controllerUser, userAgent: 'pinion-controller' };

/** A control plane with pinion installed, and clients and controllers for benchmarks. */
export class BenchCluster {
  /** Administrator without client-side rate limits. */
  readonly admin: KubeClient;
  readonly #controllers: ControllerProcess[] = [];
  #started = 0;
  readonly #clients: KubeClient[] = [];

  private constructor(
    readonly cluster: Cluster,
    /** Kubeconfig with the RBAC permissions of the controller. */
    readonly controllerKubeconfig: string,
  ) {
    this.admin = this.client(cluster.kubeconfig, 'pinion-bench');
  }

  /** Starts everything except a controller. Throws if the control plane binaries are unavailable. */
  static async start(
    nodes: number,
    documents: readonly ManifestInput<PlatformKind>[] = [defaultPlatform, defaultProfile],
  ): Promise<BenchCluster> {
    progress('starting a control plane');
    const binaries = await prepareBinaries(clusterPrograms, { report: progress });
    if ('skipped' in binaries) throw new Error(`no control plane for the benchmark: ${binaries.skipped}`);
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

  /** Returns a client without rate limits. */
  client(kubeconfig: string, userAgent: string): KubeClient {
    const settings = loadKubeConfig({ environment: {}, file: kubeconfig });
    const rate = { qps: 1e6, burst: 1e6 };
    const client = connect(settings, { clock: realClock, userAgent, rate });
    this.#clients.push(client);
    return client;
  }

  /** Starts the packaged controller, which leads or waits for the lease once its caches are synced. */
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

  /** Creates projects, with a temporary controller. */
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

  /** Creates many custom resources. */
  async store(documents: readonly ManifestInput[], parallel = 16): Promise<void> {
    await inParallel('creating custom resources', documents, parallel, (document) =>
      this.admin.create(document as object as SentObject),
    );
  }

  /** Lists the requests of controllers after a mark, without watches and leases. */
  controllerRequests(mark: AuditMark, filter = controllerRequestFilter): readonly AuditEvent[] {
    return this.cluster.audit
      .since(mark, filter)
      .filter(({ verb, objectRef }) => verb !== 'watch' && objectRef?.resource !== 'leases');
  }

  /** Waits until controllers are idle for some seconds; throws after half an hour. */
  async quiet(seconds: number, filter = controllerRequestFilter): Promise<void> {
    const until = Date.now() + 1_800_000;
    for (;;) {
      const mark = this.cluster.audit.mark();
      await sleep(seconds * 1000);
      const requests = this.controllerRequests(mark, filter).length;
      if (requests === 0) return;
      progress(`waiting for the controller to become idle: ${Math.round(requests / seconds)} requests/s`);
      if (Date.now() > until) throw new Error('the controller does not become idle');
    }
  }

  /** Counts the objects of a kind in a namespace without reading them. */
  async count(kind: string, namespace: string): Promise<number> {
    const path = collectionPath(resourceOf(kind), namespace);
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

  /** Stops all processes and removes the folder. */
  async stop(): Promise<void> {
    await this.stopControllers();
    for (const client of this.#clients) client.close();
    await this.cluster.stop();
    progress('');
  }
}
