import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

/** `aws.ebs.Volume`. */
export const volume = mapping({
  shape: z.strictObject({
    availabilityZone: z.string(),
    size: z.int().min(1),
    type: z.enum(['gp3', 'io2']),
    iops: z.int(),
    throughput: z.int().optional(),
    encrypted: z.boolean(),
    kmsKeyId: z.string().startsWith('arn:'),
    finalSnapshot: z.boolean(),
    tags,
  }),
  immutable: ['availabilityZone', 'encrypted', 'kmsKeyId'],
  dropped: { finalSnapshot: 'the provider uses it only when it deletes the volume' },
  async create(aws, inputs) {
    const created = await aws.call('ec2', 'CreateVolume', {
      AvailabilityZone: inputs.availabilityZone,
      Size: inputs.size,
      VolumeType: inputs.type,
      Iops: inputs.iops,
      ...(inputs.throughput !== undefined && { Throughput: inputs.throughput }),
      Encrypted: inputs.encrypted,
      KmsKeyId: inputs.kmsKeyId,
      ...tagsOnCreation('volume', inputs.tags),
    });
    return created.text('VolumeId');
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeVolumes', { VolumeIds: [id] }, 'Volumes');
    if (!one) return undefined;
    return {
      ...one.fields('availabilityZone', 'size', 'iops', 'throughput', 'encrypted', 'kmsKeyId'),
      type: one.at('VolumeType'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'volume', id),
    };
  },
  async update(aws, id, inputs, before) {
    const { size, type, iops, throughput } = inputs;
    const sizes = {
      Size: size,
      VolumeType: type,
      Iops: iops,
      ...(throughput !== undefined && { Throughput: throughput }),
    };
    await aws.call('ec2', 'ModifyVolume', { VolumeId: id, ...sizes });
    await retag(aws, id, before, inputs.tags);
  },
  async delete(aws, id, { finalSnapshot }) {
    if (finalSnapshot === true) await aws.call('ec2', 'CreateSnapshot', { VolumeId: id });
    await aws.call('ec2', 'DeleteVolume', { VolumeId: id });
  },
});
