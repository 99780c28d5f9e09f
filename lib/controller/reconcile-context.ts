import { type LiveObject } from '../kube';
import { type PlatformCache } from './platform-cache';
import { type GangReservations } from './run/gang-reservations';
import { type ClusterWriter } from './cluster-writer';
import { type WorkloadVerifier } from './verification/workload-verifier';
import { type Expansions } from './workload-expansion';
import { type ReconcileCache } from './reconcile-cache';
import { type Stores } from './observed/stores';
import { workKey, type WorkKey } from './work-key';

/** Inputs and services of a reconcile. */
export interface ReconcileContext {
  readonly stores: Stores;
  readonly platformCache: PlatformCache;
  readonly writer: ClusterWriter;
  readonly cache: ReconcileCache;
  readonly gangs: GangReservations;
  readonly expansions: Expansions;
  readonly verifier: WorkloadVerifier;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** When to requeue an unchanged object. */
export interface ReconcileResult {
  /** Milliseconds from now. */
  readonly requeueAfter?: number;
  /** Whether a request was rejected, so that the object is requeued with back-off. */
  readonly retry?: boolean;
}

/** Returns the work queue key of a live resource. */
export const keyOfResource = ({ kind, metadata }: LiveObject): WorkKey =>
  workKey(kind, metadata.namespace, metadata.name);
