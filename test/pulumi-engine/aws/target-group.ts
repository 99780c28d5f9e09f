import * as z from 'zod';
import { type Aws } from './aws';
import { findResource } from './find-resource';
import { attributesOf, retagBalancing, setAttributes, tagsOfBalancing } from './load-balancing';
import { mapping } from './mapping';
import { tagList, tags } from './tags';

const port = z.int().min(1).max(65535);
const shape = z.strictObject({
  name: z.string().max(32),
  vpcId: z.string(),
  port,
  protocol: z.enum(['TCP', 'TLS', 'UDP']),
  targetType: z.enum(['ip', 'instance']),
  preserveClientIp: z.enum(['true', 'false']),
  deregistrationDelay: z.int().min(0).max(3600),
  connectionTermination: z.boolean(),
  healthCheck: z.strictObject({
    protocol: z.enum(['HTTPS', 'HTTP', 'TCP']),
    path: z.string(),
    port: z.string(),
    interval: z.int(),
    healthyThreshold: z.int(),
    unhealthyThreshold: z.int(),
  }),
  tags,
});
type Inputs = z.output<typeof shape>;

const checkOf = ({ healthCheck }: Inputs) => ({
  HealthCheckProtocol: healthCheck.protocol,
  HealthCheckPath: healthCheck.path,
  HealthCheckPort: healthCheck.port,
  HealthCheckIntervalSeconds: healthCheck.interval,
  HealthyThresholdCount: healthCheck.healthyThreshold,
  UnhealthyThresholdCount: healthCheck.unhealthyThreshold,
});
const setAll = (aws: Aws, arn: string, inputs: Inputs): Promise<void> =>
  setAttributes(aws, 'TargetGroup', arn, {
    'preserve_client_ip.enabled': inputs.preserveClientIp,
    'deregistration_delay.timeout_seconds': String(inputs.deregistrationDelay),
    'deregistration_delay.connection_termination.enabled': String(inputs.connectionTermination),
  });

/** `aws.lb.TargetGroup`. */
export const targetGroup = mapping({
  shape,
  immutable: ['name', 'vpcId', 'port', 'protocol', 'targetType'],
  async create(aws, inputs) {
    const created = await aws.call('elbv2', 'CreateTargetGroup', {
      Name: inputs.name,
      VpcId: inputs.vpcId,
      Port: inputs.port,
      Protocol: inputs.protocol,
      TargetType: inputs.targetType,
      ...checkOf(inputs),
      Tags: tagList(inputs.tags),
    });
    const arn = created.list('TargetGroups')[0]?.text('TargetGroupArn') ?? '';
    await setAll(aws, arn, inputs);
    return arn;
  },
  async read(aws, arn) {
    const response = await findResource(aws.call('elbv2', 'DescribeTargetGroups', { TargetGroupArns: [arn] }));
    const one = response?.list('TargetGroups')[0];
    if (!one) return undefined;
    const attributes = await attributesOf(aws, 'TargetGroup', arn);
    return {
      arn,
      ...one.fields('vpcId', 'port', 'protocol', 'targetType'),
      name: one.at('TargetGroupName'),
      preserveClientIp: attributes['preserve_client_ip.enabled'],
      deregistrationDelay: Number(attributes['deregistration_delay.timeout_seconds']),
      connectionTermination: attributes['deregistration_delay.connection_termination.enabled'] === 'true',
      healthCheck: {
        protocol: one.at('HealthCheckProtocol'),
        path: one.at('HealthCheckPath'),
        port: one.at('HealthCheckPort'),
        interval: one.at('HealthCheckIntervalSeconds'),
        healthyThreshold: one.at('HealthyThresholdCount'),
        unhealthyThreshold: one.at('UnhealthyThresholdCount'),
      },
      tags: await tagsOfBalancing(aws, arn),
    };
  },
  async update(aws, arn, inputs, before) {
    await aws.call('elbv2', 'ModifyTargetGroup', { TargetGroupArn: arn, ...checkOf(inputs) });
    await setAll(aws, arn, inputs);
    await retagBalancing(aws, arn, before, inputs.tags);
  },
  delete: async (aws, arn) => void (await aws.call('elbv2', 'DeleteTargetGroup', { TargetGroupArn: arn })),
});
