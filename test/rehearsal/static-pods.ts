import { readdirSync } from 'node:fs';
import { type Machine, type MachineProcess } from './machine';
import { containerScript, readStaticPod, type StaticPod } from './static-pod';

const manifests = '/etc/kubernetes/manifests';

/** What the kubelet does with static pods: it runs those whose manifest is there, and ends those whose is not. */
export class StaticPods {
  readonly #running = new Map<string, { readonly pod: StaticPod; readonly process: MachineProcess }>();

  constructor(private readonly machine: Machine) {}

  /** Brings what runs in line with the manifests; what ended by itself is started again. */
  async settle(): Promise<void> {
    const files = this.machine.has(manifests) ? readdirSync(this.machine.path(manifests)) : [];
    const wanted = new Map(
      files
        .map((file) => readStaticPod(this.machine.read(`${manifests}/${file}`)))
        .map((pod) => [pod.name, pod] as const),
    );
    for (const [name, { pod, process }] of this.#running) {
      if (wanted.has(name) && process.ending === undefined) continue;
      await process.stop(pod.grace);
      this.#running.delete(name);
    }
    for (const [name, pod] of wanted)
      if (!this.#running.has(name)) this.#running.set(name, { pod, process: this.#start(pod) });
  }

  /** A pod that runs. */
  running(name: string): { readonly pod: StaticPod; readonly process: MachineProcess } {
    const found = this.#running.get(name);
    if (!found) throw new Error(`${name} does not run on ${this.machine.name}`);
    return found;
  }

  /** Names of those that run. */
  get names(): readonly string[] {
    return [...this.#running.keys()].sort();
  }

  /** What the kubelet sees when it asks whether a pod is up: the status of each of its probes. */
  async probe(name: string): Promise<readonly number[]> {
    const { pod } = this.running(name);
    const ask = async (url: string): Promise<number> => {
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
    return Promise.all(pod.probes.map(ask));
  }

  #start(pod: StaticPod): MachineProcess {
    const words = ['--mount', '--propagation', 'private', 'sh', '-c', containerScript(pod)];
    return this.machine.start('unshare', words, `${pod.name}.log`);
  }
}
