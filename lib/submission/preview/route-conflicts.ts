import { valueAt, type Problem } from '../../api';
import { WorkloadSet } from '../../expand';
import { type LiveObject } from '../../kube';
import { workloadReference } from './changes';
import { type ExpandedWorkload, type TargetSnapshot } from './target-snapshot';

/** Workloads to deploy, and what stays of the project. */
interface DeployedRoutes {
  readonly target: TargetSnapshot;
  readonly workloads: readonly ExpandedWorkload[];
  /** Workloads of the project on the target that the deployment neither replaces nor removes. */
  readonly others: readonly LiveObject[];
}

/** Warns about host names and paths that another workload of the project has on the target, from which they may be moved. */
export function routeConflicts({ target, workloads, others }: DeployedRoutes): readonly Problem[] {
  const set = new WorkloadSet();
  for (const { workload, objects, context } of workloads) {
    const { namespace, name } = workload.metadata;
    set.add(`${workload.kind} ${namespace}/${name}`, workload, objects, context);
  }
  if (!set.hasRoutes) return [];
  const ingresses = others
    .filter((one) => valueAt(one, ['spec', 'loadBalancer']) !== undefined)
    .flatMap((one) => target.expandLive(one)?.objects ?? [])
    .filter(({ kind }) => kind === 'Ingress');
  return set.liveProblems({ ingresses, isAbsent: () => false }).map((one) => ({ ...one, severity: 'warning' }));
}

/** Returns the live workloads that are not among some others. */
export function liveBesides(
  live: readonly LiveObject[],
  others: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[],
): readonly LiveObject[] {
  const names = new Set(others.map(workloadReference));
  return live.filter((one) => !names.has(workloadReference(one)));
}
