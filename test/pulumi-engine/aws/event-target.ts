import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';

/** `aws.cloudwatch.EventTarget`. The provider assigns its ID among the targets of its rule. */
export const eventTarget = mapping({
  shape: z.strictObject({ rule: z.string(), arn: z.string().startsWith('arn:aws:') }),
  immutable: ['rule'],
  async create(aws, { rule, arn }) {
    const id = 'target';
    const response = await aws.call('events', 'PutTargets', { Rule: rule, Targets: [{ Id: id, Arn: arn }] });
    if (response.list('FailedEntries').length > 0) throw new Error(JSON.stringify(response.values));
    return `${rule}-${id}`;
  },
  async read(aws, _id, { rule }) {
    const response = await findResource(aws.call('events', 'ListTargetsByRule', { Rule: rule }));
    const [one] = response?.list('Targets') ?? [];
    return one && { rule, arn: one.at('Arn') };
  },
  delete: async (aws, _id, { rule }) =>
    void (await aws.call('events', 'RemoveTargets', { Rule: rule, Ids: ['target'] })),
});
