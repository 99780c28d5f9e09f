import { symlinkSync } from 'node:fs';
import { readKubeconfigLogin } from '../control-plane/kubeconfig-login';
import { Client } from '../control-plane/client';
import { type ConnectionOptions } from '../control-plane/connection';
import { waitFor } from '../control-plane/wait-for';
import { bootMachine, linkName, type Stage } from './boot-machine';
import { applyUserData } from './cloud-init';
import { type Instance } from './cloud-resources';
import { InitSystem } from './init-system';
import { loopFiles } from './loop-devices';
import { type Machine } from './machine';
import { StaticPods } from './static-pods';

/** Timeout in milliseconds for steps that take half a minute on an idle machine. */
const bootstrapTimeout = 300_000;

/** A control plane machine, from boot to termination. */
export class ControlPlaneNode {
  readonly #attached = new Set<string>();
  readonly #clients: Client[] = [];
  #watchesAttachments = true;
  #attachmentWatch: Promise<void> = Promise.resolve();

  private constructor(
    readonly member: string,
    readonly address: string,
    readonly instance: Instance,
    readonly machine: Machine,
    readonly init: InitSystem,
    readonly pods: StaticPods,
    private readonly stage: Stage,
  ) {}

  /** Boots the machine in the group of a control plane node, with the user data of its launch template. */
  static async boot(stage: Stage, member: string, instance: Instance): Promise<ControlPlaneNode> {
    const { resources, planned } = stage;
    const nodePlan = planned.controlPlaneNodes.find(({ plan }) => plan.member === member)?.plan;
    if (!nodePlan) throw new Error(`there is no control plane node ${member}`);
    const machine = await bootMachine(stage, instance, member, nodePlan.subnetBlock);
    const init = await InitSystem.start(machine);
    const node = new ControlPlaneNode(
      member,
      nodePlan.address,
      instance,
      machine,
      init,
      new StaticPods(machine),
      stage,
    );
    await applyUserData(await resources.userDataOf(member), machine);
    node.#attachmentWatch = node.#watchAttachments();
    return node;
  }

  /** Waits until the bootstrap script has succeeded. */
  async bootstrapped(): Promise<void> {
    const service = this.init.service('pinion-control-plane.service');
    await waitFor(`control plane node ${this.member} to bootstrap`, async () => service.hasSucceeded, {
      timeout: bootstrapTimeout,
    }).catch((cause: unknown) => {
      throw new Error(`control plane node ${this.member} did not bootstrap:\n${service.process.tail()}`, { cause });
    });
  }

  /** Runs the static pods, and waits until the kubelet would consider them healthy. */
  async serve(): Promise<void> {
    await this.pods.settle();
    for (const name of this.pods.names) {
      await waitFor(
        `${name} of ${this.member} to be healthy`,
        async () => {
          const { process } = this.pods.running(name);
          if (process.ending) throw new Error(`${name} ${process.ending}\n${process.tail()}`);
          return (await this.pods.probe(name)).every((status) => status === 200);
        },
        { timeout: bootstrapTimeout, interval: 500 },
      );
    }
  }

  /** Registers its node as the kubelet would, with the kubelet's own credentials. */
  async register(): Promise<void> {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: this.instance.hostName } };
    const flags = ['--kubeconfig', '/etc/kubernetes/kubelet.conf', 'apply', '--server-side', '--filename', '-'];
    // kubelet.conf names the node's own address, which the kubelet would use.
    const { code, stderr } = await this.machine.run('kubectl', flags, JSON.stringify(node));
    if (code !== 0) throw new Error(`the node of ${this.member} was not registered: ${stderr}`);
  }

  /** Runs the post-bootstrap unit that its timer would start once the API server is up, and waits until it succeeds. */
  async settle(): Promise<void> {
    this.init.begin('pinion-post-bootstrap.service');
    const service = this.init.service('pinion-post-bootstrap.service');
    await waitFor(`${this.member} to finish its post-bootstrap script`, async () => service.hasSucceeded, {
      timeout: bootstrapTimeout,
    }).catch((cause: unknown) => {
      throw new Error(`${this.member} did not finish its post-bootstrap script:\n${service.process.tail()}`, { cause });
    });
  }

  /** Returns a client for the tests that logs in with a kubeconfig of the machine. */
  async login(file: string): Promise<Client> {
    const client = new Client(await this.#connectionOptions(file));
    this.#clients.push(client);
    return client;
  }

  /** Returns a kubeconfig of the machine, changed to reach this control plane node from outside. */
  async kubeconfig(file: string): Promise<object> {
    const { url, serverName, authority = '', identity } = await this.#connectionOptions(file);
    const data = (pem = ''): string => Buffer.from(pem).toString('base64');
    const cluster = { server: url, 'tls-server-name': serverName, 'certificate-authority-data': data(authority) };
    const user = { 'client-certificate-data': data(identity?.cert), 'client-key-data': data(identity?.key) };
    return {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'control-plane' },
      clusters: [{ name: 'control-plane', cluster }],
      users: [{ name: 'control-plane', user }],
      contexts: [{ name: 'control-plane', context: { cluster: 'control-plane', user: 'control-plane' } }],
    };
  }

  /** Kills the machine, as a power failure does. */
  async kill(): Promise<void> {
    this.#watchesAttachments = false;
    this.init.stop();
    for (const client of this.#clients) client.close();
    await this.#attachmentWatch;
    await this.machine.kill();
    // Volumes must not be mounted elsewhere while the kernel still writes to them.
    await waitFor('the volumes to be released', async () => !loopFiles().some((file) => this.#attached.has(file)));
  }

  async #connectionOptions(file: string): Promise<ConnectionOptions> {
    const port = await this.stage.region.forward(this.address, 6443);
    const { authority, identity } = readKubeconfigLogin(this.machine.path(file));
    return {
      url: `https://localhost:${port}`,
      serverName: this.stage.planned.spec.cluster.endpoint,
      ...(authority !== undefined && { authority }),
      ...(identity !== undefined && { identity }),
    };
  }

  /** Adds devices, as EC2 does when a volume or an interface is attached to a running machine. */
  async #watchAttachments(): Promise<void> {
    const { resources, region } = this.stage;
    while (this.#watchesAttachments) {
      const { interfaces, volumes } = await resources.attachedTo(this.instance.id);
      for (const mac of interfaces.filter((one) => !this.#attached.has(one))) {
        this.#attached.add(mac);
        await region.plug(this.machine.pid, { name: 'eth1', outside: linkName(this.instance.id, 1), mac });
      }
      for (const volume of volumes.filter((one) => !this.#attached.has(one))) {
        this.#attached.add(volume);
        const device = `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volume.replace('-', '')}`;
        symlinkSync(`/run/rehearsal/volumes/${volume}`, this.machine.path(device));
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}
