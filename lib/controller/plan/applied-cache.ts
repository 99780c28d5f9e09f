import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { contentDigest } from '../observed/content-digest';
import { type AppliedLookup, type PlanInput, type ReconcilePlan } from './plan-step';

/**
 * Results of earlier reconciles for a resource's children; safe to lose at any time.
 *
 * A child that was up to date is not compared again until either side changes. The response of the API server to an
 * apply counts as the desired state in whatever notation, so that differences in notation never cause endless applies.
 */
export class AppliedCache implements AppliedLookup {
  readonly #settled = new Map<string, string>();
  readonly #refused = new Map<string, string>();

  /** Returns whether a child is known to match its desired object. */
  isSettled(child: Child, hash: string): boolean {
    const known = this.#settled.get(child.uid);
    return known !== undefined && known === markOf(child, hash);
  }

  /**
   * Records that a child matches its desired object; with the hash in its annotation if it is the response to an apply.
   */
  settle(child: Child, hash: string = child.applied ?? ''): void {
    this.#settled.set(child.uid, markOf(child, hash));
    this.#refused.delete(`${child.kind}/${child.name}`);
  }

  /** Records that the API server permanently rejected an object, such as a claim whose class cannot expand. */
  refuse(object: KubernetesObject, message: string): void {
    this.#refused.set(`${object.kind}/${object.metadata.name}`, `${textOf(object)} ${message}`);
  }

  /** Returns why the API server rejected this object; undefined if it did not. */
  rejectionOf(object: KubernetesObject): string | undefined {
    const known = this.#refused.get(`${object.kind}/${object.metadata.name}`);
    const text = `${textOf(object)} `;
    return known?.startsWith(text) ? known.slice(text.length) : undefined;
  }

  /** Clears all rejections, so that they are retried. */
  retry(): void {
    this.#refused.clear();
  }

  /** Stores the matches of a plan, and drops children that are no longer desired. */
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

  /** Number of remembered children. */
  get size(): number {
    return this.#settled.size + this.#refused.size;
  }
}

const markOf = ({ applied, digest }: Child, hash: string): string => `${hash} ${applied ?? ''} ${digest}`;

const textOf = (object: KubernetesObject): string => contentDigest(JSON.stringify(object));
