import { checkNative, type Problem, type Workload } from '../../api';
import { type ProjectContext } from '../project-context';

/** Reports native fields of the person's pods that the Platform's Kubernetes version does not know. */
export function unsupportedFields(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const version = context.platform.spec.kubernetesVersion;
  if (version === '1.36') return;
  for (const { template, path } of podTemplatesOf(workload)) {
    checkNative(
      'PodSpec',
      template.spec,
      [...path, 'spec'],
      (problem) => {
        if (problem.code === 'unsupported-field') report(problem);
      },
      { version },
    );
  }
}

/** Every pod template that a person wrote in a workload, with its path. */
export function podTemplatesOf(workload: Workload) {
  const { spec } = workload;
  const own = spec.template ? [{ template: spec.template, path: ['spec', 'template'] as (string | number)[] }] : [];
  if (workload.kind !== 'PinterestTrainingJob') return own;
  const roles = Object.entries(workload.spec.roles).flatMap(([role, { template }]) =>
    template ? [{ template, path: ['spec', 'roles', role, 'template'] as (string | number)[] }] : [],
  );
  return [...own, ...roles];
}
