import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { workerUserData } from '../../stacks/plan/bootstrap';
import { carryOut } from './cloud-init';
import { type Instance } from './cloud-resources';
import { InitSystem } from './init-system';
import { Machine } from './machine';
import { connectMachine, imagePrograms, type Stage } from './master';

/** A machine for pods. */
export class Worker {
  private constructor(
    readonly instance: Instance,
    readonly machine: Machine,
    readonly init: InitSystem,
  ) {}

  /** Starts one with the user data of its pool; `hosts` are lines of its /etc/hosts. */
  static async boot(stage: Stage, hosts: string): Promise<Worker> {
    const { folder, region, resources, planned, paths, guard } = stage;
    const instance = await resources.runWorker();
    const own = join(folder, 'machines', instance.id);
    mkdirSync(own, { recursive: true });
    const machine = await Machine.start({
      name: instance.id,
      folder: own,
      logs: join(folder, 'logs', `worker-${instance.id}`),
      hostName: instance.hostName,
      programs: imagePrograms(paths),
      volumes: resources.folder,
      guard,
    });
    machine.write('/etc/hosts', `127.0.0.1 localhost\n${hosts}\n`);
    await connectMachine(region, machine, instance, planned.workerSubnet);
    const init = await InitSystem.start(machine);
    await carryOut(workerUserData(planned.worker).base64, machine);
    return new Worker(instance, machine, init);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    this.init.stop();
    await this.machine.kill();
  }
}
