import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { contentDigest } from '../observed/content-digest';
import { type AppliedLookup, type PlanInput, type ReconcilePlan } from './plan-step';

/**
 * What earlier reconciles of one resource found out about its children; it can be lost at any time.
 *
 * A child that was found to be as desired is not compared again until either side changes. What the API server answers to an
 * apply counts as what was desired, however it writes that, so that no way of writing makes the controller apply for ever.
 */
export class AppliedCache implements AppliedLookup {
  readonly #settled = new Map<string, string>();
  readonly #refused = new Map<string, string>();

  /** Whether a child is known to be as desired. */
  isSettled(child: Child, hash: string): boolean {
    const known = this.#settled.get(child.uid);
    return known !== undefined && known === markOf(child, hash);
  }

  /** Records that a child matches its desired object; with the hash of its annotation, where it is the response to an apply. */
  settle(child: Child, hash: string = child.applied ?? ''): void {
    this.#settled.set(child.uid, markOf(child, hash));
    this.#refused.delete(`${child.kind}/${child.name}`);
  }

  /** Notes that the API server refused an object for good, such as a claim whose class cannot expand. */
  refuse(object: KubernetesObject, message: string): void {
    this.#refused.set(`${object.kind}/${object.metadata.name}`, `${textOf(object)} ${message}`);
  }

  /** Why the API server refused this very object; undefined where it did not. */
  rejectionOf(object: KubernetesObject): string | undefined {
    const known = this.#refused.get(`${object.kind}/${object.metadata.name}`);
    const text = `${textOf(object)} `;
    return known?.startsWith(text) ? known.slice(text.length) : undefined;
  }

  /** Has everything that was refused tried again. */
  retry(): void {
    this.#refused.clear();
  }

  /** Stores what a plan found to match, and drops all but the children that are still desired. */
  update({ desired, observed }: Pick<PlanInput, 'desired' | 'observed'>, { settled = [] }: ReconcilePlan): void {
    for (const { child, hash } of settled) this.settle(child, hash);
    this.#keep(
      new Set(
        desired.flatMap(({ kind, metadata }) => observed.child(kind, metadata.name, metadata.namespace)?.uid ?? []),
      ),
    );
  }

  #keep(children: ReadonlySet<string>): void {
    for (const uid of this.#settled.keys()) if (!children.has(uid)) this.#settled.delete(uid);
  }

  /** Children of which something is remembered. */
  get size(): number {
    return this.#settled.size + this.#refused.size;
  }
}

const markOf = ({ applied, digest }: Child, hash: string): string => `${hash} ${applied ?? ''} ${digest}`;

const textOf = (object: KubernetesObject): string => contentDigest(JSON.stringify(object));
