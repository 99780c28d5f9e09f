import { amountsOf, entriesAt, textAt, valueAt, type ResourceList, type PodSpec, type Toleration } from '../../api';
import { type SomeObject } from './footprint';

type Term = NonNullable<
  NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];
type Requirement = NonNullable<Term['matchExpressions']>[number];

/** What a node says to the scheduler about which pods it takes. */
export interface NodeOffer {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** A node, with all that pods on it may ask for. */
export interface SchedulableNode extends NodeOffer {
  /** By the names that nodes have: `cpu`, `memory`, `pods`. */
  readonly allocatable: ResourceList;
}

/** What a Node of the API server says about which pods it could hold, were it empty and open to new ones. */
export function nodeOf({ metadata, ...node }: SomeObject): SchedulableNode {
  const labels = (metadata as { readonly labels?: Readonly<Record<string, string>> }).labels ?? {};
  const taints = entriesAt(node, 'spec', 'taints').flatMap((taint) => {
    const [key, effect, value] = [textAt(taint, 'key'), textAt(taint, 'effect'), textAt(taint, 'value')];
    // Kubernetes sets these by itself while a node is not well or not open, and lets daemons pass.
    if (key === undefined || effect === undefined || key.startsWith('node.kubernetes.io/')) return [];
    return [{ key, effect, ...(value !== undefined && { value }) }];
  });
  return { name: metadata.name, labels, taints, allocatable: amountsOf(valueAt(node, ['status', 'allocatable'])) };
}

/** Whether a node takes a pod by selectors, required node affinity, taints and a node that the pod names. */
export function admits(node: NodeOffer, pod: PodSpec): boolean {
  const terms = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    (pod.nodeName === undefined || pod.nodeName === node.name) &&
    Object.entries(pod.nodeSelector ?? {}).every(([key, value]) => node.labels[key] === value) &&
    (terms === undefined || terms.some((term) => matches(node, term))) &&
    node.taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.tolerations, taint))
  );
}

/** A term without a requirement matches nothing, as in the scheduler. */
function matches(node: NodeOffer, { matchExpressions = [], matchFields = [] }: Term): boolean {
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

const tolerates = (tolerations: readonly Toleration[] | undefined, taint: NodeOffer['taints'][number]): boolean =>
  (tolerations ?? []).some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
