import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.NetworkInterface`. */
export const networkInterface = mapping({
  shape: z.strictObject({
    subnetId: z.string(),
    description: z.string(),
    privateIps: z.tuple([z.ipv4()]),
    securityGroups: z.array(z.string()).min(1),
    tags,
  }),
  immutable: ['subnetId', 'privateIps'],
  async create(aws, inputs) {
    const created = await aws.call('ec2', 'CreateNetworkInterface', {
      SubnetId: inputs.subnetId,
      Description: inputs.description,
      PrivateIpAddresses: inputs.privateIps.map((PrivateIpAddress) => ({ PrivateIpAddress, Primary: true })),
      Groups: inputs.securityGroups,
      ...tagsOnCreation('network-interface', inputs.tags),
    });
    return created.text('NetworkInterface', 'NetworkInterfaceId');
  },
  async read(aws, id) {
    const parameters = { NetworkInterfaceIds: [id] };
    const one = await describeResource(aws, 'DescribeNetworkInterfaces', parameters, 'NetworkInterfaces');
    if (!one) return undefined;
    return {
      ...one.fields('subnetId', 'description'),
      privateIps: one.list('PrivateIpAddresses').map((address) => address.text('PrivateIpAddress')),
      securityGroups: one.list('Groups').map((group) => group.text('GroupId')),
      tags: tagsOf(one, 'TagSet'),
      arn: arnOf(aws, 'network-interface', id),
    };
  },
  async update(aws, id, inputs, before) {
    const NetworkInterfaceId = id;
    const set = (attribute: object) =>
      aws.call('ec2', 'ModifyNetworkInterfaceAttribute', { NetworkInterfaceId, ...attribute });
    await set({ Description: { Value: inputs.description } });
    await set({ Groups: inputs.securityGroups });
    await retag(aws, id, before, inputs.tags);
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteNetworkInterface', { NetworkInterfaceId: id })),
});
