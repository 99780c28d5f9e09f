import * as z from 'zod';
import { type Aws } from './aws';
import { findResource } from './find-resource';
import { attributesOf, tagsOfBalancing, retagBalancing, setAttributes } from './load-balancing';
import { mapping } from './mapping';
import { tagList, tags } from './tags';

const crossZone = 'load_balancing.cross_zone.enabled';

/** `aws.lb.LoadBalancer`. */
export const loadBalancer = mapping({
  shape: z.strictObject({
    name: z.string().max(32),
    loadBalancerType: z.literal('network'),
    internal: z.boolean(),
    enableCrossZoneLoadBalancing: z.boolean(),
    subnets: z.array(z.string()).min(1),
    securityGroups: z.array(z.string()),
    tags,
  }),
  immutable: ['name', 'loadBalancerType', 'internal'],
  async create(aws, inputs) {
    const created = await aws.call('elbv2', 'CreateLoadBalancer', {
      Name: inputs.name,
      Type: inputs.loadBalancerType,
      Scheme: inputs.internal ? 'internal' : 'internet-facing',
      Subnets: inputs.subnets,
      SecurityGroups: inputs.securityGroups,
      Tags: tagList(inputs.tags),
    });
    const arn = created.list('LoadBalancers')[0]?.text('LoadBalancerArn') ?? '';
    await setCrossZone(aws, arn, inputs.enableCrossZoneLoadBalancing);
    return arn;
  },
  async read(aws, arn) {
    const response = await findResource(aws.call('elbv2', 'DescribeLoadBalancers', { LoadBalancerArns: [arn] }));
    const one = response?.list('LoadBalancers')[0];
    if (!one) return undefined;
    const attributes = await attributesOf(aws, 'LoadBalancer', arn);
    return {
      arn,
      ...one.fields('securityGroups'),
      name: one.at('LoadBalancerName'),
      loadBalancerType: one.at('Type'),
      internal: one.at('Scheme') === 'internal',
      enableCrossZoneLoadBalancing: attributes[crossZone] === 'true',
      subnets: one.list('AvailabilityZones').map((zone) => zone.text('SubnetId')),
      dnsName: one.at('DNSName'),
      zoneId: one.at('CanonicalHostedZoneId'),
      tags: await tagsOfBalancing(aws, arn),
    };
  },
  async update(aws, arn, inputs, before) {
    await setCrossZone(aws, arn, inputs.enableCrossZoneLoadBalancing);
    await aws.call('elbv2', 'SetSubnets', { LoadBalancerArn: arn, Subnets: inputs.subnets });
    await aws.call('elbv2', 'SetSecurityGroups', { LoadBalancerArn: arn, SecurityGroups: inputs.securityGroups });
    await retagBalancing(aws, arn, before, inputs.tags);
  },
  delete: async (aws, arn) => void (await aws.call('elbv2', 'DeleteLoadBalancer', { LoadBalancerArn: arn })),
});

const setCrossZone = (aws: Aws, arn: string, isOn: boolean): Promise<void> =>
  setAttributes(aws, 'LoadBalancer', arn, { [crossZone]: String(isOn) });
