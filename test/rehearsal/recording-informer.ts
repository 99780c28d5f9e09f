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
import { type ControlPlaneNode } from './control-plane-node';

/** An informer of the ConfigMaps of `default`, connected to one API server, that records every version it sees. */
export class RecordingInformer {
  /** Versions in the order of arrival. */
  readonly versions: bigint[] = [];
  /** Number of full lists. */
  lists = 0;
  readonly #client: KubeClient;
  readonly #informer: SharedInformer<LiveObject>;

  private constructor(file: string) {
    this.#client = connect(loadKubeConfig({ file, environment: {} }), { clock: realClock, userAgent: 'rehearsal' });
    const noop = (): void => undefined;
    this.#informer = new SharedInformer({
      client: this.#client,
      clock: realClock,
      resource: resourceOf('ConfigMap'),
      selection: { namespace: 'default' },
      transform: (object) => object,
      // The API server is down on purpose.
      onError: noop,
      backOff: { start: 200, cap: 2_000 },
      meter: {
        recordList: () => void (this.lists += 1),
        setVersion: (version) => void this.versions.push(BigInt(version)),
        ...{ recordWatch: noop, recordIdleTimeout: noop, recordUndecodable: noop, close: noop },
      },
    });
    this.#informer.start();
  }

  /** Starts the informer. */
  static async start(folder: string, node: ControlPlaneNode): Promise<RecordingInformer> {
    const file = join(folder, 'followed.kubeconfig');
    writeFileSync(file, JSON.stringify(await node.kubeconfig('/etc/kubernetes/admin.conf')), { mode: 0o600 });
    return new RecordingInformer(file);
  }

  /** Objects in the cache. */
  get store(): StoreReader<LiveObject> {
    return this.#informer.store;
  }

  async stop(): Promise<void> {
    await this.#informer.stop();
    this.#client.close();
  }
}
