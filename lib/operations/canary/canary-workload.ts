import { apiVersion, type ManifestInput, metadataKeys, type WorkloadKind } from '../../api';
import { type CanaryDeploymentPath } from './canary-steps';
import { type CanaryWorkloadOptions } from './kinds/canary-kind';
import { canaryTests } from './kinds/canary-kinds';

/** Returns the name of a run's workload; it is the same for all runs on the submission path, so that the artifact is too. */
export function canaryWorkloadName(kind: WorkloadKind, deploymentPath: CanaryDeploymentPath, run: string): string {
  const name = `canary-${canaryTests[kind].shortName}`;
  return deploymentPath === 'submission' ? name : `${name}-${deploymentPath[0] ?? ''}-${run}`;
}

/** Returns the manifest of a small workload, as a user would write it. */
export function canaryWorkload(options: CanaryWorkloadOptions): ManifestInput<WorkloadKind> {
  const { kind, namespace, name, run, version } = options;
  const metadata = { name, namespace, labels: { [metadataKeys.canary]: run } };
  const spec = { version, ...canaryTests[kind].spec(options) };
  return { apiVersion, kind, metadata, spec } as unknown as ManifestInput<WorkloadKind>;
}
