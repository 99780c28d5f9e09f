import { keys, valueAt } from '../api';
import { type LiveObject } from '../kube';
import { blockersOf, controllerOf, treatmentOf, type Blocker, type Treatment } from './nodes-blockers';

/** One pod on a node. */
export interface NodePod {
  readonly namespace: string;
  readonly name: string;
  /** What makes it, such as `PinterestService/cart`. */
  readonly workload: string;
  readonly treatment: Treatment;
  readonly blockers: readonly Blocker[];
}

/** A workload that has pods on a node. */
export interface NodeTenant {
  readonly project: string;
  readonly workload: string;
  readonly team?: string;
  readonly owner?: string;
  readonly onCall?: string;
  readonly tier?: string;
  readonly pods: number;
}

/** A machine, who runs on it, and what stands in the way of its end. */
export interface NodeReport {
  readonly name: string;
  readonly ready: boolean;
  readonly cordoned: boolean;
  /**
   * `idle`: only daemons and pods that ended are left; `drainable`: nothing blocks a drain; `blocked` otherwise.
   */
  readonly state: 'idle' | 'drainable' | 'blocked';
  /** Whether it can be taken away now: idle, or drainable. */
  readonly recyclable: boolean;
  /** Workloads whose pods a drain would move. */
  readonly tenants: readonly NodeTenant[];
  readonly daemons: number;
  readonly pods: readonly NodePod[];
}

/** What reports on nodes are made of. */
export interface NodeFacts {
  readonly nodes: readonly LiveObject[];
  readonly pods: readonly LiveObject[];
  readonly budgets: readonly LiveObject[];
  /** Projects, for teams of pods that say none. */
  readonly projects: readonly LiveObject[];
}

/** Reports on nodes, by name. */
export function reportNodes({ nodes, pods, budgets, projects }: NodeFacts): readonly NodeReport[] {
  const onNode = groupBy(pods, (pod) => String(valueAt(pod, ['spec', 'nodeName']) ?? ''));
  const inSpace = groupBy(budgets, ({ metadata }) => metadata.namespace ?? '');
  const project = new Map(projects.map((one) => [one.metadata.name, one]));
  return [...nodes]
    .sort((a, b) => compare(a.metadata.name, b.metadata.name))
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
    .sort((a, b) => compare(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));
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

function tenantsOf(pods: readonly LiveObject[], projects: ReadonlyMap<string, LiveObject>): readonly NodeTenant[] {
  const groups = groupBy(pods, (pod) => `${pod.metadata.namespace ?? ''}/${workloadOf(pod)}`);
  return [...groups.values()]
    .map((group): NodeTenant => {
      const { namespace = '', labels = {}, annotations = {} } = (group[0] as LiveObject).metadata;
      const project = projects.get(namespace);
      const team = labels[keys.team] ?? textAt(project, ['spec', 'team']);
      const onCall = textAt(project, ['spec', 'onCall']);
      const owner = annotations[keys.owner];
      const tier = labels[keys.tier] ?? textAt(group[0], ['spec', 'priorityClassName']);
      return {
        project: namespace,
        workload: workloadOf(group[0] as LiveObject),
        ...(team !== undefined && { team }),
        ...(owner !== undefined && owner !== team && { owner }),
        ...(onCall !== undefined && { onCall }),
        ...(tier !== undefined && { tier }),
        pods: group.length,
      };
    })
    .sort((a, b) => compare(`${a.project}/${a.workload}`, `${b.project}/${b.workload}`));
}

/** Ours by its labels; else what made it, a ReplicaSet's Deployment where its name says so; else the pod itself. */
function workloadOf(pod: LiveObject): string {
  const { labels = {}, name } = pod.metadata;
  const kind = labels[keys.kind];
  const own = labels[keys.workload];
  if (kind !== undefined && own !== undefined) return `${kind}/${own}`;
  const controller = controllerOf(pod);
  if (!controller) return `Pod/${name}`;
  const end = `-${labels['pod-template-hash'] ?? ''}`;
  if (controller.kind === 'ReplicaSet' && end !== '-' && controller.name.endsWith(end))
    return `Deployment/${controller.name.slice(0, -end.length)}`;
  return `${controller.kind}/${controller.name}`;
}

function isReady(node: LiveObject): boolean {
  const conditions = valueAt(node, ['status', 'conditions']);
  return (
    Array.isArray(conditions) &&
    conditions.some((one: unknown) => valueAt(one, ['type']) === 'Ready' && valueAt(one, ['status']) === 'True')
  );
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function groupBy<T>(entries: readonly T[], key: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(key(entry));
    if (group) group.push(entry);
    else groups.set(key(entry), [entry]);
  }
  return groups;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
