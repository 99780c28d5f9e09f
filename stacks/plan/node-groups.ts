import { tagKeys } from 'pinion/api';
import { letterOf } from './addresses';
import { type ClusterCapacity, type NodeGroupSize } from './capacity';
import { plainPool, type ClusterConfig, type PoolConfig, type Taint } from './cluster-config';
import { type GroupTag } from './control-plane';
import { launchTemplatePlan, type LaunchTemplatePlan } from './launch-template';
import { drainQueueName, nodeGroupName } from './names';
import { type Planned } from './planned';
import { autoscalerTag, kubernetesTag, tagsOf, type Tags } from './tags';

/** Label by which pods ask for a pool. */
export const poolLabel = tagKeys.pool;

/** Name of the hook that holds a node until it is drained. */
export const drainHookName = 'drain';

/** How spot machines are chosen: of several types, wherever they are least likely to be taken again. */
export interface MixedInstances {
  readonly instancesDistribution: {
    readonly onDemandBaseCapacity: 0;
    readonly onDemandPercentageAboveBaseCapacity: 0;
    readonly spotAllocationStrategy: 'price-capacity-optimized';
  };
  readonly overrides: readonly { readonly instanceType: string }[];
}

/** The Auto Scaling group of one pool, over all zones. */
export interface WorkerGroupPlan extends Planned<{
  readonly name: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly healthCheckType: 'EC2';
  readonly healthCheckGracePeriod: number;
  readonly capacityRebalance: boolean;
  /** Balancing of zones ends machines that nobody asked to end. */
  readonly suspendedProcesses: string[];
  /** New machines first, so that pods have where to go. */
  readonly instanceMaintenancePolicy: { readonly minHealthyPercentage: 100; readonly maxHealthyPercentage: 110 };
  readonly waitForCapacityTimeout: '0';
  readonly enabledMetrics: ('GroupDesiredCapacity' | 'GroupInServiceInstances')[];
}> {
  readonly subnets: readonly string[];
  readonly launchTemplate: string;
  readonly mixedInstances?: MixedInstances;
  readonly tags: readonly GroupTag[];
}

/** The hook that holds a machine on its way out; what tells of it goes to the drain queue. */
export interface DrainHookPlan extends Planned<{
  readonly name: string;
  readonly lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING';
  readonly heartbeatTimeout: number;
  readonly defaultResult: 'CONTINUE';
}> {
  readonly role: 'drain-notifier';
}

/** One pool of nodes. */
export interface NodeGroupPlan {
  readonly pool: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods: number;
  readonly drainSeconds: number;
  readonly launchTemplate: LaunchTemplatePlan;
  readonly group: WorkerGroupPlan;
  readonly drainHook: DrainHookPlan;
}

/** What nodes of a pool are, before their user data is written. */
export type NodeIdentity = Pick<NodeGroupPlan, 'pool' | 'labels' | 'taints' | 'maxPods' | 'drainSeconds'>;

/** The queue that tells of nodes to be drained. AWS's own key encrypts it, so that a notice needs no key of ours. */
export type DrainQueuePlan = Planned<{
  readonly name: string;
  readonly messageRetentionSeconds: number;
  readonly visibilityTimeoutSeconds: number;
  readonly sqsManagedSseEnabled: true;
  readonly tags: Tags;
}>;

const acceleratorTaint: Taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' };
const spotTaint: Taint = { key: 'pinion/spot', value: 'true', effect: 'NoSchedule' };

/** What each kind of pool keeps away unless pods tolerate it: costly machines, and machines that are taken again. */
const taintsOf: Readonly<Record<NodeGroupSize['kind'], readonly Taint[]>> = {
  general: [],
  memory: [],
  accelerator: [acceleratorTaint],
  spot: [spotTaint],
};

const poolConfig = (config: ClusterConfig, pool: string): PoolConfig => config.pools[pool] ?? plainPool;

/** Labels and taints of all pools. User data of workers and the Platform's pools are written from these. */
export const nodeIdentities = (config: ClusterConfig, capacity: ClusterCapacity): NodeIdentity[] =>
  capacity.nodeGroups.map(({ pool, kind, maxPods }) => {
    const { labels, taints, drainSeconds } = poolConfig(config, pool);
    const given = new Set(taints.map(({ key, effect }) => `${key}:${effect}`));
    return {
      pool,
      labels: { [poolLabel]: pool, ...labels },
      taints: [...taintsOf[kind].filter(({ key, effect }) => !given.has(`${key}:${effect}`)), ...taints],
      maxPods,
      drainSeconds,
    };
  });

/** Plans all node groups; `userData` is the text for each, by its pool. */
export const nodeGroupPlans = (
  config: ClusterConfig,
  capacity: ClusterCapacity,
  userData: Readonly<Record<string, string>>,
): NodeGroupPlan[] =>
  nodeIdentities(config, capacity).map((identity, index) => {
    const { pool } = identity;
    const size = capacity.nodeGroups[index] as NodeGroupSize;
    const name = `node-${pool}`;
    return {
      ...identity,
      launchTemplate: launchTemplatePlan(config, {
        name,
        part: 'nodes',
        role: 'worker',
        imageId: poolConfig(config, pool).image ?? config.images.worker,
        instanceType: size.instanceTypes[0] ?? '',
        rootGib: size.rootGib,
        userData: userData[pool] ?? '',
        instanceTags: { [tagKeys.pool]: pool, [kubernetesTag(config.name)]: 'owned' },
      }),
      group: groupPlan(config, identity, size),
      drainHook: {
        name,
        role: 'drain-notifier',
        args: {
          name: drainHookName,
          lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
          heartbeatTimeout: identity.drainSeconds,
          defaultResult: 'CONTINUE',
        },
      },
    };
  });

function groupPlan(config: ClusterConfig, identity: NodeIdentity, size: NodeGroupSize): WorkerGroupPlan {
  const name = `node-${size.pool}`;
  const tags = {
    ...tagsOf(config, 'nodes', name, { [tagKeys.pool]: size.pool }),
    ...autoscalerTags(config.name, identity, size),
  };
  return {
    name,
    // The autoscaler decides how many there are; a later change of the stack does not take that back.
    ignoreChanges: ['desiredCapacity'],
    subnets: config.zones.map((zone) => `private-${letterOf(zone)}`),
    launchTemplate: name,
    ...(size.kind === 'spot' && { mixedInstances: mixedInstances(size) }),
    tags: Object.entries(tags).map(([key, value]) => ({ key, value, propagateAtLaunch: false })),
    args: {
      name: nodeGroupName(config.name, size.pool),
      minSize: size.min,
      maxSize: size.max,
      desiredCapacity: size.desired,
      healthCheckType: 'EC2',
      healthCheckGracePeriod: 300,
      capacityRebalance: size.kind === 'spot',
      suspendedProcesses: ['AZRebalance'],
      instanceMaintenancePolicy: { minHealthyPercentage: 100, maxHealthyPercentage: 110 },
      waitForCapacityTimeout: '0',
      enabledMetrics: ['GroupDesiredCapacity', 'GroupInServiceInstances'],
    },
  };
}

const mixedInstances = ({ instanceTypes }: NodeGroupSize): MixedInstances => ({
  instancesDistribution: {
    onDemandBaseCapacity: 0,
    onDemandPercentageAboveBaseCapacity: 0,
    spotAllocationStrategy: 'price-capacity-optimized',
  },
  overrides: instanceTypes.map((instanceType) => ({ instanceType })),
});

/** What the autoscaler finds a group by, and knows of its nodes while there are none. */
function autoscalerTags(cluster: string, { labels, taints }: NodeIdentity, { rootGib }: NodeGroupSize): Tags {
  const template = 'k8s.io/cluster-autoscaler/node-template';
  return {
    'k8s.io/cluster-autoscaler/enabled': 'true',
    [autoscalerTag(cluster)]: 'owned',
    ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${template}/label/${key}`, value])),
    ...Object.fromEntries(taints.map(({ key, value, effect }) => [`${template}/taint/${key}`, `${value}:${effect}`])),
    [`${template}/resources/ephemeral-storage`]: `${rootGib}Gi`,
  };
}

/** Plans the queue of nodes to be drained. */
export const drainQueuePlan = (config: ClusterConfig): DrainQueuePlan => ({
  name: 'drain',
  args: {
    name: drainQueueName(config.name),
    // Auto Scaling holds no machine for longer.
    messageRetentionSeconds: 172_800,
    visibilityTimeoutSeconds: 60,
    sqsManagedSseEnabled: true,
    tags: tagsOf(config, 'nodes', 'drain'),
  },
});
