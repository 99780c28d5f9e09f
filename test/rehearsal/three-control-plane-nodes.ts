import { expectStatus } from '../control-plane/api-response';
import { type Client } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { type ControlPlaneNode } from './control-plane-node';
import { type Rehearsal } from './rehearsal';

/** Names of the planned control plane nodes. */
export const names = ['a', 'b', 'c'] as const;

/** Timeout in milliseconds for steps that take a minute on an idle machine. */
export const waitOptions = { timeout: 600_000, interval: 500 };

/** An etcd member, as etcd lists it. */
export interface EtcdMember {
  readonly name: string;
  readonly id: string;
  readonly learns: boolean;
}

/** Operations on three control plane nodes. */
export class ThreeControlPlaneNodes {
  constructor(private readonly rehearsal: Rehearsal) {}

  /** Bootstraps all three; none of them could come up alone. */
  async create(): Promise<void> {
    await Promise.all(names.map((name) => this.rehearsal.boot(name)));
    await Promise.all(names.map((name) => this.finish(this.rehearsal.controlPlaneNode(name))));
  }

  /** Waits until a control plane node has bootstrapped and joined the cluster. */
  async finish(node: ControlPlaneNode): Promise<void> {
    await node.bootstrapped();
    await node.serve();
    await node.register();
    await node.settle();
  }

  node(name: string): ControlPlaneNode {
    return this.rehearsal.controlPlaneNode(name);
  }

  /** Lists the members of an etcd cluster, by name, as one member sees them. */
  async members(by: string, database: string): Promise<readonly EtcdMember[]> {
    const text = await this.etcd(by, database, 'member', 'list');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => line.split(', '));
    return lines
      .map(([id = '', , name = '', , , learns]) => ({ name, id, learns: learns === 'true' }))
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  etcd(by: string, database: string, ...words: readonly string[]): Promise<string> {
    return this.node(by).machine.runOrThrow('/opt/pinion/bin/etcdctl-of', database, ...words);
  }

  /** Runs a recovery command on a control plane node. */
  recover(node: string, ...words: readonly string[]): Promise<string> {
    return this.node(node).machine.runOrThrow('/opt/pinion/bin/etcd-recover', ...words);
  }

  /** Waits until an etcd member crash-loops because its data is missing. */
  refused(node: string, database: string): Promise<boolean> {
    const unit = `etcd-${database}.service`;
    return waitFor(
      `${unit} of ${node} to be rejected`,
      async () => this.node(node).init.has(unit) && this.node(node).init.service(unit).starts > 1,
      waitOptions,
    );
  }
}

/** Applies a ConfigMap; returns its resource version. */
export async function write(client: Client, name: string, value: string): Promise<bigint> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { value } };
  const { body } = expectStatus(await client.apply(map), [200, 201]);
  return BigInt((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
}

/** Returns the value of a ConfigMap; undefined if it does not exist. */
export async function read(client: Client, name: string): Promise<string | undefined> {
  const response = await client.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
  expectStatus(response, [200, 404]);
  return response.status === 404 ? undefined : (response.body as { data: { value: string } }).data.value;
}
