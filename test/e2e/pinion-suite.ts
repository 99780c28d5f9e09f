import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersion, type ManifestInput, type PlatformKind, type WorkloadKind } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';
import { type ClusterSuiteOptions, describeCluster } from '../control-plane/cluster-suite';
import { controllerAccount as account, installPinion, platformControllerAccount } from '../local/install-pinion';
import { isTrue, type LiveCustomResource, CustomResources } from '../local/custom-resources';
import { ControllerProcess, type ControllerProcessOptions } from '../local/controller-process';

export { isTrue, type LiveCustomResource };

/** Cluster with pinion installed and its packaged controller running. */
export interface PinionCluster extends CustomResources {
  readonly cluster: Cluster;
  readonly controller: ControllerProcess;
  /** Starts another controller, or restarts one that ended. */
  startController(options?: Partial<ControllerProcessOptions>): Promise<ControllerProcess>;
  /** Kills the controller and starts its successor, which does not have to wait for the old lease to expire. */
  replaceController(): Promise<ControllerProcess>;
}

/** User name of the controller in the audit log. */
export const controllerUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** Options of a suite with pinion. */
export interface PinionSuiteOptions extends ClusterSuiteOptions {
  /** Platform manifests. @default - the built-in Platform and profile */
  readonly documents?: readonly ManifestInput<PlatformKind>[];
  readonly controllerFlags?: readonly string[];
  /** Whether two controllers run, one of workloads and one of Projects and the Platform. @default false */
  readonly twoControllers?: boolean;
  /** Whether to start no controller, because the tests do. @default false */
  readonly withoutController?: boolean;
}

/**
 * Defines a suite with its own cluster, pinion installed in it, and a controller with the RBAC permissions of the installation.
 * The controller is stopped, and its exit checked, after the last test.
 */
export function describePinion(
  title: string,
  define: (pinion: () => PinionCluster) => void,
  options: PinionSuiteOptions = {},
): void {
  const {
    documents = [defaultPlatform, defaultProfile],
    controllerFlags = [],
    withoutController = false,
    twoControllers = false,
    ...rest
  } = options;
  describeCluster(
    title,
    (cluster) => {
      let running: Running | undefined;
      beforeAll(async () => {
        running = new Running(cluster(), controllerFlags);
        await installPinion(cluster(), documents, !twoControllers);
        if (twoControllers) await running.startPlatformController();
        if (!withoutController) await running.startController(twoControllers ? { flags: ['--scope=workloads'] } : {});
      }, 120_000);
      afterAll(async () => {
        await running?.stop();
      }, 60_000);
      define(() => {
        if (!running) throw new Error('pinion runs only while the tests of its suite run');
        return running;
      });
    },
    rest,
  );
}

class Running extends CustomResources implements PinionCluster {
  readonly cluster: Cluster;
  readonly #flags: readonly string[];
  readonly #controllers: ControllerProcess[] = [];
  #kubeconfig: string | undefined;

  constructor(cluster: Cluster, flags: readonly string[]) {
    super(cluster.client);
    this.cluster = cluster;
    this.#flags = flags;
  }

  get controller(): ControllerProcess {
    const last = this.#controllers.at(-1);
    if (!last) throw new Error('no controller was started');
    return last;
  }

  async startController(options: Partial<ControllerProcessOptions> = {}): Promise<ControllerProcess> {
    const kubeconfig = (this.#kubeconfig ??= this.cluster.kubeconfigFor({
      token: await this.cluster.serviceAccountToken(account.namespace, account.name),
    }));
    mkdirSync(join(this.cluster.folder, 'logs'), { recursive: true });
    const { flags = [], ...others } = options;
    const controller = ControllerProcess.start({
      kubeconfig,
      folder: this.cluster.folder,
      name: `controller-${this.#controllers.length}`,
      ...others,
      flags: [...this.#flags, ...flags],
    });
    this.#controllers.push(controller);
    if (options.name === undefined) await controller.leads();
    return controller;
  }

  /** Starts the controller of Projects and the Platform with an identity of its own. */
  async startPlatformController(): Promise<void> {
    const { namespace, name } = platformControllerAccount;
    mkdirSync(join(this.cluster.folder, 'logs'), { recursive: true });
    const controller = ControllerProcess.start({
      kubeconfig: this.cluster.kubeconfigFor({ token: await this.cluster.serviceAccountToken(namespace, name) }),
      folder: this.cluster.folder,
      name: 'platform-controller',
      flags: ['--scope=platform'],
    });
    this.#controllers.push(controller);
    await controller.leads();
  }

  async replaceController(): Promise<ControllerProcess> {
    await this.controller.kill();
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${account.namespace}/leases/${account.name}`;
    expectStatus(await this.cluster.client.request('DELETE', lease), [200]);
    return this.startController();
  }

  async stop(): Promise<void> {
    for (const controller of this.#controllers) await controller.stop();
  }
}

/** Returns a small pod template that the restricted Pod Security level allows. */
export const smallTemplate = (annotations: Readonly<Record<string, string>> = {}) => ({
  ...(Object.keys(annotations).length > 0 && { metadata: { annotations } }),
  spec: {
    securityContext: { runAsUser: 65534, runAsGroup: 65534 },
    containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }],
  },
});

/** Returns a workload of a kind with a name and spec. */
export const workloadOf = <K extends WorkloadKind>(
  kind: K,
  namespace: string,
  name: string,
  spec: ManifestInput<K>['spec'],
): ManifestInput<K> => ({ apiVersion, kind, metadata: { name, namespace }, spec }) as ManifestInput<K>;
