import { type Values } from '../cloud';
import { type AwsResponse } from './aws-response';
import { type Aws } from './aws';
import { removedKeys, tagList, tagsOf } from './tags';

/** Attributes of a load balancer or a target group, as strings. */
export async function attributesOf(
  aws: Aws,
  kind: 'LoadBalancer' | 'TargetGroup',
  arn: string,
): Promise<Readonly<Record<string, string>>> {
  const response: AwsResponse = await aws.call('elbv2', `Describe${kind}Attributes`, { [`${kind}Arn`]: arn });
  return Object.fromEntries(response.list('Attributes').map((one) => [one.text('Key'), one.text('Value')]));
}

/** Sets attributes of a load balancer or a target group. */
export async function setAttributes(
  aws: Aws,
  kind: 'LoadBalancer' | 'TargetGroup',
  arn: string,
  attributes: Readonly<Record<string, string>>,
): Promise<void> {
  await aws.call('elbv2', `Modify${kind}Attributes`, { [`${kind}Arn`]: arn, Attributes: tagList(attributes) });
}

/** Reads the tags of an Elastic Load Balancing resource. */
export async function tagsOfBalancing(aws: Aws, arn: string): Promise<Readonly<Record<string, string>>> {
  const response = await aws.call('elbv2', 'DescribeTags', { ResourceArns: [arn] });
  const [one] = response.list('TagDescriptions');
  return one ? tagsOf(one) : {};
}

/** Updates the tags of an Elastic Load Balancing resource. */
export async function retagBalancing(
  aws: Aws,
  arn: string,
  before: Values,
  now: Readonly<Record<string, string>>,
): Promise<void> {
  const removed = removedKeys(before, now);
  if (removed.length > 0) await aws.call('elbv2', 'RemoveTags', { ResourceArns: [arn], TagKeys: removed });
  await aws.call('elbv2', 'AddTags', { ResourceArns: [arn], Tags: tagList(now) });
}
