import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';

const shape = z.strictObject({ queueUrl: z.string(), policy: z.string().startsWith('{') });

/** `aws.sqs.QueuePolicy`, which is an attribute of its queue. */
export const queuePolicy = mapping({
  shape,
  immutable: ['queueUrl'],
  async create(aws, { queueUrl, policy }) {
    await aws.call('sqs', 'SetQueueAttributes', { QueueUrl: queueUrl, Attributes: { Policy: policy } });
    return queueUrl;
  },
  async read(aws, QueueUrl) {
    const parameters = { QueueUrl, AttributeNames: ['Policy'] };
    const policy = (await findResource(aws.call('sqs', 'GetQueueAttributes', parameters)))?.at('Attributes', 'Policy');
    return typeof policy === 'string' && policy !== '' ? { queueUrl: QueueUrl, policy } : undefined;
  },
  async update(aws, QueueUrl, { policy }) {
    await aws.call('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: { Policy: policy } });
  },
  async delete(aws, QueueUrl) {
    await findResource(aws.call('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: { Policy: '' } }));
  },
});
