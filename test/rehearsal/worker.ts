import { workerUserData } from '../../stacks/plan/bootstrap';
import { applyUserData } from './cloud-init';
import { type Instance } from './cloud-resources';
import { InitSystem } from './init-system';
import { type Machine } from './machine';
import { bootMachine, type Stage } from './boot-machine';

/** A worker machine. */
export class Worker {
  private constructor(
    readonly instance: Instance,
    readonly machine: Machine,
    readonly init: InitSystem,
  ) {}

  /** Starts a worker with the user data of its pool; `hosts` are lines of its /etc/hosts. */
  static async boot(stage: Stage, hosts: string): Promise<Worker> {
    const { resources, planned } = stage;
    const instance = await resources.runWorker();
    const machine = await bootMachine(stage, instance, 'worker', planned.workerSubnet);
    machine.write('/etc/hosts', `127.0.0.1 localhost\n${hosts}\n`);
    const init = await InitSystem.start(machine);
    await applyUserData(workerUserData(planned.worker).base64, machine);
    return new Worker(instance, machine, init);
  }

  /** Kills the worker, as a power failure does. */
  async kill(): Promise<void> {
    this.init.stop();
    await this.machine.kill();
  }
}
