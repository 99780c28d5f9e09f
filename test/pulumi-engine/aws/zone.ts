import { createHash } from 'node:crypto';
import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tagList, tags, tagsOf } from './tags';

/** Normalizes a zone ID to AWS's format: the emulation uses any first letter. */
const toZoneId = (id: string): string => `Z${id.replace('/hostedzone/', '')}`;
/** Returns a zone ID in the emulation's format. */
export const emulatedId = (id: string): string => id.slice(1);

/** `aws.route53.Zone`, a private zone. */
export const zone = mapping({
  shape: z.strictObject({
    name: z.string(),
    comment: z.string().max(256),
    vpcs: z.tuple([z.strictObject({ vpcId: z.string() })]),
    tags,
  }),
  immutable: ['name'],
  async create(aws, { name, comment, vpcs, tags: own }) {
    const [{ vpcId }] = vpcs;
    const created = await aws.call('route53', 'CreateHostedZone', {
      Name: name,
      // A retried request must not create a second zone.
      CallerReference: createHash('sha256').update(`${name} ${vpcId}`).digest('hex'),
      HostedZoneConfig: { Comment: comment, PrivateZone: true },
      VPC: { VPCRegion: aws.region, VPCId: vpcId },
    });
    const id = toZoneId(created.text('HostedZone', 'Id'));
    const parameters = { ResourceType: 'hostedzone', ResourceId: emulatedId(id) };
    await aws.call('route53', 'ChangeTagsForResource', { ...parameters, AddTags: tagList(own) });
    return id;
  },
  async read(aws, id) {
    const response = await findResource(aws.call('route53', 'GetHostedZone', { Id: emulatedId(id) }));
    if (!response) return undefined;
    const parameters = { ResourceType: 'hostedzone', ResourceId: emulatedId(id) };
    const list = await aws.call('route53', 'ListTagsForResource', parameters);
    return {
      name: response.text('HostedZone', 'Name').replace(/\.$/, ''),
      comment: response.at('HostedZone', 'Config', 'Comment'),
      vpcs: response.list('VPCs').map((vpc) => ({ vpcId: vpc.at('VPCId') })),
      zoneId: id,
      arn: `arn:aws:route53:::hostedzone/${id}`,
      tags: tagsOf(list, 'ResourceTagSet', 'Tags'),
    };
  },
  async update(aws, id, inputs, before) {
    await aws.call('route53', 'UpdateHostedZoneComment', { Id: emulatedId(id), Comment: inputs.comment });
    const staleKeys = removedKeys(before, inputs.tags);
    const parameters = { ResourceType: 'hostedzone', ResourceId: emulatedId(id) };
    const removed = staleKeys.length > 0 ? { RemoveTagKeys: staleKeys } : {};
    await aws.call('route53', 'ChangeTagsForResource', { ...parameters, AddTags: tagList(inputs.tags), ...removed });
  },
  delete: async (aws, id) => void (await aws.call('route53', 'DeleteHostedZone', { Id: emulatedId(id) })),
});
