import {
  compareQuantities,
  hooksOf,
  parseQuantity,
  podTemplatesOf,
  type Container,
  type FieldPath,
  type Problem,
  type Workload,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';
import { type ProjectContext } from '../project-context';
import { overridesOf } from './overrides-of';

/**
 * Reports containers with a memory limit above the maximum of the Project's LimitRange.
 *
 * The API server would accept the workload and reject its pods later, without an error for the user.
 */
export function memoryLimitProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const maximumText = context.project.spec.maxContainer?.memory;
  const maximum = maximumText === undefined ? undefined : parseQuantity(maximumText);
  if (!maximum) return;
  const reported = new Set<string>();
  for (const { name, resources } of objects.flatMap(containersOf)) {
    const limit = resources?.limits?.['memory'];
    const amount = limit === undefined ? undefined : parseQuantity(limit);
    const key = `${name} ${limit}`;
    if (reported.has(key) || !amount || compareQuantities(amount, maximum) <= 0) continue;
    reported.add(key);
    report({
      code: 'not-available',
      path: pathOf(workload, name, limit),
      value: limit,
      reason: `is the memory limit of the container ${name}, and the Project allows at most ${maximumText}`,
      remedy: "lower it, or raise the Project's maxContainer.memory",
      rule: 'container-bound',
    });
  }
}

/** Lists the containers of an object's pods. */
function containersOf(object: KubernetesObject): readonly Container[] {
  const pod = podSpecOf(object);
  return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
}

/** Returns the path of a container's or hook's memory limit, or `sidecars` for a container of a part. */
function pathOf(workload: Workload, name: string, limit: unknown): FieldPath {
  for (const { template, path } of podTemplatesOf(workload)) {
    for (const list of ['containers', 'initContainers'] as const) {
      const index = template.spec[list]?.findIndex((container) => container.name === name) ?? -1;
      if (index < 0) continue;
      const ofTemplate = [...path, 'spec', list, index, 'resources', 'limits', 'memory'];
      return (index === 0 && list === 'containers' && overriddenLimit(workload, limit)) || ofTemplate;
    }
  }
  const hook = hooksOf(workload).findIndex((one) => one.name === name);
  return hook < 0 ? ['spec', 'sidecars'] : ['spec', 'beforeDeployment', hook, 'resources', 'limits', 'memory'];
}

/** Returns the path of a memory limit of the first container that an override sets; undefined if none does. */
function overriddenLimit(workload: Workload, limit: unknown): FieldPath | undefined {
  const found = overridesOf(workload).find(({ overrides }) => overrides.resources?.limits?.['memory'] === limit);
  return found && [...found.path, 'resources', 'limits', 'memory'];
}
