import { contentDigest, type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { type AppliedLookup, type PlanInput, type ReconcilePlan } from './plan-step';

/**
 * Results of earlier reconciles for a resource's children; safe to lose at any time.
 *
 * A child that was up to date is not compared again until either side changes. The API server's response to an
 * apply counts as the desired state, so that differences in notation never cause endless applies.
 */
export class AppliedCache implements AppliedLookup {
  readonly #settled = new Map<string, string>();
  readonly #rejections = new Map<string, string>();

  /** Returns whether a child is known to match its desired object. */
  isSettled(child: Child, hash: string): boolean {
    const cached = this.#settled.get(child.uid);
    return cached !== undefined && cached === settledKey(child, hash);
  }

  /**
   * Records that a child matches its desired object; with the hash in its annotation if it is the response to an apply.
   */
  settle(child: Child, hash: string = child.applied ?? ''): void {
    this.#settled.set(child.uid, settledKey(child, hash));
    this.#rejections.delete(`${child.kind}/${child.name}`);
  }

  /** Records that the API server permanently rejected an object, such as a claim whose class cannot expand. */
  recordRejection(object: KubernetesObject, message: string): void {
    this.#rejections.set(`${object.kind}/${object.metadata.name}`, `${textOf(object)} ${message}`);
  }

  /** Returns why the API server rejected this object; undefined if it did not. */
  rejectionOf(object: KubernetesObject): string | undefined {
    const cached = this.#rejections.get(`${object.kind}/${object.metadata.name}`);
    const text = `${textOf(object)} `;
    return cached?.startsWith(text) ? cached.slice(text.length) : undefined;
  }

  /** Clears all rejections, so that the requests are retried. */
  clearRejections(): void {
    this.#rejections.clear();
  }

  /** Stores the matches of a plan, and drops children that are no longer desired. */
  update({ desired, observed }: Pick<PlanInput, 'desired' | 'observed'>, { settled = [] }: ReconcilePlan): void {
    for (const { child, hash } of settled) this.settle(child, hash);
    this.#retain(
      new Set(
        desired.flatMap(({ kind, metadata }) => observed.child(kind, metadata.name, metadata.namespace)?.uid ?? []),
      ),
    );
  }

  #retain(children: ReadonlySet<string>): void {
    for (const uid of this.#settled.keys()) if (!children.has(uid)) this.#settled.delete(uid);
  }

  /** Number of cached results. */
  get size(): number {
    return this.#settled.size + this.#rejections.size;
  }
}

const settledKey = ({ applied, digest }: Child, hash: string): string => `${hash} ${applied ?? ''} ${digest}`;

const textOf = (object: KubernetesObject): string => contentDigest(JSON.stringify(object));
