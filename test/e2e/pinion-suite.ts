import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  apiVersion,
  type Input,
  type PinionKind,
  pinionKinds,
  type PlatformKind,
  type WorkloadKind,
} from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { expectStatus } from '../control-plane/answer';
import { type Cluster } from '../control-plane/cluster';
import { type SendableObject } from '../control-plane/client';
import { type ClusterSuiteOptions, describeCluster } from '../control-plane/cluster-suite';
import { waitFor } from '../control-plane/wait-for';
import { controllerAccount as account, installPinion } from '../local/install-pinion';
import { ControllerProcess, type ControllerProcessOptions } from '../local/controller-process';

/** A document of ours as the API server gives it back. */
export interface LiveDocument extends SendableObject {
  readonly kind: PinionKind;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly phase?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }[];
    readonly cause?: {
      readonly owner: string;
      readonly reason: string;
      readonly message: string;
      readonly object?: string;
    };
    readonly [field: string]: unknown;
  };
}

/** A cluster with pinion installed, whose controller runs as it ships. */
export interface PinionCluster {
  readonly cluster: Cluster;
  readonly controller: ControllerProcess;
  /** Starts another controller, or the same again after it ended. */
  startController(options?: Partial<ControllerProcessOptions>): Promise<ControllerProcess>;
  /** Makes a Project and waits until it is ready; gives its name. */
  project(name: string, spec?: Partial<Input<'Project'>['spec']>): Promise<string>;
  /** Applies a document by server-side apply, as a person would; throws where the API server refuses it. */
  apply(document: Input): Promise<LiveDocument>;
  /** A document as it is; undefined where there is none. */
  read(kind: PinionKind, namespace: string, name: string): Promise<LiveDocument | undefined>;
  /** Waits until the status of a document says something of its newest generation. */
  until(
    kind: PinionKind,
    namespace: string,
    name: string,
    holds: (document: LiveDocument) => boolean,
    timeout?: number,
  ): Promise<LiveDocument>;
  /** Waits until a document is Ready in its newest generation. */
  ready(kind: PinionKind, namespace: string, name: string, timeout?: number): Promise<LiveDocument>;
}

/** Whether the condition of a type is True, for the newest generation. */
export const isTrue = (document: LiveDocument, type: string): boolean =>
  document.status?.observedGeneration === document.metadata.generation &&
  (document.status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** User name by which the audit log knows the controller. */
export const controllerUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** How a suite with pinion starts. */
export interface PinionSuiteOptions extends ClusterSuiteOptions {
  /** Documents of the platform. @default - the built-in Platform and profile */
  readonly documents?: readonly Input<PlatformKind>[];
  readonly controllerFlags?: readonly string[];
  /** Starts no controller; the tests do. @default false */
  readonly withoutController?: boolean;
}

/**
 * A suite with a cluster of its own, pinion installed in it, and its controller running with the rights of the installation.
 * The controller is stopped, and its end looked at, after the last test.
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
    ...rest
  } = options;
  describeCluster(
    title,
    (cluster) => {
      let running: Running | undefined;
      beforeAll(async () => {
        running = new Running(cluster(), controllerFlags);
        await installPinion(cluster(), documents);
        if (!withoutController) await running.startController();
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

class Running implements PinionCluster {
  readonly cluster: Cluster;
  readonly #flags: readonly string[];
  readonly #controllers: ControllerProcess[] = [];
  #kubeconfig: string | undefined;

  constructor(cluster: Cluster, flags: readonly string[]) {
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

  async project(name: string, spec: Partial<Input<'Project'>['spec']> = {}): Promise<string> {
    await this.apply({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: name, ...spec } });
    await this.ready('Project', '', name);
    return name;
  }

  async apply(document: Input): Promise<LiveDocument> {
    const answer = expectStatus(await this.cluster.client.applyForReal(document as SendableObject), [200, 201]);
    return answer.body as LiveDocument;
  }

  async read(kind: PinionKind, namespace: string, name: string): Promise<LiveDocument | undefined> {
    const metadata = { name, ...(pinionKinds[kind].scope === 'Namespaced' && { namespace }) };
    const answer = await this.cluster.client.get({ apiVersion, kind, metadata });
    return answer.status === 200 ? (answer.body as LiveDocument) : undefined;
  }

  async until(
    kind: PinionKind,
    namespace: string,
    name: string,
    holds: (document: LiveDocument) => boolean,
    timeout = 60_000,
  ): Promise<LiveDocument> {
    let last: LiveDocument | undefined;
    try {
      return await waitFor(
        `${kind} ${namespace}/${name}`,
        async () => {
          last = await this.read(kind, namespace, name);
          return last && last.status?.observedGeneration === last.metadata.generation && holds(last) ? last : undefined;
        },
        { timeout, interval: 100 },
      );
    } catch (cause) {
      throw new Error(`${kind} ${namespace}/${name} stays ${JSON.stringify(last?.status, null, 2)}`, { cause });
    }
  }

  ready(kind: PinionKind, namespace: string, name: string, timeout?: number): Promise<LiveDocument> {
    return this.until(kind, namespace, name, (document) => isTrue(document, 'Ready'), timeout);
  }

  async stop(): Promise<void> {
    for (const controller of this.#controllers) await controller.stop();
  }
}

/** A small workload container that may run in a restricted project. */
export const smallTemplate = (annotations: Readonly<Record<string, string>> = {}) => ({
  ...(Object.keys(annotations).length > 0 && { metadata: { annotations } }),
  spec: {
    securityContext: { runAsUser: 65534, runAsGroup: 65534 },
    containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }],
  },
});

/** A workload of a kind by its name and spec. */
export const workloadOf = <K extends WorkloadKind>(
  kind: K,
  namespace: string,
  name: string,
  spec: Input<K>['spec'],
): Input<K> => ({ apiVersion, kind, metadata: { name, namespace }, spec }) as Input<K>;
