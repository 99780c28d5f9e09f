import { metadataKeys } from '../../lib/api';
import { waitFor } from '../control-plane/wait-for';
import { type PinionCluster } from './pinion-suite';

/** Fields of any object that tests read. */
export interface KubectlObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Fields of a pod that tests read. */
export interface KubectlPod extends KubectlObject {
  readonly spec: {
    readonly [field: string]: unknown;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
}

/** Access through kubectl to a cluster with pinion. */
export class KubectlView {
  constructor(
    private readonly pinion: () => PinionCluster,
    private readonly namespace: () => string,
  ) {}

  /** Returns the output of kubectl in the namespace; throws if it fails. */
  async run(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(...args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Returns the output and exit code of kubectl in the namespace. */
  attempt(...args: readonly string[]) {
    return this.pinion().cluster.kubectl(['-n', this.namespace(), ...args]);
  }

  /** Returns the sorted names of the objects of some kinds, as `kind.group/name`. */
  async names(kinds: string, ...args: readonly string[]): Promise<readonly string[]> {
    const printed = await this.run('get', kinds, '-o', 'name', ...args);
    return printed.split('\n').filter(Boolean).sort();
  }

  /** Returns an object; undefined if it does not exist. */
  async object(kind: string, name: string): Promise<KubectlObject | undefined> {
    const printed = await this.run('get', kind, name, '-o', 'json', '--ignore-not-found');
    return printed === '' ? undefined : (JSON.parse(printed) as KubectlObject);
  }

  /** Waits until an object satisfies a predicate, and returns it. */
  until(kind: string, name: string, holds: (object: KubectlObject) => boolean): Promise<KubectlObject> {
    return waitFor(
      `${kind} ${name}`,
      async () => {
        const object = await this.object(kind, name);
        return object && holds(object) ? object : undefined;
      },
      { timeout: 90_000, interval: 200 },
    );
  }

  /** Waits until the objects of some kinds are gone, except those that are named. */
  async gone(kinds: string, remaining: readonly string[] = []): Promise<void> {
    await waitFor(
      `${kinds} to be gone`,
      async () => (await this.names(kinds)).every((name) => remaining.includes(name)),
      {
        timeout: 90_000,
        interval: 200,
      },
    );
  }

  /** Returns the pods of a workload that are not terminating. */
  async pods(workload: string): Promise<readonly KubectlPod[]> {
    const printed = await this.run('get', 'pods', '-l', `${metadataKeys.workload}=${workload}`, '-o', 'json');
    const { items } = JSON.parse(printed) as { readonly items: readonly KubectlPod[] };
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** Returns the UIDs of the pods of a workload, which change only when a pod is recreated. */
  async uids(workload: string): Promise<readonly string[]> {
    return (await this.pods(workload)).map(({ metadata }) => metadata.uid).sort();
  }

  /** Returns a table that kubectl prints as one record per row. */
  async table(...args: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]> {
    const [head = '', ...rows] = (await this.run('get', ...args)).trimEnd().split('\n');
    const columns = [...head.matchAll(/\S+\s*/g)].map(({ 0: text, index }) => ({ name: text.trim(), index }));
    return rows.map((row) =>
      Object.fromEntries(columns.map(({ name, index }, at) => [name, row.slice(index, columns[at + 1]?.index).trim()])),
    );
  }
}
