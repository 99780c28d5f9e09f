import { type Problem } from '../../api';
import { formatGib } from './format-gib';
import { instanceTypes } from '../sizing/instance-type';
import { objectBytes } from '../memory/memory-model';
import { type NodeGroupPlan } from '../sizing/node-groups';
import { type PlanDraft } from './draft-capacity-plan';
import { warning } from './warning';

const GiB = 1024 ** 3;

/** Returns warnings of overrides that are smaller than the load needs; overrides win. */
export function smallOverrides({ controlPlaneNode, values, nodeGroups }: PlanDraft): Problem[] {
  const problems: Problem[] = [];
  const chosen = values.controlPlaneInstanceType;
  const type = instanceTypes.get(chosen.value);
  const { need } = controlPlaneNode;
  if (chosen.planned !== undefined && type) {
    const short = [
      type.cores < need.cores && `${type.cores} of ${need.cores.toFixed(1)} CPUs`,
      type.memoryGib < need.memoryBytes / GiB && `${type.memoryGib} of ${Math.ceil(need.memoryBytes / GiB)} GiB`,
      type.ebsIops < need.ebsIops && `${type.ebsIops} of ${need.ebsIops} IOPS`,
      type.ebsMBps < need.ebsMBps && `${type.ebsMBps} of ${need.ebsMBps} MB/s`,
    ].filter((part) => part !== false);
    const remedy = controlPlaneNode.chosen
      ? `use ${controlPlaneNode.chosen.name}`
      : 'no size is large enough: plan a smaller cluster';
    if (short.length > 0)
      problems.push(
        warning(['overrides', 'controlPlaneInstanceType'], chosen.value, `has ${short.join(', ')}`, remedy),
      );
  }
  const seats = values.maxRequestsInflight.value + values.maxMutatingRequestsInflight.value;
  if (seats === 0)
    problems.push({
      code: 'out-of-range',
      path: ['overrides', 'maxRequestsInflight'],
      value: 0,
      reason: 'leaves no seat, and a server does not start',
      remedy: `use ${values.maxRequestsInflight.planned ?? 400}`,
    });
  else if (seats < values.stormSeats.value)
    problems.push(
      warning(
        ['overrides', 'maxRequestsInflight'],
        seats,
        `is less than the ${values.stormSeats.value} seats that a storm takes`,
        'remove it, or expect 429 in a storm',
      ),
    );
  const { eventRateServerQps: rate, eventTtlSeconds: ttl, eventsEtcdQuotaBytes: quota } = values;
  const filled = rate.value * values.controlPlaneNodes.value * ttl.value * objectBytes.event;
  if (filled > quota.value)
    problems.push(
      warning(
        ['overrides', rate.planned === undefined ? 'eventTtlSeconds' : 'eventRateServerQps'],
        rate.planned === undefined ? ttl.value : rate.value,
        `lets events fill ${formatGib(filled)} of a quota of ${formatGib(quota.value)}`,
        'lower eventRateServerQps or eventTtlSeconds',
      ),
    );
  return [...problems, ...autoscalerProblems({ values, nodeGroups })];
}

/** Returns warnings of autoscaler limits that are below the plan, or have no effect. */
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
  ).flatMap(([name, of, controlPlaneNodes, what]) => {
    const { value, planned: most } = values[name];
    if (most === undefined) return [];
    const desired = Math.ceil(
      nodeGroups.reduce((sum, group) => sum + group.desired.value * of(group), controlPlaneNodes),
    );
    const path = ['overrides', name];
    if (value < desired)
      return [
        warning(
          path,
          value,
          `is less than the ${desired} ${what} of the plan, including control plane nodes`,
          `use at least ${desired}`,
        ),
      ];
    return value > most
      ? [
          warning(
            path,
            value,
            `has no effect: groups and control plane nodes have at most ${most} ${what}`,
            `use at most ${most}, or raise the max of a node group`,
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
