import { type FieldPath, type Problem } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { ingressRoutesOf } from './ingress-routes-of';

/** Document or live object with a route. */
interface RouteOwner {
  readonly object: string;
  /** Whether it is a native object that belongs to no workload. */
  readonly isNative: boolean;
  /** Whether it is an object of the cluster. */
  readonly isLive: boolean;
  /** Project of the route; a native object of the inputs may have none. */
  readonly project?: string | undefined;
  /** Returns the field that declares a host. */
  readonly pathOf: (host: string) => FieldPath;
}

interface RouteConflict {
  readonly object: string;
  readonly owner: RouteOwner;
  readonly isWarning: boolean;
  readonly path: FieldPath;
  readonly text: string;
}

/** Routes of Ingresses by their first owner. An ingress controller serves only one of two Ingresses with the same route. */
export class KnownRoutes {
  readonly #owners = new Map<string, RouteOwner>();
  readonly #conflicts = new Map<string, RouteConflict>();

  /** Whether nothing has a route. */
  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** Adds the routes of the objects of a workload, given by its name; `pathOf` returns the field that declares a host. */
  add(object: string, objects: readonly KubernetesObject[], pathOf: (host: string) => FieldPath): void {
    this.#add({ object, isNative: false, isLive: false, pathOf }, objects);
  }

  /** Adds the routes of a native object of the inputs, whose annotations may separate it from others. */
  addNative(object: string, native: KubernetesObject): void {
    this.#add({ object, isNative: true, isLive: false, pathOf: () => ['spec', 'rules'] }, [native]);
  }

  /** Adds the routes of an Ingress of the cluster, given by its name or that of its workload; they are reported at what the inputs have. */
  addLive(object: string, live: KubernetesObject, isNative: boolean): void {
    this.#add({ object, isNative, isLive: true, pathOf: () => ['spec', 'rules'] }, [live]);
  }

  #add(added: RouteOwner, objects: readonly KubernetesObject[]): void {
    const routes = objects.flatMap((one) =>
      ingressRoutesOf(one).map((route) => ({ ...route, project: projectOf(one) })),
    );
    for (const { key, text, host, project } of routes) {
      const known = this.#owners.get(key);
      if (known === undefined || (known.isLive && !added.isLive)) this.#owners.set(key, { ...added, project });
      if (known === undefined || known.object === added.object || (known.isLive && added.isLive)) continue;
      const here = { ...added, project };
      const [{ object, pathOf, isNative, project: own }, owner] = added.isLive ? [known, here] : [here, known];
      // A workload with two hosts and two paths has four routes; one problem for each other owner suffices.
      if (this.#conflicts.has(`${object} ${owner.object}`)) continue;
      // One of the cluster in the same project may be what the inputs replace, such as before a rename.
      const isReplaced = owner.isLive && (owner.isNative || owner.project === own);
      const isWarning = isReplaced || (owner.isNative && isNative);
      this.#conflicts.set(`${object} ${owner.object}`, { object, owner, isWarning, path: pathOf(host), text });
    }
  }

  /** Returns the problems of routes that two documents have. */
  problems(whereIs: (object: string) => string): readonly Problem[] {
    return this.#problems(whereIs, false);
  }

  /** Returns the problems of routes that an object of the cluster has, too. */
  liveProblems(): readonly Problem[] {
    return this.#problems(() => 'in the cluster', true);
  }

  #problems(whereIs: (object: string) => string, isLive: boolean): readonly Problem[] {
    const conflicts = [...this.#conflicts.values()].filter(({ owner }) => owner.isLive === isLive);
    return conflicts.map(({ object, owner, isWarning, path, text }) => ({
      code: 'duplicate',
      path,
      value: text,
      reason: `is also routed to ${owner.object} ${whereIs(owner.object)}, and an ingress controller serves only one of them`,
      remedy: 'use another host name or path for one of them',
      rule: 'route-taken',
      object,
      ...(isWarning && { severity: 'warning' as const }),
    }));
  }
}

const projectOf = ({ metadata }: KubernetesObject): string | undefined =>
  (metadata as KubernetesObject['metadata'] | null | undefined)?.namespace;
