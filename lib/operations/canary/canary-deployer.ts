import { type ManifestInput, type WorkloadKind } from '../../api';
import { type CanaryDeploymentPath } from './canary-steps';

/** Manifest of a canary workload. */
export type CanaryInput = ManifestInput<WorkloadKind>;

/** Deployment path of the canary. */
export interface CanaryDeployer {
  readonly name: CanaryDeploymentPath;
  /** Why it is unavailable; undefined if it is available. */
  readonly missing?: string;
  /** Deploys a workload or another version of it; resolves when it is accepted. Throws a `CanaryFailure`. */
  deploy(workload: CanaryInput, signal: AbortSignal): Promise<void>;
  /** Returns whether the version deployed last is Ready. */
  isReady(workload: CanaryInput): Promise<boolean>;
  /** Rolls back to a version that was Ready. */
  rollBack(workload: CanaryInput, signal: AbortSignal): Promise<void>;
  /** Returns whether the quota blocked a workload that exceeds it; polled until it does. */
  isBlockedByQuota(workload: CanaryInput, signal: AbortSignal): Promise<boolean>;
  /** Deletes a workload; resolves when deletion has started. */
  remove(workload: CanaryInput, signal: AbortSignal): Promise<void>;
}
