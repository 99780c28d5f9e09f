import { type Problem } from '../../api';
import { formatGib } from './format-gib';
import { instanceTypes } from '../sizing/instance-type';
import { objectBytes } from '../memory/memory-model';
import { type NodeGroupPlan } from '../sizing/node-groups';
import { type PlanDraft } from './draft-capacity-plan';
import { warning } from './warning';

const GiB = 1024 ** 3;

/** Returns warnings about overrides that are smaller than the load needs. */
export function smallOverrides({ controlPlaneNode, values, nodeGroups }: PlanDraft): Problem[] {
  const problems: Problem[] = [];
  const instanceType = values.controlPlaneInstanceType;
  const type = instanceTypes.get(instanceType.value);
  const { need } = controlPlaneNode;
  if (instanceType.planned !== undefined && type) {
    const shortages = [
      type.cores < need.cores && `${type.cores} of ${need.cores.toFixed(1)} CPUs`,
      type.memoryGib < need.memoryBytes / GiB && `${type.memoryGib} of ${Math.ceil(need.memoryBytes / GiB)} GiB`,
      type.ebsIops < need.ebsIops && `${type.ebsIops} of ${need.ebsIops} IOPS`,
      type.ebsMBps < need.ebsMBps && `${type.ebsMBps} of ${need.ebsMBps} MB/s`,
    ].filter((part) => part !== false);
    const remedy = controlPlaneNode.chosen
      ? `use ${controlPlaneNode.chosen.name}`
      : 'no size is large enough: plan a smaller cluster';
    if (shortages.length > 0)
      problems.push(
        warning(['overrides', 'controlPlaneInstanceType'], instanceType.value, `has ${shortages.join(', ')}`, remedy),
      );
  }
  const seats = values.maxRequestsInflight.value + values.maxMutatingRequestsInflight.value;
  if (seats === 0)
    problems.push({
      code: 'out-of-range',
      path: ['overrides', 'maxRequestsInflight'],
      value: 0,
      reason: 'leaves no seats, so a server does not start',
      remedy: `use ${values.maxRequestsInflight.planned ?? 400}`,
    });
  else if (seats < values.stormSeats.value)
    problems.push(
      warning(
        ['overrides', 'maxRequestsInflight'],
        seats,
        `is less than the ${values.stormSeats.value} seats that a storm needs`,
        'remove it, or expect HTTP 429 in a storm',
      ),
    );
  const { eventRateServerQps: rate, eventTtlSeconds: ttl, eventsEtcdQuotaBytes: quota } = values;
  const eventBytes = rate.value * values.controlPlaneNodes.value * ttl.value * objectBytes.event;
  if (eventBytes > quota.value)
    problems.push(
      warning(
        ['overrides', rate.planned === undefined ? 'eventTtlSeconds' : 'eventRateServerQps'],
        rate.planned === undefined ? ttl.value : rate.value,
        `lets events fill ${formatGib(eventBytes)}, more than the etcd quota of ${formatGib(quota.value)}`,
        'lower eventRateServerQps or eventTtlSeconds',
      ),
    );
  return [...problems, ...autoscalerProblems({ values, nodeGroups })];
}

/** Returns warnings about autoscaler limits that are below the plan or have no effect. */
function autoscalerProblems({ nodeGroups, values }: Pick<PlanDraft, 'nodeGroups' | 'values'>): Problem[] {
  return (
    [
      ['autoscalerMaxNodes', () => 1, values.controlPlaneNodes.value, 'nodes'],
      [
        'autoscalerMaxCores',
        sizeIn('cores'),
        values.controlPlaneNodes.value * sizeOf(values.controlPlaneInstanceType.value, 'cores'),
        'CPUs',
      ],
      [
        'autoscalerMaxMemoryGib',
        sizeIn('memoryGib'),
        values.controlPlaneNodes.value * sizeOf(values.controlPlaneInstanceType.value, 'memoryGib'),
        'GiB',
      ],
    ] as const
  ).flatMap(([name, sizeOfNode, controlPlaneNodes, noun]) => {
    const { value, planned: plannedMax } = values[name];
    if (plannedMax === undefined) return [];
    const desired = Math.ceil(
      nodeGroups.reduce((sum, group) => sum + group.desired.value * sizeOfNode(group), controlPlaneNodes),
    );
    const path = ['overrides', name];
    if (value < desired)
      return [
        warning(
          path,
          value,
          `is less than the ${desired} planned ${noun}, including control plane nodes`,
          `use at least ${desired}`,
        ),
      ];
    return value > plannedMax
      ? [
          warning(
            path,
            value,
            `has no effect: node groups and control plane nodes have at most ${plannedMax} ${noun}`,
            `use at most ${plannedMax}, or raise the max of a node group`,
          ),
        ]
      : [];
  });
}

const sizeOf = (type: string | undefined, of: 'cores' | 'memoryGib'): number =>
  instanceTypes.get(type ?? '')?.[of] ?? 0;
const sizeIn =
  (of: 'cores' | 'memoryGib') =>
  ({ instanceTypes: types }: NodeGroupPlan): number =>
    sizeOf(types.value[0], of);
