import * as z from 'zod';
import { type Values } from '../cloud';
import { type Answer } from './answer';
import { type Aws } from './aws';

/** Tags as the provider takes them. */
export const tags = z.record(z.string().min(1).max(128), z.string().max(256));
type Tags = z.output<typeof tags>;

/** Tags as most services of AWS take them. */
export const tagList = (own: Tags): { readonly Key: string; readonly Value: string }[] =>
  Object.entries(own).map(([Key, Value]) => ({ Key, Value }));

/** Tags of something that EC2 is about to make. */
export const tagsOnCreation = (ResourceType: string, own: Tags) => ({
  TagSpecifications: [{ ResourceType, Tags: tagList(own) }],
});

/** Tags that AWS says, of a field or of an answer of their own. */
export const tagsOf = (answer: Answer, ...path: readonly string[]): Tags =>
  Object.fromEntries(
    answer
      .list(...(path.length > 0 ? path : ['Tags']))
      .map((tag) => [tag.text('Key'), tag.text('Value')] as const)
      // AWS's own are nobody's to say.
      .filter(([key]) => !key.startsWith('aws:')),
  );

/** Keys that were before and are to be no more. */
export const keysGone = (before: Values, now: Tags): string[] =>
  Object.keys((before['tags'] ?? {}) as Tags).filter((key) => !(key in now));

/** Gives something of EC2 other tags. */
export async function retag(aws: Aws, id: string, before: Values, now: Tags): Promise<void> {
  const gone = keysGone(before, now);
  if (gone.length > 0) await aws.call('ec2', 'DeleteTags', { Resources: [id], Tags: gone.map((Key) => ({ Key })) });
  await aws.call('ec2', 'CreateTags', { Resources: [id], Tags: tagList(now) });
}
