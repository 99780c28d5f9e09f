import { type AwsMachines } from '../../lib/cloud';
import { type LiveObject } from '../../lib/kube';
import { type Machine, treatmentOf } from '../../lib/operations';
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';

/** Milliseconds between two polls of the cloud. */
const pause = 200;

/**
 * Machines of an emulated cloud as nodes of a simulated cluster: a machine in service becomes a node, and the node of a
 * removed machine is deleted. Replaces the kubelet and the cloud controller manager.
 */
export class SimulatedMachines {
  /** Pods that were still on a machine when it ended, except daemon pods. */
  readonly lostPods: string[] = [];
  private readonly nodes = new Map<string, string>();
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly machines: AwsMachines,
  ) {}

  /** Creates nodes for all current machines, and follows the cloud from then on. */
  async start(): Promise<void> {
    await this.sync();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      await this.sync();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async sync(): Promise<void> {
    const current = (await this.machines.groups()).flatMap(({ machines }) => machines);
    const inService = current.filter(({ state }) => state === 'in-service');
    const newMachines = inService.filter(({ id }) => !this.nodes.has(id));
    if (newMachines.length > 0) await this.addNodes(newMachines);
    const present = new Set(inService.map(({ id }) => id));
    for (const [id, name] of [...this.nodes]) if (!present.has(id)) await this.removeNode(id, name);
  }

  private async addNodes(newMachines: readonly Machine[]): Promise<void> {
    let index = 0;
    const names = await this.cluster.nodes.add(newMachines.length, () => {
      const { id, zone } = newMachines[index++] as Machine;
      return { name: `node-${id}`, zone, providerId: `aws:///${zone}/${id}` };
    });
    newMachines.forEach(({ id }, index) => this.nodes.set(id, names[index] ?? ''));
  }

  private async removeNode(id: string, name: string): Promise<void> {
    this.nodes.delete(id);
    const query = { fieldSelector: `spec.nodeName=${name},status.phase=Running` };
    const { body } = expectStatus(
      await this.cluster.client.request('GET', '/api/v1/pods', undefined, { query }),
      [200],
    );
    const { items } = body as { items: readonly LiveObject[] };
    const lostPods = items.filter((pod) => treatmentOf(pod) === 'evicted');
    this.lostPods.push(...lostPods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
    await this.cluster.nodes.remove(name);
  }
}
