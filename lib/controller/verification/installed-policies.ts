import { isDeepStrictEqual } from 'node:util';
import { installedPolicies } from '../../expand';
import { type Child } from '../observed/child';

/** Admission policy or binding of the installation that does not guard as installed. */
export interface PolicyChange {
  readonly kind: string;
  readonly name: string;
  readonly change: 'missing' | 'changed';
}

/** Maximum number of policies that a message names. */
const maxNamed = 3;

/**
 * Compares the admission policies of the cluster, and their bindings, with those that this version of pinion installs: all
 * fields, because a further one may exempt objects. Policies of workload kinds are not compared; the controller restores them.
 */
export class InstalledPolicies {
  /** Installed specs by kind and name. */
  readonly #installed: ReadonlyMap<string, { readonly kind: string; readonly name: string; readonly spec: unknown }>;
  #changes: readonly PolicyChange[] | undefined;

  /** `namespace` is that of the controllers; `isSingle` is whether one controller reconciles everything. */
  constructor(
    namespace: string,
    isSingle: boolean,
    private readonly find: (kind: string, name: string) => Child | undefined,
  ) {
    const installed = installedPolicies(namespace, isSingle).map(({ kind, metadata, spec }) => ({
      kind,
      name: metadata.name,
      spec,
    }));
    // As the API server returns it, without undefined fields.
    this.#installed = new Map(installed.map((one) => [keyOf(one), JSON.parse(JSON.stringify(one)) as typeof one]));
  }

  /** Policies and bindings that are missing or changed, in the order of the installation. */
  get changes(): readonly PolicyChange[] {
    return (this.#changes ??= this.#compare());
  }

  /** Why specs are refused, and the remedy; undefined if all policies are as installed. */
  get problem(): string | undefined {
    if (this.changes.length === 0) return undefined;
    const named = this.changes.slice(0, maxNamed).map(({ kind, name, change }) => `${kind} ${name} is ${change}`);
    const more = this.changes.length > maxNamed ? `, and ${this.changes.length - maxNamed} more` : '';
    return `${named.join(', ')}${more}; ask the platform team to run pinion install with the version of the controller`;
  }

  /** Takes note of a changed object; returns whether `changes` differ from before. */
  observe(object: Pick<Child, 'kind' | 'name'>): boolean {
    if (!this.#changes || !this.#installed.has(keyOf(object))) return false;
    const before = this.#changes;
    this.#changes = this.#compare();
    return !isDeepStrictEqual(before, this.#changes);
  }

  #compare(): readonly PolicyChange[] {
    return [...this.#installed.values()].flatMap(({ kind, name, spec }): PolicyChange[] => {
      const live = this.find(kind, name);
      if (!live || live.deleting) return [{ kind, name, change: 'missing' }];
      return isDeepStrictEqual(live.content()['spec'], spec) ? [] : [{ kind, name, change: 'changed' }];
    });
  }
}

const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind}/${name}`;
