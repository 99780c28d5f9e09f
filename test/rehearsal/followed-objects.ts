import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  connect,
  loadKubeConfig,
  resourceOf,
  SharedInformer,
  type KubeClient,
  type LiveObject,
  type StoreReader,
} from '../../lib/kube';
import { realClock } from '../kube/real-clock';
import { type Master } from './control-plane-node';

/** An informer of the ConfigMaps of `default`, by the API server of one master, with every version that it was at. */
export class FollowedObjects {
  /** In the order in which it came to them. */
  readonly versions: bigint[] = [];
  /** How often it had to read the whole list. */
  lists = 0;
  readonly #client: KubeClient;
  readonly #informer: SharedInformer<LiveObject>;

  private constructor(file: string) {
    this.#client = connect(loadKubeConfig({ file, environment: {} }), { clock: realClock, userAgent: 'rehearsal' });
    const nothing = (): void => undefined;
    this.#informer = new SharedInformer({
      client: this.#client,
      clock: realClock,
      resource: resourceOf('ConfigMap'),
      selection: { namespace: 'default' },
      transform: (object) => object,
      // The API server is away for a while, on purpose.
      onError: nothing,
      backOff: { start: 200, cap: 2_000 },
      meter: {
        listed: () => void (this.lists += 1),
        version: (version) => void this.versions.push(BigInt(version)),
        ...{ watched: nothing, idleTimeout: nothing, undecodable: nothing, close: nothing },
      },
    });
    this.#informer.start();
  }

  /** Begins to follow. */
  static async start(folder: string, master: Master): Promise<FollowedObjects> {
    const file = join(folder, 'followed.kubeconfig');
    writeFileSync(file, JSON.stringify(await master.kubeconfig('/etc/kubernetes/admin.conf')), { mode: 0o600 });
    return new FollowedObjects(file);
  }

  /** What it knows. */
  get store(): StoreReader<LiveObject> {
    return this.#informer.store;
  }

  async stop(): Promise<void> {
    await this.#informer.stop();
    this.#client.close();
  }
}
