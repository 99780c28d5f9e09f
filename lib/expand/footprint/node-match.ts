import { amountsOf, entriesAt, textAt, valueAt, type ResourceList, type PodSpec, type Toleration } from '../../api';
import { type SomeObject } from './footprint';

type Term = NonNullable<
  NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];
type Requirement = NonNullable<Term['matchExpressions']>[number];

/** Labels and taints of a node, which determine the pods that the scheduler places on it. */
export interface NodeOffer {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** Node with its allocatable resources. */
export interface SchedulableNode extends NodeOffer {
  /** By the resource names of nodes: `cpu`, `memory`, `pods`. */
  readonly allocatable: ResourceList;
}

/** Converts a Node of the API server to a node that is assumed to be empty and schedulable. */
export function nodeOf({ metadata, ...node }: SomeObject): SchedulableNode {
  const labels = (metadata as { readonly labels?: Readonly<Record<string, string>> }).labels ?? {};
  const taints = entriesAt(node, 'spec', 'taints').flatMap((taint) => {
    const [key, effect, value] = [textAt(taint, 'key'), textAt(taint, 'effect'), textAt(taint, 'value')];
    // Kubernetes sets these taints on unhealthy or cordoned nodes, and daemons tolerate them.
    if (key === undefined || effect === undefined || key.startsWith('node.kubernetes.io/')) return [];
    return [{ key, effect, ...(value !== undefined && { value }) }];
  });
  return { name: metadata.name, labels, taints, allocatable: amountsOf(valueAt(node, ['status', 'allocatable'])) };
}

/** Returns whether a node admits a pod by node selector, required node affinity, taints and node name. */
export function admits(node: NodeOffer, pod: PodSpec): boolean {
  const terms = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    (pod.nodeName === undefined || pod.nodeName === node.name) &&
    Object.entries(pod.nodeSelector ?? {}).every(([key, value]) => node.labels[key] === value) &&
    (terms === undefined || terms.some((term) => matches(node, term))) &&
    node.taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.tolerations, taint))
  );
}

/** Returns whether a node matches a term; as in the scheduler, a term without requirements matches no node. */
function matches(node: NodeOffer, { matchExpressions = [], matchFields = [] }: Term): boolean {
  return (
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((requirement) => meetsRequirement(node.labels[requirement.key], requirement)) &&
    matchFields.every((requirement) => requirement.key === 'metadata.name' && meetsRequirement(node.name, requirement))
  );
}

function meetsRequirement(value: string | undefined, { operator, values = [] }: Requirement): boolean {
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

const tolerates = (tolerations: readonly Toleration[] | undefined, taint: NodeOffer['taints'][number]): boolean =>
  (tolerations ?? []).some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
