import { valueAt } from '../../../api';
import { type LiveObject } from '../../../kube';
import { blockersOf, isReady, treatmentOf, type Blocker, type Treatment } from '../../../operations';
import { groupBy, byName } from '../../output/group-by';

import { tenantsOf, type NodeTenant } from './tenants';
import { workloadOf } from './workload-of';

/** A pod on a node. */
export interface NodePod {
  readonly namespace: string;
  readonly name: string;
  /** Workload of the pod, such as `PinterestService/cart`. */
  readonly workload: string;
  readonly treatment: Treatment;
  readonly blockers: readonly Blocker[];
}

/** A machine, its tenants, and what blocks draining it. */
export interface NodeReport {
  readonly name: string;
  readonly ready: boolean;
  readonly cordoned: boolean;
  /** `idle`: only daemon pods and finished pods are left; `drainable`: nothing blocks a drain; `blocked` otherwise. */
  readonly state: 'idle' | 'drainable' | 'blocked';
  /** Whether it can be removed now: it is idle or drainable. */
  readonly recyclable: boolean;
  /** Workloads whose pods a drain would evict. */
  readonly tenants: readonly NodeTenant[];
  readonly daemons: number;
  readonly pods: readonly NodePod[];
}

/** Input of the node reports. */
export interface NodeReportInput {
  readonly nodes: readonly LiveObject[];
  readonly pods: readonly LiveObject[];
  readonly budgets: readonly LiveObject[];
  /** Projects, whose teams are the defaults of their pods. */
  readonly projects: readonly LiveObject[];
}

/** Returns reports on nodes, sorted by name. */
export function reportNodes({ nodes, pods, budgets, projects }: NodeReportInput): readonly NodeReport[] {
  const podsByNode = groupBy(pods, (pod) => String(valueAt(pod, ['spec', 'nodeName']) ?? ''));
  const budgetsByNamespace = groupBy(budgets, ({ metadata }) => metadata.namespace ?? '');
  const projectsByName = new Map(projects.map((project) => [project.metadata.name, project]));
  return [...nodes]
    .sort(byName((node) => node.metadata.name))
    .map((node) => reportNode(node, podsByNode.get(node.metadata.name) ?? [], budgetsByNamespace, projectsByName));
}

function reportNode(
  node: LiveObject,
  pods: readonly LiveObject[],
  budgets: ReadonlyMap<string, readonly LiveObject[]>,
  projects: ReadonlyMap<string, LiveObject>,
): NodeReport {
  const nodePods = pods
    .map((pod): NodePod => {
      const { name, namespace = '' } = pod.metadata;
      const blockers = blockersOf(pod, budgets.get(namespace) ?? []);
      return { namespace, name, workload: workloadOf(pod), treatment: treatmentOf(pod), blockers };
    })
    .sort(byName(({ namespace, name }) => `${namespace}/${name}`));
  const evictedPods = pods.filter((pod) => treatmentOf(pod) === 'evicted');
  const blocked = nodePods.some(({ blockers }) => blockers.length > 0);
  const state = evictedPods.length === 0 ? 'idle' : blocked ? 'blocked' : 'drainable';
  return {
    name: node.metadata.name,
    ready: isReady(node),
    cordoned: valueAt(node, ['spec', 'unschedulable']) === true,
    state,
    recyclable: state !== 'blocked',
    tenants: tenantsOf(evictedPods, projects),
    daemons: nodePods.filter(({ treatment }) => treatment === 'daemon').length,
    pods: nodePods,
  };
}
