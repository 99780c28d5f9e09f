import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ec2.Eip`. */
export const eip = mapping({
  shape: z.strictObject({ domain: z.literal('vpc'), tags }),
  immutable: ['domain'],
  async create(aws, { domain, tags: own }) {
    const created = await aws.call('ec2', 'AllocateAddress', { Domain: domain, ...tagsOnCreation('elastic-ip', own) });
    return created.text('AllocationId');
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeAddresses', { AllocationIds: [id] }, 'Addresses');
    if (!one) return undefined;
    return {
      ...one.fields('domain', 'allocationId', 'publicIp'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'elastic-ip', id),
    };
  },
  update: (aws, id, { tags: own }, before) => retag(aws, id, before, own),
  delete: async (aws, id) => void (await aws.call('ec2', 'ReleaseAddress', { AllocationId: id })),
});
