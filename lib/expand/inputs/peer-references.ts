import { nearest, type FieldPath, type Problem, type Workload } from '../../api';

/** A workload that `access` refers to. */
export interface NamedPeer {
  readonly project: string;
  readonly name: string;
}

interface PeerReference extends NamedPeer {
  readonly object: string;
  readonly path: FieldPath;
}

/** Workloads that `access` refers to, and the names of all workloads of the inputs. */
export class PeerReferences {
  readonly #names = new Map<string, Set<string>>();
  readonly #references: PeerReference[] = [];

  /** Adds the name of a workload, which may be invalid. */
  addName(project: string, name: string): void {
    const names = this.#names.get(project);
    if (names) names.add(name);
    else this.#names.set(project, new Set([name]));
  }

  /** Adds the references of a workload, given by its name. */
  add(object: string, { metadata, spec }: Workload): void {
    for (const field of ['from', 'to'] as const)
      spec.access?.[field]?.forEach(({ project = metadata.namespace, workload: name }, index) => {
        if (name === undefined || (project === metadata.namespace && name === metadata.name)) return;
        this.#references.push({ object, path: ['spec', 'access', field, index, 'workload'], project, name });
      });
  }

  /** Lists the peers that are no workloads of the inputs. */
  unknown(): readonly NamedPeer[] {
    return this.#references.filter(({ project, name }) => this.#names.get(project)?.has(name) !== true);
  }

  /** Warns about peers that exist neither in the inputs nor, as `isAbsent` says, in the cluster. */
  absent(isAbsent: (peer: NamedPeer) => boolean): readonly Problem[] {
    return this.#references.flatMap(({ object, path, project, name }) => {
      const names = this.#names.get(project);
      if (names?.has(name) === true || !isAbsent({ project, name })) return [];
      const guess = nearest(name, [...(names ?? [])]);
      return {
        code: 'unknown-reference',
        path,
        value: name,
        reason: `is not a workload of project ${project}, neither in these inputs nor in the cluster, so that the rule selects no pods`,
        remedy: guess === undefined ? 'use the name of a workload, or deploy this one' : `did you mean "${guess}"?`,
        rule: 'access-peer-known',
        severity: 'warning',
        object,
      };
    });
  }

  /** Warns about names that are similar to that of a workload of the inputs; others may be in manifests that are not. */
  problems(): readonly Problem[] {
    return this.#references.flatMap(({ object, path, project, name }) => {
      const names = this.#names.get(project);
      const others = [...(names ?? [])].filter((other) => !object.endsWith(` ${project}/${other}`));
      const guess = names?.has(name) ? undefined : nearest(name, others);
      if (guess === undefined) return [];
      return {
        code: 'unknown-reference',
        path,
        value: name,
        reason: `is not a workload of project ${project} in these inputs, so that the rule may select no pods`,
        remedy: `did you mean "${guess}"?`,
        rule: 'access-peer-known',
        severity: 'warning',
        object,
      };
    });
  }
}
