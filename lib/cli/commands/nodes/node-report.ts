import { valueAt } from '../../../api';
import { type LiveObject } from '../../../kube';
import { blockersOf, isReady, treatmentOf, type Blocker, type Treatment } from '../../../operations';
import { groupBy, byName } from '../../output/group-by';

import { tenantsOf, type NodeTenant } from './tenants';
import { workloadOf } from './workload-of';

/** One pod on a node. */
export interface NodePod {
  readonly namespace: string;
  readonly name: string;
  /** Workload that it belongs to, such as `PinterestService/cart`. */
  readonly workload: string;
  readonly treatment: Treatment;
  readonly blockers: readonly Blocker[];
}

/** A machine, its tenants, and what blocks draining it. */
export interface NodeReport {
  readonly name: string;
  readonly ready: boolean;
  readonly cordoned: boolean;
  /** `idle`: only daemons and pods that ended are left; `drainable`: nothing blocks a drain; `blocked` otherwise. */
  readonly state: 'idle' | 'drainable' | 'blocked';
  /** Whether it can be removed now: it is idle or drainable. */
  readonly recyclable: boolean;
  /** Workloads whose pods a drain would move. */
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

/** Reports on nodes, by name. */
export function reportNodes({ nodes, pods, budgets, projects }: NodeReportInput): readonly NodeReport[] {
  const onNode = groupBy(pods, (pod) => String(valueAt(pod, ['spec', 'nodeName']) ?? ''));
  const inSpace = groupBy(budgets, ({ metadata }) => metadata.namespace ?? '');
  const project = new Map(projects.map((one) => [one.metadata.name, one]));
  return [...nodes]
    .sort(byName((node) => node.metadata.name))
    .map((node) => reportNode(node, onNode.get(node.metadata.name) ?? [], inSpace, project));
}

function reportNode(
  node: LiveObject,
  pods: readonly LiveObject[],
  budgets: ReadonlyMap<string, readonly LiveObject[]>,
  projects: ReadonlyMap<string, LiveObject>,
): NodeReport {
  const looked = pods
    .map((pod): NodePod => {
      const { name, namespace = '' } = pod.metadata;
      const blockers = blockersOf(pod, budgets.get(namespace) ?? []);
      return { namespace, name, workload: workloadOf(pod), treatment: treatmentOf(pod), blockers };
    })
    .sort(byName(({ namespace, name }) => `${namespace}/${name}`));
  const moved = pods.filter((pod) => treatmentOf(pod) === 'evicted');
  const blocked = looked.some(({ blockers }) => blockers.length > 0);
  const state = moved.length === 0 ? 'idle' : blocked ? 'blocked' : 'drainable';
  return {
    name: node.metadata.name,
    ready: isReady(node),
    cordoned: valueAt(node, ['spec', 'unschedulable']) === true,
    state,
    recyclable: state !== 'blocked',
    tenants: tenantsOf(moved, projects),
    daemons: looked.filter(({ treatment }) => treatment === 'daemon').length,
    pods: looked,
  };
}
