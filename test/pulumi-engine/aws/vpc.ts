import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

const dnsAttributes = { enableDnsSupport: 'EnableDnsSupport', enableDnsHostnames: 'EnableDnsHostnames' } as const;
type DnsAttribute = keyof typeof dnsAttributes;

/** `aws.ec2.Vpc`. */
export const vpc = mapping({
  shape: z.strictObject({
    cidrBlock: z.cidrv4(),
    enableDnsSupport: z.boolean(),
    enableDnsHostnames: z.boolean(),
    tags,
  }),
  immutable: ['cidrBlock'],
  async create(aws, { cidrBlock, tags: own, ...rest }) {
    const created = await aws.call('ec2', 'CreateVpc', { CidrBlock: cidrBlock, ...tagsOnCreation('vpc', own) });
    const VpcId = created.text('Vpc', 'VpcId');
    for (const name of Object.keys(dnsAttributes) as DnsAttribute[])
      await aws.call('ec2', 'ModifyVpcAttribute', { VpcId, [dnsAttributes[name]]: { Value: rest[name] } });
    return VpcId;
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeVpcs', { VpcIds: [id] }, 'Vpcs');
    if (!one) return undefined;
    const values: Record<string, unknown> = {
      ...one.fields('cidrBlock'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'vpc', id),
    };
    for (const [name, Attribute] of Object.entries(dnsAttributes)) {
      const attribute = await aws.call('ec2', 'DescribeVpcAttribute', { VpcId: id, Attribute: name });
      values[name] = attribute.at(Attribute, 'Value');
    }
    return values;
  },
  async update(aws, id, inputs, before) {
    for (const name of Object.keys(dnsAttributes) as DnsAttribute[])
      await aws.call('ec2', 'ModifyVpcAttribute', { VpcId: id, [dnsAttributes[name]]: { Value: inputs[name] } });
    await retag(aws, id, before, inputs.tags);
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteVpc', { VpcId: id })),
});
