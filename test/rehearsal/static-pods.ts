import { readdirSync } from 'node:fs';
import { type Machine, type MachineProcess } from './machine';
import { containerScript, readStaticPod, type StaticPod } from './static-pod';

const manifests = '/etc/kubernetes/manifests';

/** Runs static pods as the kubelet does: starts those that have a manifest, and stops those that do not. */
export class StaticPods {
  readonly #running = new Map<string, { readonly pod: StaticPod; readonly process: MachineProcess }>();

  constructor(private readonly machine: Machine) {}

  /** Reconciles the running pods with the manifests; restarts what exited. */
  async settle(): Promise<void> {
    const files = this.machine.has(manifests) ? readdirSync(this.machine.path(manifests)) : [];
    const desired = new Map(
      files
        .map((file) => readStaticPod(this.machine.read(`${manifests}/${file}`)))
        .map((pod) => [pod.name, pod] as const),
    );
    for (const [name, { pod, process }] of this.#running) {
      if (desired.has(name) && process.ending === undefined) continue;
      await process.stop(pod.grace);
      this.#running.delete(name);
    }
    for (const [name, pod] of desired)
      if (!this.#running.has(name)) this.#running.set(name, { pod, process: this.#start(pod) });
  }

  /** Returns a running pod. */
  running(name: string): { readonly pod: StaticPod; readonly process: MachineProcess } {
    const found = this.#running.get(name);
    if (!found) throw new Error(`${name} does not run on ${this.machine.name}`);
    return found;
  }

  /** Names of the running pods. */
  get names(): readonly string[] {
    return [...this.#running.keys()].sort();
  }

  /** Returns the status of each probe of a pod, as the kubelet sees it. */
  async probe(name: string): Promise<readonly number[]> {
    const { pod } = this.running(name);
    const httpStatus = async (url: string): Promise<number> => {
      const flags = [
        '--silent',
        '--insecure',
        '--max-time',
        '5',
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_code}',
      ];
      return Number((await this.machine.run('curl', [...flags, url])).stdout);
    };
    return Promise.all(pod.probes.map(httpStatus));
  }

  #start(pod: StaticPod): MachineProcess {
    const words = ['--mount', '--propagation', 'private', 'sh', '-c', containerScript(pod)];
    return this.machine.start('unshare', words, `${pod.name}.log`);
  }
}
