import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tags } from './tags';

const shape = z.strictObject({
  name: z.string().max(80),
  messageRetentionSeconds: z.int().min(60).max(1_209_600),
  visibilityTimeoutSeconds: z.int().min(0).max(43_200),
  sqsManagedSseEnabled: z.boolean(),
  tags,
});

/** SQS represents every attribute as a string. */
const attributesOf = (inputs: z.output<typeof shape>) => ({
  MessageRetentionPeriod: String(inputs.messageRetentionSeconds),
  VisibilityTimeout: String(inputs.visibilityTimeoutSeconds),
  SqsManagedSseEnabled: String(inputs.sqsManagedSseEnabled),
});

/** `aws.sqs.Queue`. */
export const queue = mapping({
  shape,
  immutable: ['name'],
  async create(aws, inputs) {
    const parameters = { QueueName: inputs.name, Attributes: attributesOf(inputs), tags: inputs.tags };
    return (await aws.call('sqs', 'CreateQueue', parameters)).text('QueueUrl');
  },
  async read(aws, QueueUrl) {
    const attributes = await findResource(aws.call('sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] }));
    if (!attributes) return undefined;
    const one = attributes.part('Attributes');
    const list = await aws.call('sqs', 'ListQueueTags', { QueueUrl });
    return {
      name: QueueUrl.split('/').at(-1),
      url: QueueUrl,
      arn: one.at('QueueArn'),
      messageRetentionSeconds: Number(one.at('MessageRetentionPeriod')),
      visibilityTimeoutSeconds: Number(one.at('VisibilityTimeout')),
      sqsManagedSseEnabled: one.at('SqsManagedSseEnabled') === 'true',
      tags: list.at('Tags') ?? {},
    };
  },
  async update(aws, QueueUrl, inputs, before) {
    await aws.call('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: attributesOf(inputs) });
    const removed = removedKeys(before, inputs.tags);
    if (removed.length > 0) await aws.call('sqs', 'UntagQueue', { QueueUrl, TagKeys: removed });
    await aws.call('sqs', 'TagQueue', { QueueUrl, Tags: inputs.tags });
  },
  delete: async (aws, QueueUrl) => void (await aws.call('sqs', 'DeleteQueue', { QueueUrl })),
});
