import { get } from 'node:http';
import { waitFor } from '../control-plane/wait-for';
import { TreeObserver } from '../zookeeper/tree-observer';
import { type LivePod, type PlatformNode } from './platform-node';

/** Observations in ZooKeeper during an operation. */
export interface Traffic {
  /** Number of successful reads, and of those that found no entry. */
  readonly successfulReads: number;
  readonly emptyReads: number;
  /** Entries whose app did not respond. */
  readonly unresponsive: readonly string[];
  /** Entries that were removed while their app still responded. */
  readonly removedEarly: readonly string[];
}

/** Observes the entries of one service and the apps that they point to. */
export class TrafficWatch {
  readonly tree: TreeObserver;
  readonly #ports = new Map<string, number>();

  constructor(
    private readonly platform: PlatformNode,
    private readonly namespace: string,
    private readonly service: string,
  ) {
    if (!platform.zookeeper) throw new Error('ZooKeeper is unavailable');
    this.tree = new TreeObserver(platform.zookeeper.outside, `/pinion/services/${namespace}/${service}`);
  }

  /** Returns the only pod of the service that is not terminating, once its app runs. */
  waitForRunningPod(): Promise<LivePod> {
    return waitFor(
      `the app of ${this.service} to run`,
      async () => {
        const alive = (await this.#pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const isRunning = ({ status }: LivePod) => status.containerStatuses?.some(({ state }) => state.running);
        return alive.length === 1 && alive.find(isRunning);
      },
      { timeout: 120_000 },
    );
  }

  /** Waits until a pod is deleted. */
  waitUntilDeleted({ metadata }: LivePod): Promise<boolean> {
    return waitFor(
      `${metadata.name} to be deleted`,
      async () => (await this.#pods()).every((pod) => pod.metadata.uid !== metadata.uid),
      { timeout: 120_000 },
    );
  }

  /** Reads continuously during an operation, and sends a request to every listed app. */
  async during(action: () => Promise<unknown>): Promise<Traffic> {
    const unresponsive = new Set<string>();
    const listed = new Set<string>();
    const removedEarly = new Set<string>();
    let isOver = false;
    const requestLoop = async (): Promise<void> => {
      while (!isOver) {
        const names = await this.#listed();
        const removed = [...listed].filter((name) => !names.includes(name));
        await Promise.all([
          ...names.map(async (name) => !(await this.#serves(name)) && unresponsive.add(name)),
          ...removed.map(async (name) => (await this.#serves(name)) && removedEarly.add(name)),
        ]);
        names.forEach((name) => listed.add(name));
      }
    };
    const samples = await this.tree.during(async () => {
      const requests = requestLoop();
      await action().finally(() => (isOver = true));
      await requests;
    });
    const answered = samples.filter(({ names }) => names !== undefined);
    return {
      successfulReads: answered.length,
      emptyReads: answered.filter(({ names }) => names?.length === 0).length,
      unresponsive: [...unresponsive],
      removedEarly: [...removedEarly],
    };
  }

  stop(): Promise<void> {
    return this.tree.stop();
  }

  #pods(): Promise<LivePod[]> {
    return this.platform.pods(this.namespace, this.service);
  }

  async #listed(): Promise<readonly string[]> {
    const samples = await this.tree.during(() => this.tree.waitForReads(1));
    return samples.at(-1)?.names ?? [];
  }

  async #serves(entry: string): Promise<boolean> {
    const port = await this.#portOf(entry);
    if (port === undefined) return false;
    return new Promise((resolve) => {
      get({ host: '127.0.0.1', port, path: '/', agent: false, timeout: 5_000 }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
        .on('timeout', () => resolve(false))
        .on('error', () => resolve(false));
    });
  }

  async #portOf(entry: string): Promise<number | undefined> {
    const known = this.#ports.get(entry);
    if (known !== undefined) return known;
    const pod = (await this.#pods()).find(({ metadata }) => entry === `member_${metadata.uid}`);
    if (pod?.status.podIP === undefined) return undefined;
    const port = await this.platform.node.forward(8080, pod.status.podIP);
    this.#ports.set(entry, port);
    return port;
  }
}
