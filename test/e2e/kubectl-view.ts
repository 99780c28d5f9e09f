import { metadataKeys } from '../../lib/api';
import { waitFor } from '../control-plane/wait-for';
import { type PinionCluster } from './pinion-suite';

/** What a test reads of any object. */
export interface Viewed {
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

/** A pod as a test reads it. */
export interface ViewedPod extends Viewed {
  readonly spec: {
    readonly [field: string]: unknown;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
}

/** A cluster with pinion, seen and handled through kubectl. */
export class KubectlView {
  constructor(
    private readonly pinion: () => PinionCluster,
    private readonly namespace: () => string,
  ) {}

  /** What kubectl prints in the namespace; throws where it fails. */
  async run(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(...args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** What kubectl says in the namespace, and how it ended. */
  attempt(...args: readonly string[]) {
    return this.pinion().cluster.kubectl(['-n', this.namespace(), ...args]);
  }

  /** Names of the objects of some kinds, as `kind.group/name`, sorted. */
  async names(kinds: string, ...args: readonly string[]): Promise<readonly string[]> {
    const printed = await this.run('get', kinds, '-o', 'name', ...args);
    return printed.split('\n').filter(Boolean).sort();
  }

  /** One object; undefined where there is none. */
  async object(kind: string, name: string): Promise<Viewed | undefined> {
    const printed = await this.run('get', kind, name, '-o', 'json', '--ignore-not-found');
    return printed === '' ? undefined : (JSON.parse(printed) as Viewed);
  }

  /** Waits until an object is as it should be, and returns it. */
  until(kind: string, name: string, holds: (object: Viewed) => boolean): Promise<Viewed> {
    return waitFor(
      `${kind} ${name}`,
      async () => {
        const object = await this.object(kind, name);
        return object && holds(object) ? object : undefined;
      },
      { timeout: 90_000, interval: 200 },
    );
  }

  /** Waits until no object of some kinds is left, or only those that are named. */
  async gone(kinds: string, left: readonly string[] = []): Promise<void> {
    await waitFor(`${kinds} to be gone`, async () => (await this.names(kinds)).every((name) => left.includes(name)), {
      timeout: 90_000,
      interval: 200,
    });
  }

  /** Pods of a workload that are not about to go. */
  async pods(workload: string): Promise<readonly ViewedPod[]> {
    const printed = await this.run('get', 'pods', '-l', `${metadataKeys.workload}=${workload}`, '-o', 'json');
    const { items } = JSON.parse(printed) as { readonly items: readonly ViewedPod[] };
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** Identities of the pods of a workload: the same as long as none of them was made anew. */
  async uids(workload: string): Promise<readonly string[]> {
    return (await this.pods(workload)).map(({ metadata }) => metadata.uid).sort();
  }

  /** A table that kubectl prints, as one record for each row. */
  async table(...args: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]> {
    const [head = '', ...rows] = (await this.run('get', ...args)).trimEnd().split('\n');
    const columns = [...head.matchAll(/\S+\s*/g)].map(({ 0: text, index }) => ({ name: text.trim(), index }));
    return rows.map((row) =>
      Object.fromEntries(columns.map(({ name, index }, at) => [name, row.slice(index, columns[at + 1]?.index).trim()])),
    );
  }
}
