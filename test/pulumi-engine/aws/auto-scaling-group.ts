import * as z from 'zod';
import { type AwsResponse, toPascalCase } from './aws-response';
import { type Aws } from './aws';
import { mapping } from './mapping';

const shape = z.strictObject({
  name: z.string().max(255),
  minSize: z.int().min(0),
  maxSize: z.int().min(0),
  desiredCapacity: z.int().min(0),
  healthCheckType: z.literal('EC2'),
  healthCheckGracePeriod: z.int(),
  defaultInstanceWarmup: z.int().optional(),
  capacityRebalance: z.boolean().optional(),
  suspendedProcesses: z.array(z.string()).optional(),
  instanceMaintenancePolicy: z.strictObject({ minHealthyPercentage: z.int(), maxHealthyPercentage: z.int() }),
  waitForCapacityTimeout: z.string(),
  enabledMetrics: z.array(z.string()),
  vpcZoneIdentifiers: z.array(z.string()).min(1),
  launchTemplate: z.strictObject({ id: z.string(), version: z.string() }).optional(),
  mixedInstancesPolicy: z
    .strictObject({
      instancesDistribution: z.strictObject({
        onDemandBaseCapacity: z.int(),
        onDemandPercentageAboveBaseCapacity: z.int(),
        spotAllocationStrategy: z.enum(['price-capacity-optimized', 'capacity-optimized']),
      }),
      launchTemplate: z.strictObject({
        launchTemplateSpecification: z.strictObject({ launchTemplateId: z.string(), version: z.string() }),
        overrides: z.array(z.strictObject({ instanceType: z.string() })),
      }),
    })
    .optional(),
  tags: z.array(z.strictObject({ key: z.string(), value: z.string(), propagateAtLaunch: z.boolean() })),
});
type Inputs = z.output<typeof shape>;

const service = 'autoscaling';
const bodyOf = (inputs: Inputs) => ({
  AutoScalingGroupName: inputs.name,
  MinSize: inputs.minSize,
  MaxSize: inputs.maxSize,
  DesiredCapacity: inputs.desiredCapacity,
  HealthCheckType: inputs.healthCheckType,
  HealthCheckGracePeriod: inputs.healthCheckGracePeriod,
  ...(inputs.defaultInstanceWarmup !== undefined && { DefaultInstanceWarmup: inputs.defaultInstanceWarmup }),
  ...(inputs.capacityRebalance !== undefined && { CapacityRebalance: inputs.capacityRebalance }),
  InstanceMaintenancePolicy: toPascalCase(inputs.instanceMaintenancePolicy),
  VPCZoneIdentifier: inputs.vpcZoneIdentifiers.join(','),
  ...(inputs.launchTemplate && {
    LaunchTemplate: { LaunchTemplateId: inputs.launchTemplate.id, Version: inputs.launchTemplate.version },
  }),
  ...(inputs.mixedInstancesPolicy && { MixedInstancesPolicy: toPascalCase(inputs.mixedInstancesPolicy) }),
});
const groupTags = ({ name, tags }: Inputs) =>
  tags.map(({ key, value, propagateAtLaunch }) => ({
    ResourceId: name,
    ResourceType: 'auto-scaling-group',
    Key: key,
    Value: value,
    PropagateAtLaunch: propagateAtLaunch,
  }));

/** Sets properties for which the provider makes separate calls after it has created the group. */
async function setGroupProperties(aws: Aws, inputs: Inputs): Promise<void> {
  const groupName = { AutoScalingGroupName: inputs.name };
  if (inputs.suspendedProcesses)
    await aws.call(service, 'SuspendProcesses', { ...groupName, ScalingProcesses: inputs.suspendedProcesses });
  await aws.call(service, 'EnableMetricsCollection', {
    ...groupName,
    Metrics: inputs.enabledMetrics,
    Granularity: '1Minute',
  });
}

async function groupOf(aws: Aws, name: string): Promise<AwsResponse | undefined> {
  const response = await aws.call(service, 'DescribeAutoScalingGroups', { AutoScalingGroupNames: [name] });
  return response.list('AutoScalingGroups')[0];
}

function mixedInstancesPolicyOf(group: AwsResponse) {
  const mix = group.part('MixedInstancesPolicy');
  return {
    ...mix.fields('instancesDistribution'),
    launchTemplate: {
      launchTemplateSpecification: mix
        .part('LaunchTemplate', 'LaunchTemplateSpecification')
        .fields('launchTemplateId', 'version'),
      overrides: mix.list('LaunchTemplate', 'Overrides').map((one) => one.fields('instanceType')),
    },
  };
}

/** `aws.autoscaling.Group`. */
export const autoScalingGroup = mapping({
  shape,
  immutable: ['name'],
  dropped: {
    waitForCapacityTimeout: 'only sets how long the provider waits',
    defaultInstanceWarmup: 'the emulation drops it',
    instanceMaintenancePolicy: 'the emulation drops it',
  },
  async create(aws, inputs) {
    await aws.call(service, 'CreateAutoScalingGroup', { ...bodyOf(inputs), Tags: groupTags(inputs) });
    await setGroupProperties(aws, inputs);
    return inputs.name;
  },
  async read(aws, id) {
    const one = await groupOf(aws, id);
    if (!one) return undefined;
    const template = one.part('LaunchTemplate');
    return {
      ...one.fields('minSize', 'maxSize', 'desiredCapacity', 'healthCheckType', 'healthCheckGracePeriod'),
      ...one.fields('capacityRebalance'),
      ...(one.at('MixedInstancesPolicy') !== undefined && { mixedInstancesPolicy: mixedInstancesPolicyOf(one) }),
      name: one.at('AutoScalingGroupName'),
      arn: one.at('AutoScalingGroupARN'),
      suspendedProcesses: one.list('SuspendedProcesses').map((process) => process.text('ProcessName')),
      enabledMetrics: one.list('EnabledMetrics').map((metric) => metric.text('Metric')),
      vpcZoneIdentifiers: one.text('VPCZoneIdentifier').split(','),
      ...(one.at('LaunchTemplate') !== undefined && {
        launchTemplate: { id: template.at('LaunchTemplateId'), version: template.at('Version') },
      }),
      tags: one.list('Tags').map((tag) => tag.fields('key', 'value', 'propagateAtLaunch')),
    };
  },
  async update(aws, _id, inputs, before) {
    await aws.call(service, 'UpdateAutoScalingGroup', bodyOf(inputs));
    const groupName = { AutoScalingGroupName: inputs.name };
    const resumed = (before.suspendedProcesses ?? []).filter((one) => !inputs.suspendedProcesses?.includes(one));
    if (resumed.length > 0) await aws.call(service, 'ResumeProcesses', { ...groupName, ScalingProcesses: resumed });
    await setGroupProperties(aws, inputs);
    const removed = groupTags(before).filter(({ Key }) => !inputs.tags.some(({ key }) => key === Key));
    if (removed.length > 0) await aws.call(service, 'DeleteTags', { Tags: removed });
    await aws.call(service, 'CreateOrUpdateTags', { Tags: groupTags(inputs) });
  },
  async delete(aws, id) {
    // As the provider does: scale to zero first, and delete once the machines are terminated.
    await aws.call(service, 'UpdateAutoScalingGroup', {
      AutoScalingGroupName: id,
      MinSize: 0,
      MaxSize: 0,
      DesiredCapacity: 0,
    });
    await aws.call(service, 'DeleteAutoScalingGroup', { AutoScalingGroupName: id, ForceDelete: false });
  },
});
