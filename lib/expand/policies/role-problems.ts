import { metadataKeys, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { ownsRole } from '../platform/iam-roles';
import { type ProjectContext } from '../project-context';
import { foreignRoleReason, foreignRoleRemedy } from './iam-role-policy';

/**
 * Reports service accounts whose annotation selects an IAM role of another project, which the admission policy of service
 * accounts rejects: annotations of a workload apply to all its objects.
 */
export function roleProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  if (context.assumed.includes('Project')) return;
  for (const { kind, metadata } of objects) {
    const role = metadata.annotations?.[metadataKeys.webIdentityRole];
    if (kind !== 'ServiceAccount' || role === undefined || ownsRole(context.iamRoles, role)) continue;
    const isOwn = workload.spec.annotations?.[metadataKeys.webIdentityRole] !== undefined;
    report({
      code: 'not-available',
      path: [...(isOwn ? ['spec'] : ['metadata']), 'annotations', metadataKeys.webIdentityRole],
      value: role,
      reason: foreignRoleReason,
      remedy: foreignRoleRemedy,
      rule: 'iam-role-annotation-owned',
    });
  }
}
