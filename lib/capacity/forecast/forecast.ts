import { maxWorkers } from '../sizing/autoscaler-plan';
import { type Unit } from '../plan/figure';
import { trendOf } from './trend';
import { dateOf, type ClusterUsage } from './usage-history';
import { instanceTypes } from '../sizing/instance-type';
import { type Load } from '../load/load';
import { scaledMix } from '../load/scaled-mix';
import { type CapacityPlan } from '../plan/capacity-plan';
import { draftCapacityPlan, type PlanDraft } from '../plan/draft-capacity-plan';
import { largestFeasible } from '../plan/plan-problems';
import { type PlannedName } from '../plan/planned-values';

const GiB = 1024 ** 3;

/** Forecast of when a cluster reaches one of its limits. */
export interface ForecastLimit {
  readonly name: string;
  readonly unit: Unit;
  /** Value of the trend on the last day of the history. */
  readonly now: number;
  readonly limit: number;
  readonly perDay: number;
  /** Whether usage is over the limit on the last day of the history. */
  readonly exceeded: boolean;
  /** Dates on which it is reached: by the trend, and at the 95% confidence bounds; undefined if never. */
  readonly reached: string | undefined;
  readonly earliest: string | undefined;
  readonly latest: string | undefined;
  /** How to raise the limit. */
  readonly remedy: string;
}

/** A planned value that must be raised. */
export interface Purchase {
  readonly name: string;
  readonly now: string | number;
  readonly then: string | number;
}

/** Forecast from a usage history. */
export interface Forecast {
  readonly until: string;
  readonly limits: readonly ForecastLimit[];
  /** Usage on the last day of the horizon, at the upper bound of its growth. */
  readonly then: { readonly nodes: number; readonly pods: number; readonly requestsPerSecond: number };
  /** Planned values for that usage that differ from today's. */
  readonly purchases: readonly Purchase[];
  /** Reason why no plan supports that usage; absent if one does. */
  readonly blocker?: string;
}

interface LimitDefinition {
  readonly name: string;
  readonly unit: Unit;
  readonly remedy: string;
  readonly current: (usage: ClusterUsage, draft: PlanDraft) => number;
  readonly limit: (plan: CapacityPlan) => number;
}

const controlPlaneType = ({ values }: CapacityPlan) => instanceTypes.get(values.controlPlaneInstanceType.value);

const limitDefinitions: readonly LimitDefinition[] = [
  {
    name: 'nodes',
    unit: 'nodes',
    remedy: 'raise the maximum size of the node groups, and autoscalerMaxNodes',
    current: ({ nodes }) => nodes,
    limit: ({ values, nodeGroups }) =>
      maxWorkers(nodeGroups, values.autoscalerMaxNodes.value, values.controlPlaneNodes.value),
  },
  {
    name: 'pods',
    unit: 'pods',
    remedy: 'raise the maximum size of the node groups',
    current: ({ pods }) => pods,
    limit: ({ nodeGroups }) => nodeGroups.reduce((sum, { max, maxPods }) => sum + max.value * maxPods.value, 0),
  },
  {
    name: 'API requests: CPUs per control plane node',
    unit: 'cores',
    remedy: 'use a larger controlPlaneInstanceType, or find the clients that send the most requests',
    current: (_, { values }) => values.controlPlaneNodeCores.value,
    limit: (plan) => controlPlaneType(plan)?.cores ?? 0,
  },
  {
    name: 'API requests: seats per server in a storm',
    unit: 'seats',
    remedy: 'raise maxRequestsInflight up to 1,500 seats; beyond that, use another cluster',
    current: (_, { values }) => 1.5 * values.stormSeats.value,
    limit: ({ values }) => values.maxRequestsInflight.value + values.maxMutatingRequestsInflight.value,
  },
  {
    name: 'memory of a control plane node',
    unit: 'bytes',
    remedy: 'use a larger controlPlaneInstanceType',
    current: (_, { values }) => values.controlPlaneNodeMemoryBytes.value,
    limit: (plan) => (controlPlaneType(plan)?.memoryGib ?? 0) * GiB,
  },
  {
    name: 'etcd: 60% of its quota',
    unit: 'bytes',
    remedy: 'find the cause: more objects, larger objects, or more frequent updates',
    current: ({ etcdBytes }) => etcdBytes,
    limit: ({ values }) => 0.6 * values.etcdQuotaBytes.value,
  },
  {
    name: 'etcd: quota, at which writes are rejected',
    unit: 'bytes',
    remedy: 'a larger quota is not recommended: use another cluster, or fewer objects',
    current: ({ etcdBytes }) => etcdBytes,
    limit: ({ values }) => values.etcdQuotaBytes.value,
  },
];

/** Forecasts when usage reaches each limit of a plan, and which values to raise for the days after the last sample. */
export function forecast(plan: CapacityPlan, usage: readonly ClusterUsage[], horizonDays: number): Forecast {
  const last = usage.at(-1)?.day ?? 0;
  const drafts = usage.map((one) => draftCapacityPlan(loadOf(plan.load, one)));
  const limits = limitDefinitions.map((one): ForecastLimit => {
    const trend = trendOf(
      usage.map((sample, index) => ({ day: sample.day, value: one.current(sample, drafts[index] as PlanDraft) })),
    );
    const limit = one.limit(plan);
    const date = (slope: number): string | undefined => {
      const day = trend.reaches(limit, slope);
      return day === undefined ? undefined : dateOf(day);
    };
    return {
      name: one.name,
      unit: one.unit,
      now: trend.at(last),
      limit,
      exceeded: trend.at(last) > limit,
      perDay: trend.perDay,
      reached: date(trend.perDay),
      earliest: date(trend.upper),
      latest: date(trend.lower),
      remedy: one.remedy,
    };
  });
  const then = usageAt(usage, horizonDays);
  const load = loadOf(plan.load, { ...then, day: last, etcdBytes: 0 });
  const draft = draftCapacityPlan(load);
  const isSupported =
    draft.controlPlaneNode.type !== undefined &&
    draft.values.etcdStormFileBytes.value <= draft.values.etcdQuotaBytes.value;
  const largest = isSupported ? undefined : largestFeasible(load);
  return {
    until: dateOf(last + horizonDays) ?? '',
    limits,
    then,
    purchases: purchases(plan, draft),
    ...(!isSupported && {
      blocker: `no single cluster supports that${largest ? `: at most ${largest.nodes} nodes with ${largest.pods} pods` : ''}`,
    }),
  };
}

/** Returns the load of a plan with measured instead of expected usage. */
function loadOf(load: Load, { nodes, pods, requestsPerSecond }: ClusterUsage): Load {
  const count = Math.max(1, Math.ceil(nodes));
  const share = load.pods === 0 ? 1 : pods / load.pods;
  return {
    ...load,
    nodes: count,
    pods: Math.ceil(pods),
    mix: scaledMix(load.mix, count / load.nodes),
    largestNamespacePods: Math.min(Math.ceil(pods), Math.ceil(load.largestNamespacePods * share)),
    overrides: { requestsPerSecond },
    nodeGroupOverrides: {},
  };
}

function usageAt(usage: readonly ClusterUsage[], days: number): Forecast['then'] {
  const last = usage.at(-1)?.day ?? 0;
  const of = (pick: (one: ClusterUsage) => number): number => {
    const trend = trendOf(usage.map((one) => ({ day: one.day, value: pick(one) })));
    return Math.max(0, Math.ceil(trend.at(last) + Math.max(trend.upper, 0) * days));
  };
  return {
    nodes: Math.max(
      1,
      of((one) => one.nodes),
    ),
    pods: of((one) => one.pods),
    requestsPerSecond: of((one) => one.requestsPerSecond),
  };
}

const raisableValues: readonly PlannedName[] = [
  'controlPlaneInstanceType',
  'maxRequestsInflight',
  'maxMutatingRequestsInflight',
  'etcdVolumeType',
  'etcdVolumeGib',
  'etcdIops',
  'etcdThroughputMBps',
  'eventsEtcdVolumeType',
  'eventsEtcdIops',
  'leasesEtcd',
  'autoscalerMaxNodes',
];

/** Returns the planned values that a larger load raises. Overrides count with their value. */
function purchases({ values, nodeGroups }: CapacityPlan, draft: PlanDraft): Purchase[] {
  const single = raisableValues.flatMap((name): Purchase[] => {
    const [now, then] = [
      values[name].value as string | number | boolean,
      draft.values[name].value as string | number | boolean,
    ];
    const isIncrease = typeof now !== 'number' || typeof then !== 'number' || then > now;
    return now === then || !isIncrease ? [] : [{ name, now: displayValue(now), then: displayValue(then) }];
  });
  const groups = draft.nodeGroups.flatMap((group): Purchase[] => {
    const own = nodeGroups.find(({ pool }) => pool === group.pool);
    const currentMax = own?.max.value ?? 0;
    return group.max.value > currentMax
      ? [{ name: `node group ${group.pool}: maximum nodes`, now: currentMax, then: group.max.value }]
      : [];
  });
  return [...single, ...groups];
}

const displayValue = (value: string | number | boolean): string | number =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
