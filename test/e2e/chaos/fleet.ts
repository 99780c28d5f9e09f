import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../control-plane/wait-for';
import { type ControllerProcess } from '../../local/controller-process';
import { type PinionCluster } from '../pinion-suite';
import { type SeededRandom } from './seeded-random';
import { FaultProxy, type NetworkState } from './fault-proxy';
import { delay } from './retry-request';

/** Controller process with its own proxy, which adds the process name to the audit log. */
export interface FleetMember {
  readonly name: string;
  readonly process: ControllerProcess;
  readonly proxy: FaultProxy;
  /** Whether a test stops it, so that it is not restarted. */
  expectedToExit: boolean;
}

let started = 0;

/** Controllers of a round, which are restarted like by a kubelet when they exit unexpectedly. */
export class Fleet {
  readonly members: FleetMember[] = [];
  readonly #token: string;
  #network: NetworkState = 'clear';
  #closing = false;
  readonly #restarts = new Set<Promise<unknown>>();

  private constructor(
    private readonly pinion: PinionCluster,
    private readonly random: SeededRandom,
    private readonly flags: readonly string[],
    token: string,
  ) {
    this.#token = token;
  }

  /** Starts one controller and waits until it leads. */
  static async start(pinion: PinionCluster, random: SeededRandom, flags: readonly string[] = []): Promise<Fleet> {
    const token = await pinion.cluster.serviceAccountToken('pinion-controller', 'pinion-controller', 7200);
    const fleet = new Fleet(pinion, random, flags, token);
    await fleet.waitUntilLeading(await fleet.add());
    return fleet;
  }

  /** Controller that was started last. */
  get newest(): FleetMember {
    return this.members.at(-1) as FleetMember;
  }

  /** Sets the network condition at all proxies. */
  set network(network: NetworkState) {
    this.#network = network;
    for (const { proxy } of this.members) proxy.network = network;
  }

  /** Starts another controller. */
  async add(): Promise<FleetMember> {
    const name = `chaos-${(started += 1)}`;
    const { cluster } = this.pinion;
    const authorityFile = join(cluster.folder, 'pki', 'apiserver.crt');
    const proxy = await FaultProxy.open({ url: cluster.url, authorityFile, name, random: this.random.fork(name) });
    proxy.network = this.#network;
    const kubeconfig = join(cluster.folder, `kubeconfig-${name}`);
    writeFileSync(kubeconfig, JSON.stringify(proxyKubeconfig(proxy.url, this.#token)), { mode: 0o600 });
    const process = await this.pinion.startController({ kubeconfig, name, flags: this.flags });
    const member: FleetMember = { name, process, proxy, expectedToExit: false };
    this.members.push(member);
    void process.ended.then(() => this.#ended(member));
    return member;
  }

  /** Kills a controller and starts another. */
  async replace(member: FleetMember): Promise<void> {
    member.expectedToExit = true;
    await member.process.kill();
    await this.add();
  }

  /** Waits until a controller logs a message; returns false if it exited before. */
  async waitUntilLogged(member: FleetMember, message: string, timeout = 120_000): Promise<boolean> {
    let isOver = false;
    void member.process.ended.then(() => (isOver = true));
    return waitFor(
      `${member.name} to log "${message}"`,
      async () =>
        (member.process.lines().some((line) => line.message === message) && 'logged') ||
        (isOver && Promise.resolve('ended')),
      { timeout },
    ).then((end) => end === 'logged');
  }

  async waitUntilLeading(member: FleetMember): Promise<boolean> {
    return this.waitUntilLogged(member, 'leading');
  }

  /** Stops all but the newest controller and clears network faults. */
  async settle(): Promise<void> {
    this.network = 'clear';
    await Promise.all(this.#restarts);
    for (const member of this.members.slice(0, -1)) await this.#stop(member);
  }

  /** Stops all controllers. */
  async stop(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#restarts);
    for (const member of this.members) await this.#stop(member);
    for (const { proxy } of this.members) await proxy.close();
  }

  async #stop(member: FleetMember): Promise<void> {
    member.expectedToExit = true;
    await member.process.stop();
  }

  #ended(member: FleetMember): void {
    if (member.expectedToExit || this.#closing) return;
    const restart = delay(500)
      .then(() => (this.#closing ? undefined : this.add()))
      .finally(() => this.#restarts.delete(restart));
    this.#restarts.add(restart);
  }
}

const proxyKubeconfig = (server: string, token: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'proxy', cluster: { server } }],
  users: [{ name: 'proxy', user: { token } }],
  contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'proxy' } }],
  'current-context': 'proxy',
});
