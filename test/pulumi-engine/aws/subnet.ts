import * as z from 'zod';
import { type Aws } from './aws';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

const shape = z.strictObject({
  vpcId: z.string(),
  availabilityZone: z.string(),
  cidrBlock: z.cidrv4(),
  mapPublicIpOnLaunch: z.boolean(),
  privateDnsHostnameTypeOnLaunch: z.enum(['ip-name', 'resource-name']),
  enableResourceNameDnsARecordOnLaunch: z.boolean(),
  tags,
});

/** `aws.ec2.Subnet`. */
export const subnet = mapping({
  shape,
  immutable: ['vpcId', 'availabilityZone', 'cidrBlock'],
  dropped: { privateDnsHostnameTypeOnLaunch: 'the emulation always returns "ip-name"' },
  async create(aws, inputs) {
    const created = await aws.call('ec2', 'CreateSubnet', {
      VpcId: inputs.vpcId,
      AvailabilityZone: inputs.availabilityZone,
      CidrBlock: inputs.cidrBlock,
      ...tagsOnCreation('subnet', inputs.tags),
    });
    const id = created.text('Subnet', 'SubnetId');
    await setAttributes(aws, id, inputs);
    return id;
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeSubnets', { SubnetIds: [id] }, 'Subnets');
    if (!one) return undefined;
    const names = one.part('PrivateDnsNameOptionsOnLaunch');
    return {
      ...one.fields('vpcId', 'availabilityZone', 'cidrBlock', 'mapPublicIpOnLaunch'),
      privateDnsHostnameTypeOnLaunch: names.at('HostnameType'),
      enableResourceNameDnsARecordOnLaunch: names.at('EnableResourceNameDnsARecord'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'subnet', id),
    };
  },
  async update(aws, id, inputs, before) {
    await setAttributes(aws, id, inputs);
    await retag(aws, id, before, inputs.tags);
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteSubnet', { SubnetId: id })),
});

/** Sets attributes; EC2 changes one attribute per call. */
async function setAttributes(aws: Aws, SubnetId: string, inputs: z.output<typeof shape>): Promise<void> {
  const set = (attribute: object) => aws.call('ec2', 'ModifySubnetAttribute', { SubnetId, ...attribute });
  await set({ MapPublicIpOnLaunch: { Value: inputs.mapPublicIpOnLaunch } });
  await set({ EnableResourceNameDnsARecordOnLaunch: { Value: inputs.enableResourceNameDnsARecordOnLaunch } });
  await set({ PrivateDnsHostnameTypeOnLaunch: inputs.privateDnsHostnameTypeOnLaunch });
}
