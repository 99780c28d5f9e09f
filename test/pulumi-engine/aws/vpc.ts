import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

const switches = { enableDnsSupport: 'EnableDnsSupport', enableDnsHostnames: 'EnableDnsHostnames' } as const;
type Switch = keyof typeof switches;

/** `aws.ec2.Vpc`. */
export const vpc = mapping({
  shape: z.strictObject({
    cidrBlock: z.cidrv4(),
    enableDnsSupport: z.boolean(),
    enableDnsHostnames: z.boolean(),
    tags,
  }),
  fixed: ['cidrBlock'],
  async create(aws, { cidrBlock, tags: own, ...rest }) {
    const created = await aws.call('ec2', 'CreateVpc', { CidrBlock: cidrBlock, ...tagsOnCreation('vpc', own) });
    const VpcId = created.text('Vpc', 'VpcId');
    for (const name of Object.keys(switches) as Switch[])
      await aws.call('ec2', 'ModifyVpcAttribute', { VpcId, [switches[name]]: { Value: rest[name] } });
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
    for (const [name, Attribute] of Object.entries(switches)) {
      const said = await aws.call('ec2', 'DescribeVpcAttribute', { VpcId: id, Attribute: name });
      values[name] = said.at(Attribute, 'Value');
    }
    return values;
  },
  async update(aws, id, inputs, before) {
    for (const name of Object.keys(switches) as Switch[])
      await aws.call('ec2', 'ModifyVpcAttribute', { VpcId: id, [switches[name]]: { Value: inputs[name] } });
    await retag(aws, id, before, inputs.tags);
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteVpc', { VpcId: id })),
});
