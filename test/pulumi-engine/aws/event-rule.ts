import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tagList, tags, tagsOf } from './tags';

const shape = z.strictObject({
  name: z.string().max(64),
  description: z.string().max(512),
  eventPattern: z.string().startsWith('{').max(4096),
  tags,
});

const ruleParameters = ({ name, description, eventPattern }: z.output<typeof shape>) => ({
  Name: name,
  Description: description,
  EventPattern: eventPattern,
});

/** `aws.cloudwatch.EventRule`. */
export const eventRule = mapping({
  shape,
  immutable: ['name'],
  async create(aws, inputs) {
    await aws.call('events', 'PutRule', { ...ruleParameters(inputs), Tags: tagList(inputs.tags) });
    return inputs.name;
  },
  async read(aws, name) {
    const one = await findResource(aws.call('events', 'DescribeRule', { Name: name }));
    if (!one) return undefined;
    const own = await aws.call('events', 'ListTagsForResource', { ResourceARN: one.text('Arn') });
    return { ...one.fields('name', 'description', 'eventPattern'), arn: one.at('Arn'), tags: tagsOf(own) };
  },
  async update(aws, name, inputs, before) {
    await aws.call('events', 'PutRule', ruleParameters(inputs));
    const arn = (await aws.call('events', 'DescribeRule', { Name: name })).text('Arn');
    const removed = removedKeys(before, inputs.tags);
    if (removed.length > 0) await aws.call('events', 'UntagResource', { ResourceARN: arn, TagKeys: removed });
    await aws.call('events', 'TagResource', { ResourceARN: arn, Tags: tagList(inputs.tags) });
  },
  delete: async (aws, name) => void (await aws.call('events', 'DeleteRule', { Name: name })),
});
