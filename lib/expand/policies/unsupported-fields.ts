import { checkNative, podTemplatesOf, type Problem, type Workload } from '../../api';
import { type ProjectContext } from '../project-context';

/** Reports native pod fields that the Platform's Kubernetes version does not support. */
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
