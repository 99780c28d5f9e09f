import { type LiveObject } from '../../client';
import { gangKinds } from '../kinds/kind-controllers';
import { unclaimedNodes } from './unclaimed-nodes';
import { type RunPlan, type FreeNode, type GangClaim, type RunRecord } from './run-plan';
import { recordOf } from './run-record';
import { type Stores } from '../observed/stores';
import { workKey, type WorkKey } from '../work-key';

/** Capacity that starting gangs have reserved but not used yet: two gangs never start on the same capacity. */
export class GangReservations {
  readonly #claims = new Map<WorkKey, GangClaim>();
  readonly #waiting = new Set<WorkKey>();
  /** Gangs that were reconciled since the process started. */
  readonly #reconciled = new Set<WorkKey>();

  /** Records the result of a reconcile of a gang. */
  track(key: WorkKey, { record, claim }: Pick<RunPlan, 'record' | 'claim'>): void {
    this.#reconciled.add(key);
    if (claim) this.#claims.set(key, claim);
    else this.#claims.delete(key);
    if (record.gang?.phase === 'Waiting' && record.outcome === undefined) this.#waiting.add(key);
    else this.#waiting.delete(key);
  }

  /** Records a reconcile without a run plan, such as of an invalid spec: the gang keeps its claim. */
  trackUnknown(key: WorkKey): void {
    this.#reconciled.add(key);
  }

  /**
   * Returns the capacity for a gang: free capacity minus the claims of others. Of two gangs that start at the same time,
   * the earlier one has priority.
   */
  freeNodesFor(
    key: WorkKey,
    { gang }: RunRecord,
    stores: Pick<Stores, 'freeNodes' | 'resources'>,
  ): readonly FreeNode[] | undefined {
    // The claim of a gang is known after its first reconcile; until then the remaining capacity is unknown.
    const hasUnknownClaims = gangKinds
      .flatMap((kind) => stores.resources(kind))
      .some((resource) => keyOf(resource) !== key && !this.#reconciled.has(keyOf(resource)) && isStarting(resource));
    if (hasUnknownClaims) return undefined;
    return unclaimedNodes({ key, ...(gang && { gang }) }, this.#claims, stores.freeNodes());
  }

  /** Gangs that wait for capacity. */
  get waiting(): ReadonlySet<WorkKey> {
    return this.#waiting;
  }

  /** Drops the state of a deleted gang. */
  forget(key: WorkKey): void {
    this.#claims.delete(key);
    this.#waiting.delete(key);
    this.#reconciled.delete(key);
  }
}

const keyOf = ({ kind, metadata }: LiveObject): WorkKey => workKey(kind, metadata.namespace, metadata.name);

/** Returns whether members of a gang may be about to be scheduled, even if the gang was just withdrawn. */
function isStarting(resource: LiveObject): boolean {
  if (resource.metadata.deletionTimestamp !== undefined) return false;
  const { gang, outcome } = recordOf(resource['status'] as Readonly<Record<string, unknown>> | undefined);
  return gang !== undefined && gang.phase !== 'Started' && outcome === undefined;
}
