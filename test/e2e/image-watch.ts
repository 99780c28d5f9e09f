import { metadataKeys } from '../../lib/api';
import {
  connect,
  SharedInformerFactory,
  type KubeClient,
  type LiveObject,
  loadKubeConfig,
  resourceOf,
} from '../../lib/kube';
import { realClock } from '../kube/real-clock';

/** Kinds that a workload becomes and that select images; Pods and ReplicaSets are written by Kubernetes. */
const kinds = ['Deployment', 'ReplicaSet', 'StatefulSet', 'Job', 'CronJob', 'Pod'] as const;
/** Kinds whose objects live as long as their workload. */
const lasting: readonly string[] = ['Deployment', 'StatefulSet', 'CronJob'];
const images = /registry\.example\.com\/app:[^"@]+/g;

/** Watches the objects of one namespace, so that no state in between is missed, and reports what no proof allows. */
export class ImageWatch {
  /** What was seen that no proof allows. */
  readonly problems: string[] = [];
  readonly #permitted = new Set<string>();
  readonly #client: KubeClient;
  readonly #informers: SharedInformerFactory;
  #isStarting = true;

  private constructor(kubeconfig: string, namespace: string) {
    const settings = loadKubeConfig({ environment: {}, file: kubeconfig });
    this.#client = connect(settings, { clock: realClock, userAgent: 'image-watch' });
    const onError = (error: unknown): void => void this.problems.push(`watch: ${String(error)}`);
    this.#informers = new SharedInformerFactory({ client: this.#client, clock: realClock, onError });
    for (const kind of kinds) {
      const transform = (object: LiveObject): string => this.#observe(kind, object);
      const informer = this.#informers.informer({ resource: resourceOf(kind), selection: { namespace }, transform });
      if (lasting.includes(kind))
        informer.addEventHandler({ onDelete: (_, key) => void this.problems.push(`${kind} ${key} was deleted`) });
    }
  }

  /** Starts to watch; images that are in use already are permitted. */
  static async start(kubeconfig: string, namespace: string): Promise<ImageWatch> {
    const watch = new ImageWatch(kubeconfig, namespace);
    watch.#informers.start();
    await watch.#informers.waitForCacheSync(AbortSignal.timeout(60_000));
    watch.#isStarting = false;
    return watch;
  }

  /** Permits an image from now on, with or without its digest. */
  permit(image: string): void {
    this.#permitted.add(image.replace(/@.*/, ''));
  }

  /** Stops to watch. */
  async stop(): Promise<void> {
    await this.#informers.stop();
    this.#client.close();
  }

  #observe(kind: string, object: LiveObject): string {
    const { name, labels = {} } = object.metadata;
    const used = [...new Set(JSON.stringify(object['spec'] ?? {}).match(images))];
    if (this.#isStarting) for (const image of used) this.permit(image);
    for (const image of used) if (!this.#permitted.has(image)) this.problems.push(`${kind} ${name} uses ${image}`);
    if (labels[metadataKeys.workload] === 'till') this.problems.push(`${kind} ${name} belongs to a copy`);
    return used.join();
  }
}
