import * as z from 'zod';
import { type Values } from '../cloud';
import { type AwsResponse } from './aws-response';
import { type Aws } from './aws';

/** Tags in the provider's format. */
export const tags = z.record(z.string().min(1).max(128), z.string().max(256));
type Tags = z.output<typeof tags>;

/** Tags in the format of most AWS services. */
export const tagList = (own: Tags): { readonly Key: string; readonly Value: string }[] =>
  Object.entries(own).map(([Key, Value]) => ({ Key, Value }));

/** Returns the tag specification of a new EC2 resource. */
export const tagsOnCreation = (ResourceType: string, own: Tags) => ({
  TagSpecifications: [{ ResourceType, Tags: tagList(own) }],
});

/** Parses the tags in a field or a response. */
export const tagsOf = (response: AwsResponse, ...path: readonly string[]): Tags =>
  Object.fromEntries(
    response
      .list(...(path.length > 0 ? path : ['Tags']))
      .map((tag) => [tag.text('Key'), tag.text('Value')] as const)
      // Tags reserved by AWS are never part of the inputs.
      .filter(([key]) => !key.startsWith('aws:')),
  );

/** Returns keys that have been removed. */
export const removedKeys = (before: Values, now: Tags): string[] =>
  Object.keys((before['tags'] ?? {}) as Tags).filter((key) => !(key in now));

/** Updates the tags of an EC2 resource. */
export async function retag(aws: Aws, id: string, before: Values, now: Tags): Promise<void> {
  const removed = removedKeys(before, now);
  if (removed.length > 0)
    await aws.call('ec2', 'DeleteTags', { Resources: [id], Tags: removed.map((Key) => ({ Key })) });
  await aws.call('ec2', 'CreateTags', { Resources: [id], Tags: tagList(now) });
}
