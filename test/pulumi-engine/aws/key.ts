import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tags } from './tags';

const policy = z.string().startsWith('{');
/** KMS names the fields of a tag differently. */
const tagsOfKeys = (own: z.output<typeof tags>) =>
  Object.entries(own).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));

/** `aws.kms.Key`. */
export const key = mapping({
  shape: z.strictObject({
    description: z.string(),
    enableKeyRotation: z.boolean(),
    deletionWindowInDays: z.int().min(7).max(30),
    policy,
    tags,
  }),
  dropped: { deletionWindowInDays: 'the provider uses it only when it deletes the key' },
  async create(aws, { description, policy: Policy, enableKeyRotation, tags: own }) {
    const parameters = { Description: description, Policy, Tags: tagsOfKeys(own) };
    const KeyId = (await aws.call('kms', 'CreateKey', parameters)).text('KeyMetadata', 'KeyId');
    if (enableKeyRotation) await aws.call('kms', 'EnableKeyRotation', { KeyId });
    return KeyId;
  },
  async read(aws, KeyId) {
    const one = await findResource(aws.call('kms', 'DescribeKey', { KeyId }));
    if (!one || one.at('KeyMetadata', 'KeyState') === 'PendingDeletion') return undefined;
    const rotation = await aws.call('kms', 'GetKeyRotationStatus', { KeyId });
    const keyPolicy = await aws.call('kms', 'GetKeyPolicy', { KeyId, PolicyName: 'default' });
    const list = await aws.call('kms', 'ListResourceTags', { KeyId });
    return {
      ...one.part('KeyMetadata').fields('description', 'keyId', 'arn'),
      enableKeyRotation: rotation.at('KeyRotationEnabled'),
      policy: keyPolicy.at('Policy'),
      tags: Object.fromEntries(list.list('Tags').map((tag) => [tag.text('TagKey'), tag.text('TagValue')])),
    };
  },
  async update(aws, KeyId, inputs, before) {
    await aws.call('kms', 'UpdateKeyDescription', { KeyId, Description: inputs.description });
    await aws.call('kms', 'PutKeyPolicy', { KeyId, PolicyName: 'default', Policy: inputs.policy });
    await aws.call('kms', inputs.enableKeyRotation ? 'EnableKeyRotation' : 'DisableKeyRotation', { KeyId });
    const removed = removedKeys(before, inputs.tags);
    if (removed.length > 0) await aws.call('kms', 'UntagResource', { KeyId, TagKeys: removed });
    await aws.call('kms', 'TagResource', { KeyId, Tags: tagsOfKeys(inputs.tags) });
  },
  async delete(aws, KeyId, { deletionWindowInDays }) {
    await aws.call('kms', 'ScheduleKeyDeletion', { KeyId, PendingWindowInDays: deletionWindowInDays });
  },
});
