import { celValue, evaluateCel, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type ProjectContext } from '../project-context';
import { ingressRules, ingressVariables } from './ingress-rules';
import { namespaceFacts } from './rule-facts';

/**
 * Reports Ingresses that the admission policy of Ingresses rejects. Generated Ingresses satisfy it, unless patches or
 * annotations change them, or another project has one of their host names.
 */
export function ingressProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const isPatched = workload.spec.patches?.some(({ kind }) => kind === 'Ingress') ?? false;
  if (!isPatched && !context.hosts.some((host) => host.startsWith('!')) && context.hosts.length > 0) return;
  for (const object of objects) {
    if (object.kind !== 'Ingress') continue;
    const path = isPatched ? ['spec', 'patches'] : ['spec', 'loadBalancer'];
    for (const { name, reason, remedy, values } of violatedIngressRules(object, context))
      report({
        code: 'not-available',
        path,
        reason: `leaves Ingress ${object.metadata.name} with ${reason}${values.length > 0 ? ` (${values.join(', ')})` : ''}`,
        remedy,
        rule: name,
      });
  }
}

/** Returns the rules that an Ingress violates, with the values that violate them. */
export function violatedIngressRules(object: KubernetesObject, context: ProjectContext) {
  const inputs = {
    object: celValue(object),
    params: celValue(context.platform),
    namespaceObject: celValue(namespaceFacts(context)),
  };
  const variables: Record<string, unknown> = {};
  for (const { name, expression } of ingressVariables)
    variables[name] = evaluateCel(expression, { ...inputs, variables });
  const isProjectKnown = !context.assumed.includes('Project');
  return ingressRules
    .filter(({ needsProject }) => !needsProject || isProjectKnown)
    .filter(({ cel }) => evaluateCel(cel, { ...inputs, variables }) !== true)
    .map(({ name, reason, remedy, values }) => ({
      name,
      reason,
      remedy,
      values: values === undefined ? [] : (evaluateCel(values, { ...inputs, variables }) as readonly string[]),
    }));
}
