import { type ApiResponse, expectStatus } from './api-response';
import { type Client } from './client';
import { notReadyNode, simulatedNode } from './pod-behavior';
import { waitFor } from './wait-for';

/** Shape of a simulated node; every field is optional. */
export interface NodeShape {
  /** @default - node-0, node-1, … */
  readonly name?: string;
  /** Added to hostname, zone, region and system labels. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default zone-a */
  readonly zone?: string;
  /** Provider id of the machine. @default - none */
  readonly providerId?: string;
  /** Quantities by resource; merged over 32 cpu, 256Gi memory, 1Ti ephemeral-storage, 110 pods. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

const defaultCapacity = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
const nodesPath = '/api/v1/nodes';

/** Nodes whose kubelets kwok simulates. */
export class SimulatedNodes {
  #createdCount = 0;

  constructor(private readonly client: Client) {}

  /**
   * Adds the given number of nodes, with a shape by index, and waits until pods can be scheduled on them; returns their
   * names.
   */
  async add(count: number, shape: NodeShape | ((index: number) => NodeShape) = {}): Promise<readonly string[]> {
    const begin = this.#createdCount;
    this.#createdCount += count;
    const shapes = Array.from({ length: count }, (_, i) => {
      const nodeShape = typeof shape === 'function' ? shape(begin + i) : shape;
      return { ...nodeShape, name: nodeShape.name ?? `node-${begin + i}` };
    });
    await Promise.all(
      shapes.map(async (nodeShape) =>
        expectStatus(await this.client.request('POST', nodesPath, nodeObject(nodeShape)), [201]),
      ),
    );
    await Promise.all(shapes.map(({ name }) => this.#waitUntilSchedulable(name)));
    return shapes.map(({ name }) => name);
  }

  /** Removes nodes and their pods, which the garbage collector of the control plane would remove a minute later. */
  async remove(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      expectStatus(await this.client.request('DELETE', `${nodesPath}/${name}`), [200]);
      for (const pod of await this.#podsOn(name)) {
        const query = { gracePeriodSeconds: '0' };
        expectStatus(await this.client.request('DELETE', pathOf(pod), undefined, { query }), [200, 404]);
      }
    }
  }

  /** Makes a node unready or ready: its Ready condition, its taints and the Ready condition of its pods follow. */
  async setReady(name: string, isReady: boolean): Promise<void> {
    await this.#annotate(`${nodesPath}/${name}`, { [notReadyNode]: isReady ? null : 'true' });
    if (isReady) await this.#waitUntilSchedulable(name);
    else await waitFor(`node ${name} to be tainted`, async () => (await this.#taints(name)).some(isNotReady));
    // A kubelet reports this itself; the control plane does so only for an unresponsive kubelet.
    for (const pod of await this.#podsOn(name)) if (containersAreReady(pod)) await this.#setPodReady(pod, isReady);
  }

  async #waitUntilSchedulable(name: string): Promise<void> {
    await waitFor(`node ${name} to be schedulable`, async () => !(await this.#taints(name)).some(isNotReady));
  }

  async #taints(name: string): Promise<readonly { readonly key: string }[]> {
    const { body } = expectStatus(await this.client.request('GET', `${nodesPath}/${name}`), [200]);
    return (body as { spec: { taints?: readonly { key: string }[] } }).spec.taints ?? [];
  }

  async #podsOn(name: string): Promise<readonly PodOnNode[]> {
    const query = { fieldSelector: `spec.nodeName=${name}` };
    const { body } = expectStatus(await this.client.request('GET', '/api/v1/pods', undefined, { query }), [200]);
    return (body as { items: readonly PodOnNode[] }).items;
  }

  async #setPodReady(pod: PodOnNode, isReady: boolean): Promise<void> {
    const lastTransitionTime = toSeconds(new Date());
    const body = {
      status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime }] },
    };
    const contentType = 'application/strategic-merge-patch+json';
    expectStatus(await this.client.request('PATCH', `${pathOf(pod)}/status`, body, { contentType }), [200, 404]);
  }

  async #annotate(path: string, annotations: Readonly<Record<string, string | null>>): Promise<ApiResponse> {
    const contentType = 'application/merge-patch+json';
    return expectStatus(
      await this.client.request('PATCH', path, { metadata: { annotations } }, { contentType }),
      [200],
    );
  }
}

interface PodOnNode {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly status: { readonly containerStatuses?: readonly { readonly ready: boolean }[] };
}

const pathOf = ({ metadata }: PodOnNode): string => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;

const containersAreReady = ({ status }: PodOnNode): boolean =>
  status.containerStatuses?.every(({ ready }) => ready) === true;

const toSeconds = (time: Date): string => time.toISOString().replace(/\.\d+/, '');

const isNotReady = ({ key }: { readonly key: string }): boolean => key === 'node.kubernetes.io/not-ready';

function nodeObject(shape: NodeShape & { readonly name: string }): object {
  const { name, labels, annotations, zone = 'zone-a', providerId, capacity, taints } = shape;
  const now = toSeconds(new Date());
  const resources = { ...defaultCapacity, ...capacity };
  const condition = (type: string, status: string, reason: string): object => ({
    type,
    status,
    reason,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/region': 'region',
        'topology.kubernetes.io/zone': zone,
        ...labels,
      },
      annotations: { ...simulatedNode, ...annotations },
    },
    spec: { ...(providerId !== undefined && { providerID: providerId }), ...(taints && { taints }) },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        condition('Ready', 'True', 'KubeletReady'),
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
      ],
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: nodeInfo(name),
    },
  };
}

const nodeInfo = (name: string): object => ({
  machineID: name,
  systemUUID: name,
  bootID: name,
  kernelVersion: 'simulated',
  osImage: 'simulated',
  containerRuntimeVersion: 'simulated://1',
  kubeletVersion: 'v1.36.3',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
});
