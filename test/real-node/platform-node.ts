import { metadataKeys } from '../../lib/api';
import { waitFor } from '../control-plane/wait-for';
import { controllerAccount, installWithPods } from '../local/install-pinion';
import { CustomResources } from '../local/custom-resources';
import { reasonWithoutZookeeper, ZookeeperServer } from '../zookeeper/zookeeper-server';
import { imageNames } from './node-images';
import { type RealNode } from './real-node';
import { testPlatform, testProfile } from './test-profile';

/** Fields of a pod that the tests read. */
export interface LivePod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly initContainers?: readonly { readonly name: string; readonly restartPolicy?: string }[] };
  readonly status: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount: number;
  readonly state: {
    readonly running?: { readonly startedAt: string };
    readonly terminated?: { readonly exitCode: number; readonly startedAt: string; readonly finishedAt: string };
  };
}

/** A real node with the pinion controller in a pod, and the test profile active. */
export class PlatformNode extends CustomResources {
  constructor(
    readonly node: RealNode,
    /** ZooKeeper server; without it traffic registration is off. */
    readonly zookeeper: ZookeeperServer | undefined,
  ) {
    super(node.client);
  }

  /** Lists the pods of a workload, or of other labels, by name. */
  async pods(
    namespace: string,
    workload: string,
    selector = `${metadataKeys.workload}=${workload}`,
  ): Promise<LivePod[]> {
    const query = `labelSelector=${encodeURIComponent(selector)}`;
    const { body } = await this.node.client.request('GET', `/api/v1/namespaces/${namespace}/pods?${query}`);
    const { items } = body as { readonly items: readonly LivePod[] };
    return [...items].sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  }

  /** Returns the pod of the controller. */
  async controllerPod(): Promise<LivePod> {
    const { namespace, name } = controllerAccount;
    return waitFor(
      'a ready controller',
      async () => {
        const found = await this.pods(namespace, '', `app.kubernetes.io/name=${name}`);
        return found.find(({ status }) =>
          status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
        );
      },
      { timeout: 120_000 },
    );
  }

  /** Returns the environment variables of a container, parsed from the output of `env`. */
  async variables(namespace: string, pod: string): Promise<Readonly<Record<string, string>>> {
    const lines = (await this.node.logs(namespace, pod, 'app')).split('\n');
    return Object.fromEntries(
      lines.flatMap((line) => {
        const [, name, value] = /^([A-Z_0-9]+)=(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value ?? '']];
      }),
    );
  }
}

/** Installs pinion on a node, with an image of the controller's bundle. */
export async function startPlatform(node: RealNode): Promise<PlatformNode> {
  const zookeeper = reasonWithoutZookeeper()
    ? undefined
    : await ZookeeperServer.start({
        inside: {
          address: node.address,
          port: 2181,
          command: node.command,
          forward: (port) => node.forward(port),
        },
      });
  const platform = new PlatformNode(node, zookeeper);
  try {
    const documents = [testProfile, testPlatform(zookeeper?.ensemble)];
    // The API server is a process of the node.
    const profilesFrom = [`${node.address}/32`];
    await installWithPods(node, { image: imageNames.controller, replicas: 1, profilesFrom, documents });
    await platform.controllerPod();
    return platform;
  } catch (error) {
    await zookeeper?.stop();
    throw error;
  }
}
