import { type PodSpec, type Toleration } from '../../api';
import { type FreeNode } from './conducted';

type Term = NonNullable<
  NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];
type Requirement = NonNullable<Term['matchExpressions']>[number];

/** Whether a node takes a pod by selectors, required node affinity, taints and a node that the pod names. */
export function admits(node: FreeNode, pod: PodSpec): boolean {
  const terms = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    (pod.nodeName === undefined || pod.nodeName === node.name) &&
    Object.entries(pod.nodeSelector ?? {}).every(([key, value]) => node.labels[key] === value) &&
    (terms === undefined || terms.some((term) => matches(node, term))) &&
    node.taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.tolerations, taint))
  );
}

/** A term without a requirement matches nothing, as in the scheduler. */
function matches(node: FreeNode, { matchExpressions = [], matchFields = [] }: Term): boolean {
  return (
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((requirement) => meets(node.labels[requirement.key], requirement)) &&
    matchFields.every((requirement) => requirement.key === 'metadata.name' && meets(node.name, requirement))
  );
}

function meets(value: string | undefined, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

const tolerates = (tolerations: readonly Toleration[] | undefined, taint: FreeNode['taints'][number]): boolean =>
  (tolerations ?? []).some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
