import { type LiveObject } from '../client';
import { type PlatformCache } from './platform-cache';
import { type GatewayEnforcement } from './gateway-enforcement';
import { type GangReservations } from './run/gang-reservations';
import { type ClusterWriter } from './cluster-writer';
import { type WorkloadVerifier } from './verification/workload-verifier';
import { type ExclusiveTurn } from './rollout/exclusive-turn';
import { type MetricGate } from './rollout/metric-gate';
import { type RejectionTimes } from './rollout/rejection-times';
import { type RolloutDecisions } from './rollout/rollout-decisions';
import { type RevisionEffects } from './rollout/revision-effects';
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
  readonly effects: RevisionEffects;
  readonly rejections: RejectionTimes;
  readonly metricGate: MetricGate;
  readonly rolloutTurn: ExclusiveTurn;
  readonly rolloutDecisions: RolloutDecisions;
  readonly verifier: WorkloadVerifier;
  readonly gatewayEnforcement: GatewayEnforcement;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Returns the work queue key of a live resource. */
export const keyOfResource = ({ kind, metadata }: LiveObject): WorkKey =>
  workKey(kind, metadata.namespace, metadata.name);
