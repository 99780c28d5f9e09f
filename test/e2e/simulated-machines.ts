import { type AwsMachines } from '../../lib/cloud';
import { type LiveObject } from '../../lib/kube';
import { type Machine, treatmentOf } from '../../lib/operations';
import { expectStatus } from '../control-plane/answer';
import { type Cluster } from '../control-plane/cluster';

/** Milliseconds between two looks at the cloud. */
const pause = 200;

/**
 * Machines of an emulated cloud as nodes of a simulated cluster: one that is in service becomes a node, and the node of
 * one that is gone is removed. It stands in for the kubelet and for the cloud controller manager.
 */
export class SimulatedMachines {
  /** Pods that were still on a machine when it ended, daemons apart. */
  readonly lost: string[] = [];
  private readonly nodes = new Map<string, string>();
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly machines: AwsMachines,
  ) {}

  /** Makes nodes of all machines that there are now, and follows the cloud from then on. */
  async start(): Promise<void> {
    await this.follow();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      await this.follow();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async follow(): Promise<void> {
    const here = (await this.machines.groups()).flatMap(({ machines }) => machines);
    const inService = here.filter(({ state }) => state === 'in-service');
    const fresh = inService.filter(({ id }) => !this.nodes.has(id));
    if (fresh.length > 0) await this.join(fresh);
    const present = new Set(inService.map(({ id }) => id));
    for (const [id, name] of [...this.nodes]) if (!present.has(id)) await this.leave(id, name);
  }

  private async join(fresh: readonly Machine[]): Promise<void> {
    let index = 0;
    const names = await this.cluster.nodes.add(fresh.length, () => {
      const { id, zone } = fresh[index++] as Machine;
      return { name: `node-${id}`, zone, providerId: `aws:///${zone}/${id}` };
    });
    fresh.forEach(({ id }, place) => this.nodes.set(id, names[place] ?? ''));
  }

  private async leave(id: string, name: string): Promise<void> {
    this.nodes.delete(id);
    const query = { fieldSelector: `spec.nodeName=${name},status.phase=Running` };
    const { body } = expectStatus(
      await this.cluster.client.request('GET', '/api/v1/pods', undefined, { query }),
      [200],
    );
    const { items } = body as { items: readonly LiveObject[] };
    const moved = items.filter((pod) => treatmentOf(pod) === 'evicted');
    this.lost.push(...moved.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
    await this.cluster.nodes.remove(name);
  }
}
