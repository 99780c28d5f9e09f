import { type ManifestInput, type WorkloadKind } from '../../api';
import { type CanaryDoorName } from './canary-steps';

/** A workload as the canary writes it. */
export type CanaryInput = ManifestInput<WorkloadKind>;

/** One way to a cluster, as the canary goes it. */
export interface CanaryDeployer {
  readonly name: CanaryDoorName;
  /** Why it cannot be gone here; undefined where it can. */
  readonly missing?: string;
  /** Brings a workload, or another version of it, to the cluster; fulfilled once it is taken. Throws a `CanaryFailure`. */
  put(workload: CanaryInput, signal: AbortSignal): Promise<void>;
  /** Whether the workload is Ready as it was put last. */
  isReady(workload: CanaryInput): Promise<boolean>;
  /** Goes back to a version that was Ready. */
  goBack(workload: CanaryInput, signal: AbortSignal): Promise<void>;
  /** Whether a workload that is far beyond the quota was held back, and why; asked again until it is. */
  isHeldBack(workload: CanaryInput, signal: AbortSignal): Promise<boolean>;
  /** Takes a workload away; fulfilled once that has begun. */
  remove(workload: CanaryInput, signal: AbortSignal): Promise<void>;
}
