import { type Problem } from '../../api';
import { formatGib } from './format-gib';
import { type Load } from '../load/load';
import { scaledMix } from '../load/scaled-mix';
import { controlPlaneFamilies } from '../sizing/plan-control-plane-nodes';
import { offeredIn } from '../sizing/instance-type';
import { smallOverrides } from './small-overrides';
import { smallGroups } from '../load/node-group-problems';
import { draftCapacityPlan, type PlanDraft } from './draft-capacity-plan';
import { volumeProblems } from './volume-problems';
import { smallSizes } from './small-sizes';
import { warning } from './warning';

const GiB = 1024 ** 3;

/** Returns the problems of a plan, each with the largest supported load, and warnings about overrides that are too small. */
export function planProblems(draft: PlanDraft): Problem[] {
  return [
    ...machineProblems(draft),
    ...etcdProblems(draft),
    ...poolProblems(draft),
    ...volumeProblems(draft),
    ...smallOverrides(draft),
    ...smallSizes(draft),
    ...smallGroups(draft.load),
    ...testedLimitWarnings(draft),
  ];
}

function machineProblems({ load, controlPlaneNode, values }: PlanDraft): Problem[] {
  if (controlPlaneNode.type) return [];
  const sizes = offeredIn(load.region, controlPlaneFamilies);
  const largest = `${Math.max(...sizes.map((one) => one.cores))} CPUs, or ${Math.max(...sizes.map((one) => one.memoryGib))} GiB`;
  const { cores, memoryBytes } = controlPlaneNode.need;
  const needed = `${Math.ceil(cores)} CPUs and ${Math.ceil(memoryBytes / GiB)} GiB in each of ${values.controlPlaneNodes.value} control plane nodes`;
  return [loadTooLarge(load, `need ${needed}, more than any EC2 size in ${load.region} has (at most ${largest})`)];
}

function etcdProblems({ load, values }: PlanDraft): Problem[] {
  const { etcdStormFileBytes: stormFile, etcdQuotaBytes: quota } = values;
  if (stormFile.value <= quota.value) return [];
  const reason = `need ${formatGib(stormFile.value)} of etcd in a storm, more than its quota of ${formatGib(quota.value)}`;
  if (quota.planned === undefined) return [loadTooLarge(load, reason)];
  const path = ['overrides', 'etcdQuotaBytes'];
  return [
    warning(
      path,
      quota.value,
      `is less than the ${formatGib(stormFile.value)} that etcd needs in a storm`,
      `use ${quota.planned}, or remove it`,
    ),
  ];
}

const poolProblems = ({ impossible }: PlanDraft): Problem[] =>
  impossible.map((one) => ({ code: 'out-of-range', ...one }));

/** Returns a problem of the whole load; the remedy is the largest supported share of it. */
function loadTooLarge(load: Load, reason: string): Problem {
  const nearest = largestFeasible(load);
  const remedy = nearest
    ? `plan ${nearest.nodes} nodes with ${nearest.pods} pods in this cluster, and the rest in others`
    : 'reduce pods, custom resources or client requests: fewer nodes alone do not help';
  return {
    code: 'out-of-range',
    path: ['nodes'],
    value: load.nodes,
    reason: `nodes and ${load.pods} pods ${reason}`,
    remedy,
  };
}

/** Returns true if machines and etcd can support a load. */
function isFeasible(load: Load): boolean {
  const { controlPlaneNode, values } = draftCapacityPlan(load);
  return controlPlaneNode.type !== undefined && values.etcdStormFileBytes.value <= values.etcdQuotaBytes.value;
}

/** Returns the largest supported load with the same proportions; undefined if not even one node is supported. */
export function largestFeasible(load: Load): Load | undefined {
  let [low, high] = [1, load.nodes];
  if (!isFeasible(scaled(load, low))) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFeasible(scaled(load, middle))) low = middle;
    else high = middle;
  }
  return scaled(load, low);
}

/** Scales a load to a number of nodes; pods, churn, custom resources and clients scale in proportion. */
export function scaled(load: Load, nodes: number): Load {
  const factor = nodes / load.nodes;
  const scale = (count: number): number => Math.floor(count * factor);
  return {
    ...load,
    nodes,
    pods: scale(load.pods),
    mix: scaledMix(load.mix, factor),
    largestNamespacePods: scale(load.largestNamespacePods),
    podsPerSecond: load.podsPerSecond * factor,
    controllers: { ...load.controllers, requestsPerSecond: load.controllers.requestsPerSecond * factor },
    customResources: load.customResources.map((one) => ({
      ...one,
      count: scale(one.count),
      changesPerSecond: one.changesPerSecond * factor,
    })),
  };
}

/** Returns warnings about known limits that a load exceeds and that no planned value can fix. */
function testedLimitWarnings({ load, values }: PlanDraft): Problem[] {
  const { nodes, pods, largestNamespacePods, namespaces, assumed } = load;
  const tested: readonly (readonly [path: string, value: number, limit: number, noun: string, remedy: string])[] = [
    ['nodes', nodes, 5000, 'nodes that Kubernetes is tested with', 'test it first, or plan several clusters'],
    ['pods', pods, 150_000, 'pods that Kubernetes is tested with', 'test it first, or plan several clusters'],
    [
      'largestNamespacePods',
      assumed['largestNamespacePods'] ? 0 : largestNamespacePods,
      3000,
      'pods per namespace that Kubernetes is tested with',
      'split the namespace',
    ],
    ['namespaces', namespaces, 10_000, 'namespaces that Kubernetes is tested with', 'plan several clusters'],
  ];
  const exceeded = tested
    .filter(([, value, limit]) => value > limit)
    .map(([path, value, limit, noun, remedy]) =>
      warning([path], value, `exceeds the ${limit} ${noun} (thresholds.md)`, remedy),
    );
  const isEtcdBusy = values.stormWritesPerSecond.value > 2000 || values.etcdFileBytes.value > 4e9;
  return isEtcdBusy
    ? [
        ...exceeded,
        warning(
          ['nodes'],
          nodes,
          'cause more than 2,000 etcd writes per second, or an etcd file of more than 4 GB',
          'consider dedicated machines for etcd',
        ),
      ]
    : exceeded;
}
