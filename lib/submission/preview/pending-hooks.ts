import { hooksOf, valueAt, type Workload } from '../../api';
import { deploymentHash } from '../../expand';
import { type LiveObject } from '../../kube';

/** Returns the hooks that a deployment of a workload runs; none for a spec that was deployed before. */
export function pendingHooks(workload: Workload | undefined, live?: LiveObject): { readonly hooks?: string[] } {
  const hooks = workload ? hooksOf(workload).map(({ name }) => name) : [];
  if (!workload || hooks.length === 0) return {};
  const deployed = valueAt(live, ['status', 'beforeDeployment', 'history']) as readonly string[] | undefined;
  return deployed?.includes(deploymentHash(workload)) ? {} : { hooks };
}
