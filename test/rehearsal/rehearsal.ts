import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guard } from '../control-plane/server-process';
import { CloudResources } from './cloud-resources';
import { routerOf, type Stage } from './boot-machine';
import { Master } from './control-plane-node';
import { plannedCluster } from './planned-cluster';
import { Region } from './region';
import { type ProgramPaths, type RehearsedVersion } from './tools';
import { Worker } from './worker';

/** What is rehearsed. */
export interface RehearsalOptions {
  readonly paths: ProgramPaths;
  /** @default '1.36' */
  readonly kubernetes?: RehearsedVersion;
  /** One master that is to come up without the others. @default false */
  readonly alone?: boolean;
}

/** Masters of a planned cluster, on machines of an emulated AWS. */
export class Rehearsal {
  readonly #masters = new Map<string, Master>();
  readonly #workers: Worker[] = [];

  private constructor(
    readonly stage: Stage,
    private readonly guard: Guard,
  ) {}

  /** Makes what the stack makes around masters; none runs yet. */
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
      await resources.make();
      return new Rehearsal({ folder, region, resources, planned, paths, guard }, guard);
    } catch (cause) {
      guard.abandon();
      throw new Error('the region did not start', { cause });
    }
  }

  /** The machine that is a master now. */
  master(member: string): Master {
    const found = this.#masters.get(member);
    if (!found) throw new Error(`master ${member} has no machine`);
    return found;
  }

  /** All masters that have a machine. */
  get masters(): readonly Master[] {
    return [...this.#masters.values()];
  }

  /** Has the group of a master start its first machine, which begins to make itself a master. */
  async boot(member: string): Promise<Master> {
    return this.#keep(await Master.boot(this.stage, member, await this.stage.resources.grow(member)));
  }

  /**
   * Ends the machine of a master as a power cut does; its group starts another, which boots.
   *
   * @param lost databases whose volume is lost with it, and made anew
   */
  async replace(member: string, lost: readonly string[] = []): Promise<Master> {
    const { resources } = this.stage;
    const before = this.master(member);
    await before.kill();
    await resources.terminate(before.instance.id);
    for (const etcd of lost) await resources.replaceVolume(member, etcd);
    return this.#keep(await Master.boot(this.stage, member, await resources.instanceOf(member)));
  }

  /** Starts a machine for pods, to which the name of the API leads where the load balancer would: to a master. */
  async bootWorker(): Promise<Worker> {
    const { spec } = this.stage.planned;
    const worker = await Worker.boot(this.stage, `${this.masters[0]?.address} ${spec.cluster.endpoint}`);
    this.#workers.push(worker);
    return worker;
  }

  /** Ends everything; with `keepLogs` their folder stays and is returned. */
  async stop({ keepLogs }: { readonly keepLogs: boolean }): Promise<string | undefined> {
    for (const each of [...this.#workers, ...this.masters]) await each.kill();
    await this.stage.region.stop();
    await this.guard.dismiss();
    const { folder } = this.stage;
    rmSync(join(folder, 'volumes'), { recursive: true, force: true });
    if (keepLogs) return folder;
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }

  #keep(master: Master): Master {
    this.#masters.set(master.member, master);
    return master;
  }
}
