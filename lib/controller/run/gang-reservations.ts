import { type LiveObject } from '../../kube';
import { gangKinds } from '../kinds/kind-controllers';
import { unclaimedNodes } from './unclaimed-nodes';
import { type RunPlan, type FreeNode, type GangClaim, type RunRecord } from './run-plan';
import { recordOf } from './run-record';
import { type Stores } from '../observed/stores';
import { workKey, type WorkKey } from '../work-key';

/** Capacity that starting gangs have reserved and not used yet, so that two gangs never start on the same capacity. */
export class GangReservations {
  readonly #claims = new Map<WorkKey, GangClaim>();
  readonly #waiting = new Set<WorkKey>();
  /** Gangs that were reconciled since the process started. */
  readonly #known = new Set<WorkKey>();

  /** Records the result of a reconcile of a gang. */
  note(key: WorkKey, { record, claim }: Pick<RunPlan, 'record' | 'claim'>): void {
    this.#known.add(key);
    if (claim) this.#claims.set(key, claim);
    else this.#claims.delete(key);
    if (record.gang?.phase === 'Waiting' && record.outcome === undefined) this.#waiting.add(key);
    else this.#waiting.delete(key);
  }

  /** Records a reconcile without a run plan, such as of an invalid spec: the gang keeps its claim. */
  noteUnknown(key: WorkKey): void {
    this.#known.add(key);
  }

  /**
   * Returns the capacity for a gang: free capacity less the claims of others; of two that start at once the earlier one
   * has priority.
   */
  freeNodesFor(
    key: WorkKey,
    { gang }: RunRecord,
    stores: Pick<Stores, 'freeNodes' | 'documents'>,
  ): readonly FreeNode[] | undefined {
    // The claim of a gang is known after its first reconcile; until then the remaining capacity is unknown.
    const unknown = gangKinds
      .flatMap((kind) => stores.documents(kind))
      .some((document) => keyOf(document) !== key && !this.#known.has(keyOf(document)) && isStarting(document));
    if (unknown) return undefined;
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
    this.#known.delete(key);
  }
}

const keyOf = ({ kind, metadata }: LiveObject): WorkKey => workKey(kind, metadata.namespace, metadata.name);

/** Returns whether members of a gang may be about to get nodes, including those of one that was just withdrawn. */
function isStarting(document: LiveObject): boolean {
  if (document.metadata.deletionTimestamp !== undefined) return false;
  const { gang, outcome } = recordOf(document['status'] as Readonly<Record<string, unknown>> | undefined);
  return gang !== undefined && gang.phase !== 'Started' && outcome === undefined;
}
