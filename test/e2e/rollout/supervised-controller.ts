import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeLogin } from '../../control-plane/credentials';
import { controllerAccount as account } from '../../local/install-pinion';
import { type ControllerProcess } from '../../local/controller-process';
import { type PinionCluster } from '../pinion-suite';
import { WriteTrap } from './write-trap';

/** The controller behind a trap for its writes; another one is started whenever it ends, as a cluster does. */
export class SupervisedController {
  #current: ControllerProcess | undefined;
  #isOver = false;
  #starts = 0;
  #restart: Promise<void> = Promise.resolve();

  private constructor(
    private readonly pinion: PinionCluster,
    readonly trap: WriteTrap,
    private readonly kubeconfig: string,
  ) {}

  /** Replaces the controller of a suite by a supervised one. */
  static async start(pinion: PinionCluster): Promise<SupervisedController> {
    const { cluster } = pinion;
    await pinion.controller.stop();
    const authorityFile = join(cluster.folder, 'pki', 'apiserver.crt');
    const trap = await WriteTrap.open(cluster.url, authorityFile);
    const token = await cluster.serviceAccountToken(account.namespace, account.name, 24 * 3600);
    const kubeconfig = writeLogin(join(cluster.folder, 'kubeconfig-trapped'), trap.url, authorityFile, token);
    const controller = new SupervisedController(pinion, trap, kubeconfig);
    await controller.#start();
    return controller;
  }

  /** Number of processes so far. */
  get starts(): number {
    return this.#starts;
  }

  /** Kills the process; its successor starts by itself. */
  async kill(): Promise<void> {
    await this.#current?.kill();
  }

  /** Waits until a controller leads. */
  async leads(): Promise<void> {
    await this.#restart;
  }

  /** Ends the supervision; the controller is stopped with the suite. */
  async release(): Promise<void> {
    this.#isOver = true;
    await this.#restart;
    await this.#current?.stop();
    await this.trap.close();
  }

  /** Starts a process that does not wait for the lease of the former one. */
  async #start(): Promise<void> {
    const { cluster } = this.pinion;
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${account.namespace}/leases/${account.name}`;
    while (!this.#isOver) {
      const deleted = await cluster.client.request('DELETE', lease).catch(() => undefined);
      if (deleted?.status === 200 || deleted?.status === 404) break;
      await delay(200);
    }
    if (this.#isOver) return;
    this.#starts += 1;
    const controller = await this.pinion.startController({
      kubeconfig: this.kubeconfig,
      name: `supervised-${this.#starts}`,
    });
    this.#current = controller;
    void controller.ended.then(() => {
      if (!this.#isOver) this.#restart = this.#start();
    });
    await Promise.race([controller.leads(), controller.ended]).catch(() => undefined);
  }
}
