import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guard } from '../control-plane/server-process';
import { CloudResources } from './cloud-resources';
import { routerOf, type Stage } from './boot-machine';
import { ControlPlaneNode } from './control-plane-node';
import { plannedCluster } from './planned-cluster';
import { Region } from './region';
import { type ProgramPaths, type RehearsedVersion } from './tools';
import { Worker } from './worker';

/** Options of a rehearsal. */
export interface RehearsalOptions {
  readonly paths: ProgramPaths;
  /** @default '1.36' */
  readonly kubernetes?: RehearsedVersion;
  /** Whether to plan a single control plane node that comes up without the others. @default false */
  readonly alone?: boolean;
}

/** Control plane nodes of a planned cluster, on machines of an emulated AWS. */
export class Rehearsal {
  readonly #controlPlaneNodes = new Map<string, ControlPlaneNode>();
  readonly #workers: Worker[] = [];

  private constructor(
    readonly stage: Stage,
    private readonly guard: Guard,
  ) {}

  /** Creates the resources around control plane nodes; none runs yet. */
  static async start({ paths, kubernetes = '1.36', alone = false }: RehearsalOptions): Promise<Rehearsal> {
    const planned = plannedCluster(kubernetes, alone);
    const folder = mkdtempSync(join(tmpdir(), 'pinion-rehearsal-'));
    const guard = new Guard(folder);
    try {
      const blocks = [...planned.spec.members.map(({ subnet }) => subnet), planned.workerSubnet];
      const subnets = blocks.map((subnet) => {
        const [block = '', prefix = ''] = subnet.split('/');
        return { router: routerOf(block), prefix: Number(prefix) };
      });
      const region = await Region.start(folder, planned.spec.cluster.region, subnets, guard);
      const volumes = join(folder, 'volumes');
      mkdirSync(volumes);
      const resources = new CloudResources(region, planned, volumes);
      await resources.create();
      return new Rehearsal({ folder, region, resources, planned, paths, guard }, guard);
    } catch (cause) {
      guard.abandon();
      throw new Error('the region did not start', { cause });
    }
  }

  /** Returns the current machine of a control plane node. */
  controlPlaneNode(member: string): ControlPlaneNode {
    const found = this.#controlPlaneNodes.get(member);
    if (!found) throw new Error(`control plane node ${member} has no machine`);
    return found;
  }

  /** All control plane nodes that have a machine. */
  get controlPlaneNodes(): readonly ControlPlaneNode[] {
    return [...this.#controlPlaneNodes.values()];
  }

  /** Scales the group of a control plane node up to its first machine, which starts to bootstrap. */
  async boot(member: string): Promise<ControlPlaneNode> {
    return this.#register(await ControlPlaneNode.boot(this.stage, member, await this.stage.resources.grow(member)));
  }

  /**
   * Kills the machine of a control plane node, as a power failure does; its group starts another, which boots.
   *
   * @param lost etcd clusters whose volume is lost with it and recreated empty
   */
  async replace(member: string, lostVolumes: readonly string[] = []): Promise<ControlPlaneNode> {
    const { resources } = this.stage;
    const before = this.controlPlaneNode(member);
    await before.kill();
    await resources.terminate(before.instance.id);
    for (const etcd of lostVolumes) await resources.replaceVolume(member, etcd);
    return this.#register(await ControlPlaneNode.boot(this.stage, member, await resources.instanceOf(member)));
  }

  /** Starts a worker on which the API endpoint name resolves to a control plane node instead of the load balancer. */
  async bootWorker(): Promise<Worker> {
    const { spec } = this.stage.planned;
    const worker = await Worker.boot(this.stage, `${this.controlPlaneNodes[0]?.address} ${spec.cluster.endpoint}`);
    this.#workers.push(worker);
    return worker;
  }

  /** Stops everything; with `keepLogs` the log folder is kept and returned. */
  async stop({ keepLogs }: { readonly keepLogs: boolean }): Promise<string | undefined> {
    for (const each of [...this.#workers, ...this.controlPlaneNodes]) await each.kill();
    await this.stage.region.stop();
    await this.guard.dismiss();
    const { folder } = this.stage;
    rmSync(join(folder, 'volumes'), { recursive: true, force: true });
    if (keepLogs) return folder;
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }

  #register(node: ControlPlaneNode): ControlPlaneNode {
    this.#controlPlaneNodes.set(node.member, node);
    return node;
  }
}
