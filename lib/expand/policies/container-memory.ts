import {
  compareQuantities,
  parseQuantity,
  podTemplatesOf,
  type Container,
  type FieldPath,
  type PodSpec,
  type Problem,
  type Workload,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type ProjectContext } from '../project-context';

/**
 * Reports containers with a higher memory limit than the Project's LimitRange lets a container have.
 *
 * The API server would accept the workload and refuse its pods later, out of sight.
 */
export function boundProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const bound = context.project.spec.maxContainer?.memory;
  const most = bound === undefined ? undefined : parseQuantity(bound);
  if (!most) return;
  const told = new Set<string>();
  for (const { name, resources } of objects.flatMap(containersOf)) {
    const limit = resources?.limits?.['memory'];
    const amount = limit === undefined ? undefined : parseQuantity(limit);
    if (told.has(name) || !amount || compareQuantities(amount, most) <= 0) continue;
    told.add(name);
    report({
      code: 'not-available',
      path: placeOf(workload, name),
      value: limit,
      reason: `is the memory limit of the container ${name}, and the Project lets none have more than ${bound}`,
      remedy: "lower it, or raise the Project's maxContainer.memory",
      rule: 'container-bound',
    });
  }
}

/** Containers of the pods that an object makes. */
function containersOf({ spec }: KubernetesObject): readonly Container[] {
  const { jobTemplate, template } = (spec ?? {}) as { jobTemplate?: { spec: unknown }; template?: { spec?: PodSpec } };
  const pod = jobTemplate ? (jobTemplate.spec as { template: { spec?: PodSpec } }).template.spec : template?.spec;
  return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
}

/** Where a person says how much memory a container has; one of a part is a choice about sidecars. */
function placeOf(workload: Workload, name: string): FieldPath {
  for (const { template, path } of podTemplatesOf(workload)) {
    for (const list of ['containers', 'initContainers'] as const) {
      const index = template.spec[list]?.findIndex((container) => container.name === name) ?? -1;
      if (index >= 0) return [...path, 'spec', list, index, 'resources', 'limits', 'memory'];
    }
  }
  return ['spec', 'sidecars'];
}
