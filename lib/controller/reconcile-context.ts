import { type LiveObject } from '../kube';
import { type PlatformCache } from './platform-cache';
import { type GangReservations } from './run/gang-reservations';
import { type ClusterWriter } from './cluster-writer';
import { type Expansions } from './workload-expansion';
import { type ReconcileCache } from './reconcile-cache';
import { type Stores } from './observed/stores';
import { workKey, type WorkKey } from './work-key';

/** What a reconcile pass looks at and acts with. */
export interface ReconcileContext {
  readonly stores: Stores;
  readonly platformCache: PlatformCache;
  readonly writer: ClusterWriter;
  readonly cache: ReconcileCache;
  readonly gangs: GangReservations;
  readonly expansions: Expansions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** When to look at a document again although nothing changed. */
export interface ReconcileResult {
  /** Milliseconds from now. */
  readonly requeueAfter?: number;
  /** Something was refused: again with back-off. */
  readonly retry?: boolean;
}

/** The key of a document as it lives. */
export const keyOfDocument = ({ kind, metadata }: LiveObject): WorkKey =>
  workKey(kind, metadata.namespace, metadata.name);
