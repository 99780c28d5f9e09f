import { type Problem } from '../../api';
import { formatGib } from './format-gib';
import { type Load } from '../load/load';
import { controlPlaneFamilies } from '../sizing/plan-control-plane-nodes';
import { offeredIn } from '../sizing/instance-type';
import { smallOverrides } from './small-overrides';
import { smallGroups } from '../load/node-group-problems';
import { draftCapacityPlan, type PlanDraft } from './draft-capacity-plan';
import { volumeProblems } from './volume-problems';
import { smallSizes } from './small-sizes';
import { warning } from './warning';

const GiB = 1024 ** 3;

/** Returns the problems of a plan, each with the nearest load that works, and warnings of overrides that are too small. */
export function planProblems(draft: PlanDraft): Problem[] {
  return [
    ...machineProblems(draft),
    ...etcdProblems(draft),
    ...poolProblems(draft),
    ...volumeProblems(draft),
    ...smallOverrides(draft),
    ...smallSizes(draft),
    ...smallGroups(draft.load),
    ...advice(draft),
  ];
}

function machineProblems({ load, controlPlaneNode, values }: PlanDraft): Problem[] {
  if (controlPlaneNode.type) return [];
  const sizes = offeredIn(load.region, controlPlaneFamilies);
  const most = `${Math.max(...sizes.map((one) => one.cores))} CPUs, or ${Math.max(...sizes.map((one) => one.memoryGib))} GiB`;
  const { cores, memoryBytes } = controlPlaneNode.need;
  const needed = `${Math.ceil(cores)} CPUs and ${Math.ceil(memoryBytes / GiB)} GiB in each of ${values.controlPlaneNodes.value} control plane nodes`;
  return [loadTooLarge(load, `need ${needed}, more than any EC2 size in ${load.region} has (at most ${most})`)];
}

function etcdProblems({ load, values }: PlanDraft): Problem[] {
  const { etcdStormFileBytes: file, etcdQuotaBytes: quota } = values;
  if (file.value <= quota.value) return [];
  const reason = `fill ${formatGib(file.value)} of etcd in a storm, more than its quota of ${formatGib(quota.value)}`;
  if (quota.planned === undefined) return [loadTooLarge(load, reason)];
  const path = ['overrides', 'etcdQuotaBytes'];
  return [
    warning(
      path,
      quota.value,
      `is less than the ${formatGib(file.value)} that a storm fills`,
      `use ${quota.planned}, or remove it`,
    ),
  ];
}

const poolProblems = ({ impossible }: PlanDraft): Problem[] =>
  impossible.map(({ pool, reason, remedy }) => ({ code: 'out-of-range', path: ['mix', pool], reason, remedy }));

/** Returns a problem of the whole load, with the largest part of it that is supported. */
function loadTooLarge(load: Load, reason: string): Problem {
  const nearest = largestFeasible(load);
  const remedy = nearest
    ? `plan ${nearest.nodes} nodes with ${nearest.pods} pods in this cluster, and the rest in others`
    : 'reduce what its pods, custom resources or clients request: fewer nodes alone do not help';
  return {
    code: 'out-of-range',
    path: ['nodes'],
    value: load.nodes,
    reason: `nodes and ${load.pods} pods ${reason}`,
    remedy,
  };
}

/** Returns true if machines and etcd can support a load. */
function isCarried(load: Load): boolean {
  const { controlPlaneNode, values } = draftCapacityPlan(load);
  return controlPlaneNode.type !== undefined && values.etcdStormFileBytes.value <= values.etcdQuotaBytes.value;
}

/** Returns the largest similar load that is supported; undefined if not even one node is. */
export function largestFeasible(load: Load): Load | undefined {
  let [low, high] = [1, load.nodes];
  if (!isCarried(scaled(load, low))) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isCarried(scaled(load, middle))) low = middle;
    else high = middle;
  }
  return scaled(load, low);
}

/** Scales a load to a number of nodes: pods, churn, custom resources and clients in proportion. */
export function scaled(load: Load, nodes: number): Load {
  const share = nodes / load.nodes;
  const of = (count: number): number => Math.floor(count * share);
  return {
    ...load,
    nodes,
    pods: of(load.pods),
    largestNamespacePods: of(load.largestNamespacePods),
    podsPerSecond: load.podsPerSecond * share,
    controllers: { ...load.controllers, requestsPerSecond: load.controllers.requestsPerSecond * share },
    customResources: load.customResources.map((one) => ({
      ...one,
      count: of(one.count),
      changesPerSecond: one.changesPerSecond * share,
    })),
  };
}

/** Returns warnings of known limits that a load exceeds and that no planned value can fix. */
function advice({ load, values }: PlanDraft): Problem[] {
  const { nodes, pods, largestNamespacePods, namespaces, assumed } = load;
  const tested: readonly (readonly [path: string, value: number, most: number, what: string, remedy: string])[] = [
    ['nodes', nodes, 5000, 'nodes that Kubernetes is tested with', 'test it first, or plan several clusters'],
    ['pods', pods, 150_000, 'pods that Kubernetes is tested with', 'test it first, or plan several clusters'],
    [
      'largestNamespacePods',
      assumed['largestNamespacePods'] ? 0 : largestNamespacePods,
      3000,
      'pods of a namespace that Kubernetes is tested with',
      'split the namespace',
    ],
    ['namespaces', namespaces, 10_000, 'namespaces that Kubernetes is tested with', 'plan several clusters'],
  ];
  const beyond = tested
    .filter(([, value, most]) => value > most)
    .map(([path, value, most, what, remedy]) =>
      warning([path], value, `is more than the ${most} ${what} (thresholds.md)`, remedy),
    );
  const busy = values.stormWritesPerSecond.value > 2000 || values.etcdFileBytes.value > 4e9;
  return busy
    ? [
        ...beyond,
        warning(
          ['nodes'],
          nodes,
          'writes more than 2,000 objects per second, or keeps more than 4 GB',
          'consider dedicated machines for etcd',
        ),
      ]
    : beyond;
}
