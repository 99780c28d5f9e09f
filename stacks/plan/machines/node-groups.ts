import { tagKeys } from '@pinion-platform/pinion/api';
import { letterOf } from '../network/addresses';
import { type ClusterCapacity, type NodeGroupSize } from './cluster-capacity';
import { defaultPoolConfig, type ClusterConfig, type PoolConfig, type Taint } from '../config/cluster-config';
import { type GroupTag } from './control-plane';
import { launchTemplatePlan, type LaunchTemplatePlan } from './launch-template';
import { drainQueueName, nodeGroupName } from '../names';
import { type PlannedResource } from '../planned-resource';
import { autoscalerTag, kubernetesTag, tagsOf, type Tags } from '../tags';

/** Label with which pods select a pool. */
export const poolLabel = tagKeys.pool;

/** Name of the lifecycle hook that delays termination until a node is drained. */
export const drainHookName = 'drain';

/** Spot settings: several instance types, from the capacity pools that are least likely to be interrupted. */
export interface MixedInstances {
  readonly instancesDistribution: {
    readonly onDemandBaseCapacity: 0;
    readonly onDemandPercentageAboveBaseCapacity: 0;
    readonly spotAllocationStrategy: 'price-capacity-optimized';
  };
  readonly overrides: readonly { readonly instanceType: string }[];
}

/** Auto Scaling group of a pool, across all zones. */
export interface WorkerGroupPlan extends PlannedResource<{
  readonly name: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly healthCheckType: 'EC2';
  readonly healthCheckGracePeriod: number;
  readonly capacityRebalance: boolean;
  /** Zone rebalancing terminates machines on its own. */
  readonly suspendedProcesses: string[];
  /** Launch before terminate, so that pods can move. */
  readonly instanceMaintenancePolicy: { readonly minHealthyPercentage: 100; readonly maxHealthyPercentage: 110 };
  readonly waitForCapacityTimeout: '0';
  readonly enabledMetrics: ('GroupDesiredCapacity' | 'GroupInServiceInstances')[];
}> {
  readonly subnets: readonly string[];
  readonly launchTemplate: string;
  readonly mixedInstances?: MixedInstances;
  readonly tags: readonly GroupTag[];
}

/** Lifecycle hook of terminating machines; its notifications go to the drain queue. */
export interface DrainHookPlan extends PlannedResource<{
  readonly name: string;
  readonly lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING';
  readonly heartbeatTimeout: number;
  readonly defaultResult: 'CONTINUE';
}> {
  readonly role: 'drain-notifier';
}

/** Node pool. */
export interface NodePoolPlan {
  readonly pool: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods: number;
  readonly drainSeconds: number;
  readonly launchTemplate: LaunchTemplatePlan;
  readonly group: WorkerGroupPlan;
  readonly drainHook: DrainHookPlan;
}

/** Labels, taints and limits of the nodes of a pool, from which their user data is generated. */
export type NodeIdentity = Pick<NodePoolPlan, 'pool' | 'labels' | 'taints' | 'maxPods' | 'drainSeconds'>;

/** Queue of nodes to drain. Encrypted with SQS's own key, so that AWS services can send to it. */
export type DrainQueuePlan = PlannedResource<{
  readonly name: string;
  readonly messageRetentionSeconds: number;
  readonly visibilityTimeoutSeconds: number;
  readonly sqsManagedSseEnabled: true;
  readonly tags: Tags;
}>;

const acceleratorTaint: Taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' };
/** Keeps pods away whose images may lack the architecture, as GKE does. */
const arm64Taint: Taint = { key: 'kubernetes.io/arch', value: 'arm64', effect: 'NoSchedule' };
const spotTaint: Taint = { key: 'pinion/spot', value: 'true', effect: 'NoSchedule' };

/** Default taints by kind of pool: expensive machines, and interruptible ones. */
const kindTaints: Readonly<Record<NodeGroupSize['kind'], readonly Taint[]>> = {
  general: [],
  memory: [],
  accelerator: [acceleratorTaint],
  spot: [spotTaint],
};

const taintsOf = ({ kind, architecture }: NodeGroupSize): readonly Taint[] =>
  architecture === 'arm64' ? [...kindTaints[kind], arm64Taint] : kindTaints[kind];

const poolConfig = (config: ClusterConfig, pool: string): PoolConfig => config.pools[pool] ?? defaultPoolConfig;

/** Returns labels, taints and limits of all pools; user data of workers and pools of the Platform follow from them. */
export const nodeIdentities = (config: ClusterConfig, capacity: ClusterCapacity): NodeIdentity[] =>
  capacity.nodeGroups.map((group) => {
    const { pool, maxPods } = group;
    const { labels, taints, drainSeconds } = poolConfig(config, pool);
    const configured = new Set(taints.map(({ key, effect }) => `${key}:${effect}`));
    return {
      pool,
      labels: { [poolLabel]: pool, ...labels },
      taints: [...taintsOf(group).filter(({ key, effect }) => !configured.has(`${key}:${effect}`)), ...taints],
      maxPods,
      drainSeconds,
    };
  });

/** Plans all node groups; `userData` is in base64, by pool. */
export const nodeGroupPlans = (
  config: ClusterConfig,
  capacity: ClusterCapacity,
  userData: Readonly<Record<string, string>>,
): NodePoolPlan[] =>
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
    // The autoscaler manages the size; a later stack update must not reset it.
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

/** Returns the tags for autodiscovery and the node template of an empty group. */
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

/** Plans the queue of nodes to drain. */
export const drainQueuePlan = (config: ClusterConfig): DrainQueuePlan => ({
  name: 'drain',
  args: {
    name: drainQueueName(config.name),
    // Maximum time that a lifecycle hook can delay termination.
    messageRetentionSeconds: 172_800,
    visibilityTimeoutSeconds: 60,
    sqsManagedSseEnabled: true,
    tags: tagsOf(config, 'nodes', 'drain'),
  },
});
