import { apiVersion, group, version, workloadKinds, type WorkloadKind } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { listVariables, ruleVariables } from './rule-facts';
import { type PlatformRule } from './platform-rule';
import { patchValidations } from '../patches/patch-validations';
import { rulesOf } from './platform-rules';
import { type PlatformContext } from '../project-context';

const patchPolicyName = `patches.${group}`;
const policyNameOf = (kind: WorkloadKind): string => `${workloadKinds[kind].plural}.${group}`;
const kinds = Object.keys(workloadKinds) as WorkloadKind[];

/** Names of the policies of `admissionPolicies`. */
export const admissionPolicyNames: readonly string[] = [patchPolicyName, ...kinds.map(policyNameOf)];

type Rules = Pick<PlatformContext, 'platform' | 'profile' | 'runtime'>;

/**
 * Creates the admission policies with which the API server enforces the platform rules: one for the patches of all
 * workload kinds, and one per workload kind.
 */
export function admissionPolicies(cluster: Rules): KubernetesObject[] {
  return [patchPolicy(cluster), ...kinds.map((kind) => kindPolicy(cluster, kind))].flatMap(withBinding);
}

/** One policy for all kinds: the API server takes longer to compile its expressions than those of all other rules. */
const patchPolicy = (cluster: Rules): KubernetesObject =>
  draftPolicy(patchPolicyName, kinds, { validations: patchValidations(cluster) });

const kindPolicy = (cluster: Rules, kind: WorkloadKind): KubernetesObject =>
  draftPolicy(policyNameOf(kind), [kind], {
    paramKind: { apiVersion, kind: 'Platform' },
    variables: variablesOf(cluster),
    validations: rulesOf(kind).map(validation),
  });

function draftPolicy(name: string, restricted: readonly WorkloadKind[], content: object): KubernetesObject {
  const resources = restricted.map((kind) => workloadKinds[kind].plural);
  const policy = {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [{ apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources }],
    },
    // Removing finalizers must work for objects that violate the rules of a changed Platform.
    matchConditions: [{ name: 'spec-changed', expression: 'oldObject == null || object.spec != oldObject.spec' }],
    ...content,
  };
  return draftObject('ValidatingAdmissionPolicy', { name }, { spec: policy });
}

function withBinding(policy: KubernetesObject): KubernetesObject[] {
  const { name } = policy.metadata;
  const hasParams = 'paramKind' in (policy['spec'] as object);
  const binding = {
    policyName: name,
    ...(hasParams && { paramRef: { name: 'cluster', parameterNotFoundAction: 'Deny' } }),
    validationActions: ['Deny'],
  };
  return [policy, draftObject('ValidatingAdmissionPolicyBinding', { name }, { spec: binding })];
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
function variablesOf(cluster: Rules) {
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
