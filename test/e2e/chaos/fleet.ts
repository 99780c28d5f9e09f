import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../control-plane/wait-for';
import { type ControllerProcess } from '../../local/controller-process';
import { type PinionCluster } from '../pinion-suite';
import { type Chance } from './chance';
import { Gate, type Weather } from './gate';
import { passed } from './persist';

/** One controller process behind a gate of its own, whose name the audit log shows. */
export interface FleetMember {
  readonly name: string;
  readonly process: ControllerProcess;
  readonly gate: Gate;
  /** A test ended it, or is about to: nobody starts it anew. */
  meantToEnd: boolean;
}

let started = 0;

/** The controllers of a round: one that ends by itself is started anew, as a kubelet does. */
export class Fleet {
  readonly members: FleetMember[] = [];
  readonly #token: string;
  #weather: Weather = 'clear';
  #closing = false;
  readonly #restarts = new Set<Promise<unknown>>();

  private constructor(
    private readonly pinion: PinionCluster,
    private readonly chance: Chance,
    private readonly flags: readonly string[],
    token: string,
  ) {
    this.#token = token;
  }

  /** Starts one controller and waits until it leads. */
  static async start(pinion: PinionCluster, chance: Chance, flags: readonly string[] = []): Promise<Fleet> {
    const token = await pinion.cluster.serviceAccountToken('pinion-controller', 'pinion-controller', 7200);
    const fleet = new Fleet(pinion, chance, flags, token);
    await fleet.untilLeading(await fleet.add());
    return fleet;
  }

  /** The one that was started last. */
  get newest(): FleetMember {
    return this.members.at(-1) as FleetMember;
  }

  /** Changes the weather at all gates. */
  set weather(weather: Weather) {
    this.#weather = weather;
    for (const { gate } of this.members) gate.weather = weather;
  }

  /** Starts one more. */
  async add(): Promise<FleetMember> {
    const name = `chaos-${(started += 1)}`;
    const { cluster } = this.pinion;
    const authorityFile = join(cluster.folder, 'pki', 'apiserver.crt');
    const gate = await Gate.open({ url: cluster.url, authorityFile, name, chance: this.chance.apart(name) });
    gate.weather = this.#weather;
    const kubeconfig = join(cluster.folder, `kubeconfig-${name}`);
    writeFileSync(kubeconfig, JSON.stringify(login(gate.url, this.#token)), { mode: 0o600 });
    const process = await this.pinion.startController({ kubeconfig, name, flags: this.flags });
    const member: FleetMember = { name, process, gate, meantToEnd: false };
    this.members.push(member);
    void process.ended.then(() => this.#ended(member));
    return member;
  }

  /** Ends one as a machine that dies does, and starts another. */
  async replace(member: FleetMember): Promise<void> {
    member.meantToEnd = true;
    await member.process.kill();
    await this.add();
  }

  /** Waits until one says something in its log; false where it ended before. */
  async untilSays(member: FleetMember, message: string, timeout = 120_000): Promise<boolean> {
    let isOver = false;
    void member.process.ended.then(() => (isOver = true));
    return waitFor(
      `${member.name} to say "${message}"`,
      async () =>
        (member.process.lines().some((line) => line.message === message) && 'said') ||
        (isOver && Promise.resolve('ended')),
      { timeout },
    ).then((end) => end === 'said');
  }

  async untilLeading(member: FleetMember): Promise<boolean> {
    return this.untilSays(member, 'leading');
  }

  /** Ends all but the newest in an orderly way, and lets the weather clear up. */
  async settle(): Promise<void> {
    this.weather = 'clear';
    await Promise.all(this.#restarts);
    for (const member of this.members.slice(0, -1)) await this.#end(member);
  }

  /** Ends all. */
  async stop(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#restarts);
    for (const member of this.members) await this.#end(member);
    for (const { gate } of this.members) await gate.close();
  }

  async #end(member: FleetMember): Promise<void> {
    member.meantToEnd = true;
    await member.process.stop();
  }

  #ended(member: FleetMember): void {
    if (member.meantToEnd || this.#closing) return;
    const restart = passed(500)
      .then(() => (this.#closing ? undefined : this.add()))
      .finally(() => this.#restarts.delete(restart));
    this.#restarts.add(restart);
  }
}

const login = (server: string, token: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'gate', cluster: { server } }],
  users: [{ name: 'gate', user: { token } }],
  contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate' } }],
  'current-context': 'gate',
});
