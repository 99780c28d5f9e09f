import * as z from 'zod';
import { findResource } from './find-resource';
import { retagBalancing, tagsOfBalancing } from './load-balancing';
import { mapping } from './mapping';
import { tagList, tags } from './tags';

const shape = z.strictObject({
  loadBalancerArn: z.string(),
  port: z.int(),
  protocol: z.enum(['TCP', 'TLS', 'UDP']),
  defaultActions: z.array(z.strictObject({ type: z.literal('forward'), targetGroupArn: z.string() })).length(1),
  tags,
});
const bodyOf = ({ port, protocol, defaultActions }: z.output<typeof shape>) => ({
  Port: port,
  Protocol: protocol,
  DefaultActions: defaultActions.map(({ type, targetGroupArn }) => ({ Type: type, TargetGroupArn: targetGroupArn })),
});

/** `aws.lb.Listener`. */
export const listener = mapping({
  shape,
  immutable: ['loadBalancerArn'],
  async create(aws, inputs) {
    const created = await aws.call('elbv2', 'CreateListener', {
      LoadBalancerArn: inputs.loadBalancerArn,
      ...bodyOf(inputs),
      Tags: tagList(inputs.tags),
    });
    return created.list('Listeners')[0]?.text('ListenerArn') ?? '';
  },
  async read(aws, arn) {
    const response = await findResource(aws.call('elbv2', 'DescribeListeners', { ListenerArns: [arn] }));
    const one = response?.list('Listeners')[0];
    if (!one) return undefined;
    const defaultActions = one.list('DefaultActions').map((action) => action.fields('type', 'targetGroupArn'));
    const tagged = { tags: await tagsOfBalancing(aws, arn) };
    return { arn, ...one.fields('loadBalancerArn', 'port', 'protocol'), defaultActions, ...tagged };
  },
  async update(aws, arn, inputs, before) {
    await aws.call('elbv2', 'ModifyListener', { ListenerArn: arn, ...bodyOf(inputs) });
    await retagBalancing(aws, arn, before, inputs.tags);
  },
  delete: async (aws, arn) => void (await aws.call('elbv2', 'DeleteListener', { ListenerArn: arn })),
});
