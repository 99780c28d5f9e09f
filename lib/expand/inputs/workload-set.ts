import { metadataKeys, valueAt, type FieldPath, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { labelOf } from '../objects/name';
import { type ProjectContext } from '../project-context';
import { KnownRoutes } from './known-routes';
import { MemberReferences } from './member-references';
import { NativeReferences } from './native-references';
import { PeerReferences, type NamedPeer } from './peer-references';
import { QuotaNeeds } from './quota-needs';

/** What a cluster has besides the workloads of the inputs. */
export interface LiveNeighbors {
  readonly ingresses: readonly KubernetesObject[];
  /** Returns whether a workload surely does not exist in the cluster. */
  readonly isAbsent: (peer: NamedPeer) => boolean;
}

/** Workloads that are deployed together; finds what is wrong only with all of them in view. */
export class WorkloadSet {
  readonly #routes = new KnownRoutes();
  readonly #needs = new QuotaNeeds();
  readonly #peers = new PeerReferences();
  readonly #members = new MemberReferences();
  readonly #natives = new NativeReferences();
  /** Names of the workloads and Ingresses of the inputs, which replace those of the cluster. */
  readonly #own = new Set<string>();

  /** Adds the name of a workload, which may be invalid. */
  addName(project: string, name: string): void {
    this.#peers.addName(project, name);
  }

  /** Adds a valid workload, given by its name as in problems, with its native objects. */
  add(object: string, workload: Workload, objects: readonly KubernetesObject[], context: ProjectContext): void {
    const { namespace, name } = workload.metadata;
    this.addName(namespace, name);
    this.#own.add(`${workload.kind} ${namespace}/${labelOf(name)}`);
    for (const { kind, metadata } of objects) this.#own.add(`${kind} ${namespace}/${metadata.name}`);
    this.#routes.add(object, objects, (host) => hostPath(workload, host));
    this.#needs.add(object, objects, context);
    this.#peers.add(object, workload);
    this.#members.add(object, workload, objects);
    this.#natives.add(object, workload);
  }

  /** Adds a native object of the inputs, given by its name as in problems. */
  addObject(object: string, native: KubernetesObject): void {
    this.#routes.addNative(object, native);
    this.#natives.addObject(native);
    // A native object of the inputs may have no metadata.
    const { namespace, name } = (native.metadata as KubernetesObject['metadata'] | null | undefined) ?? {};
    this.#own.add(`${native.kind} ${namespace ?? ''}/${name ?? ''}`);
  }

  /** Whether a workload or native object has a route of an Ingress. */
  get hasRoutes(): boolean {
    return !this.#routes.isEmpty;
  }

  /** Lists the workloads that `access` refers to and that are not in the inputs. */
  get unknownPeers(): readonly NamedPeer[] {
    return this.#peers.unknown();
  }

  /** Returns the problems with Ingresses of the cluster that the inputs do not replace, and with peers that it lacks. */
  liveProblems({ ingresses, isAbsent }: LiveNeighbors): readonly Problem[] {
    for (const ingress of ingresses) {
      const { namespace = '', name, labels = {} } = ingress.metadata;
      const { [metadataKeys.kind]: kind, [metadataKeys.workload]: workload } = labels;
      const owner = kind && workload ? `${kind} ${namespace}/${workload}` : undefined;
      const names = [...(owner ? [owner] : []), `Ingress ${namespace}/${name}`, `Ingress /${name}`];
      if (!names.some((one) => this.#own.has(one)))
        this.#routes.addLive(names[0] as string, ingress, owner === undefined);
    }
    return [...this.#routes.liveProblems(), ...this.#peers.absent(isAbsent)];
  }

  /**
   * Returns the problems of the set, each with its object; `whereIs` returns the location of another object as text. With
   * what the cluster has, those of `liveProblems` too.
   */
  problems(whereIs: (object: string) => string, live?: LiveNeighbors): readonly Problem[] {
    const problems = [
      ...this.#routes.problems(whereIs),
      ...this.#needs.problems(),
      ...this.#members.problems(),
      ...this.#natives.problems(),
    ];
    // A peer that is similar to one of the inputs may be in the cluster.
    return [...problems, ...(live ? this.liveProblems(live) : this.#peers.problems())];
  }
}

/** Returns the field that declares a host name of a workload. */
function hostPath({ spec }: Workload, host: string): FieldPath {
  const hosts = valueAt(spec, ['loadBalancer', 'hosts']);
  const index = Array.isArray(hosts) ? hosts.indexOf(host) : -1;
  return index < 0 ? ['spec', 'loadBalancer'] : ['spec', 'loadBalancer', 'hosts', index];
}
