import { apiVersion, group, version, workloadKinds, type WorkloadKind } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { listVariables, ruleVariables } from './rule-facts';
import { type PlatformRule } from './platform-rule';
import { patchValidations } from '../patches/patch-validations';
import { rulesOf } from './platform-rules';
import { type PlatformContext } from '../project-context';

/** Creates one admission policy per workload kind, with which the API server enforces the platform rules. */
export function admissionPolicies(
  cluster: Pick<PlatformContext, 'platform' | 'profile' | 'runtime'>,
): KubernetesObject[] {
  return (Object.keys(workloadKinds) as WorkloadKind[]).flatMap((kind) => {
    const { plural } = workloadKinds[kind];
    const name = `${plural}.${group}`;
    const policy = {
      failurePolicy: 'Fail',
      paramKind: { apiVersion, kind: 'Platform' },
      matchConstraints: {
        resourceRules: [
          { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: [plural] },
        ],
      },
      // Removing finalizers must work for objects that violate the rules of a changed Platform.
      matchConditions: [{ name: 'spec-changed', expression: 'oldObject == null || object.spec != oldObject.spec' }],
      variables: variablesOf(cluster),
      validations: [...rulesOf(kind).map(validation), ...patchValidations(cluster)],
    };
    const binding = {
      policyName: name,
      paramRef: { name: 'cluster', parameterNotFoundAction: 'Deny' },
      validationActions: ['Deny'],
    };
    return [
      draftObject('ValidatingAdmissionPolicy', { name }, { spec: policy }),
      draftObject('ValidatingAdmissionPolicyBinding', { name }, { spec: binding }),
    ];
  });
}

function validation({ field, cel, reason, remedy, code }: PlatformRule) {
  // The type checker of Kubernetes does not know fields of any form.
  const guards = field.map((_, index) => `!has(dyn(object.spec).${field.slice(0, index + 1).join('.')})`);
  return {
    expression: guards.length === 0 ? cel : `${guards.join(' || ')} || (${cel})`,
    message: `${['spec', ...field].join('.')}: ${reason}; ${remedy}`,
    reason: code === 'required' ? 'Invalid' : 'Forbidden',
  };
}

/** Returns the CEL variables of rules: facts about the profile as literals, and the effective tier of the workload. */
function variablesOf(cluster: Pick<PlatformContext, 'platform' | 'profile' | 'runtime'>) {
  const facts = Object.entries(ruleVariables(cluster)).map(([name, value]) => ({
    name,
    expression: JSON.stringify(value),
  }));
  return [
    ...facts,
    ...listVariables(),
    { name: 'tier', expression: 'has(object.spec.tier) ? object.spec.tier : params.spec.defaultTier' },
  ];
}
